import { readdirSync, readFileSync } from 'node:fs'
import { isErrorCode } from '../../domain/refusal.ts'

type Json = Record<string, unknown>

/** A call as it was made, and its answer. Ids, times and secrets are always the same. */
export type Example = {
  name: string
  summary: string
  request: { params?: Record<string, string>; query?: Record<string, string | number>; body?: Json }
  status: number
  /** Null where the answer is a file. */
  answer: unknown
}
/** What was recorded of an operation: calls that succeed, and refusals of its own by their codes. */
export type Recorded = { calls: Example[]; refusals: Record<string, Json> }

/** Where the recorded calls are, a file for each kind of resource (docs/decisions/0062). */
export const examplesFolder = new URL('../../schemas/examples/', import.meta.url)

/** The recorded calls, by the `operationId`. */
export const examples: Readonly<Record<string, Recorded>> = Object.assign(
  {},
  ...readdirSync(examplesFolder)
    .filter((file) => file.endsWith('.json') && file !== 'errors.json')
    .map((file) => JSON.parse(readFileSync(new URL(file, examplesFolder), 'utf8')) as Record<string, Recorded>),
)

/** An example of each error code, for operations that have none of their own. */
export const errorExamples = readErrors()

function readErrors(): Record<string, Json> {
  if (!readdirSync(examplesFolder).includes('errors.json')) return {}
  return JSON.parse(readFileSync(new URL('errors.json', examplesFolder), 'utf8')) as Record<string, Json>
}

type Shown = { summary?: string; value: unknown } | { $ref: string }

const shown = (calls: Example[], value: (call: Example) => unknown) =>
  calls.length === 0
    ? {}
    : { examples: Object.fromEntries(calls.map((call) => [call.name, { summary: call.summary, value: value(call) }])) }

const callsOf = (operationId: string): Example[] => examples[operationId]?.calls ?? []

/** The examples of an operation's JSON body, for its media type in OpenAPI. */
export const bodyExamples = (operationId: string) =>
  shown(
    callsOf(operationId).filter(({ request }) => request.body !== undefined),
    ({ request }) => request.body,
  )

/** The examples of an operation's answers with this status. */
export const answerExamples = (operationId: string, status: number) =>
  shown(
    callsOf(operationId).filter((call) => call.status === status && call.answer !== null),
    ({ answer }) => answer,
  )

/** The examples of refusals: the operation's own, else the one that all operations share. */
export function refusalExamples(operationId: string, codes: readonly string[]) {
  const own = examples[operationId]?.refusals ?? {}
  const found = codes.flatMap((code): [string, Shown][] => {
    if (own[code]) return [[code, { value: own[code] }]]
    return errorExamples[code] ? [[code, { $ref: `#/components/examples/${code}` }]] : []
  })
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) }
}

/** What the first example sends as a parameter; undefined if it leaves the parameter out. */
export function parameterExample(operationId: string, where: 'path' | 'query', name: string) {
  const [first] = callsOf(operationId)
  return where === 'path' ? first?.request.params?.[name] : first?.request.query?.[name]
}

/** The shared examples of refusals, for the components of a document. */
export const sharedExamples = (): Json =>
  Object.fromEntries(
    Object.entries(errorExamples)
      .filter(([code]) => isErrorCode(code))
      .map(([code, value]) => [code, { value }]),
  )
