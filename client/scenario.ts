import { readFileSync } from 'node:fs'
import type { Static } from 'typebox'
import { isRecord } from '../domain/narrow.ts'
import type { RanScenario } from '../schemas/sandbox/scenario.ts'
import type { Answer, Api } from './api.ts'
import { clockTimeoutMs, happenedLines } from './clocks.ts'
import { Failure, type FieldError } from './failure.ts'
import { type Output, paint, plain, shortTime, type Style } from './output.ts'
import { type Column, tableOf } from './table.ts'

type Ran = Static<typeof RanScenario>
type Step = Ran['steps'][number]

/** Runs the scenario of a file, and shows its steps and all that happened. Fails if a step has failed. */
export async function runScenario({ call }: Api, output: Output, file: string): Promise<void> {
  const { expects: _, ...body } = readScenario(file)
  const path = '/v1/test-helpers/scenarios'
  const ran = await call<Ran>({ method: 'POST', path, body, timeoutMs: clockTimeoutMs })
  output.show(ran, () => [
    `${paint('bold', plain(ran.clock_id))}  ${shortTime(ran.frozen_time)} UTC`,
    '',
    ...tableOf(ran.steps, stepColumns),
    '',
    ...(ran.events.length === 0 ? ['No events.'] : tableOf(ran.events, eventColumns)),
    '',
    ...happenedLines(ran.happened),
  ])
  const failed = ran.steps.find(({ status }) => status === 'failed')
  if (failed?.error) throw failureOf(failed, failed.error)
}

/** A scenario as the file has it. The service checks what is in it. */
function readScenario(file: string): Answer {
  const text = readText(file)
  try {
    const read: unknown = JSON.parse(text)
    if (isRecord(read) && !Array.isArray(read)) return read
  } catch {
    // it is refused below, as anything else that is no object
  }
  throw new Failure('NO_SCENARIO', `${file} holds no JSON object.`)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure('NO_SCENARIO', `${file} cannot be read${code ? ` (${code})` : ''}.`)
  }
}

const failureOf = ({ index, kind }: Step, { detail, error_code, errors = [] }: Refused): Failure =>
  new Failure(error_code, `Step ${index} (${kind}) failed: ${detail}`, errors)
type Refused = { detail: string; error_code: string; errors?: FieldError[] }

const styles: Record<Step['status'], Style> = { done: 'green', failed: 'red', skipped: 'dim' }

const stepColumns: readonly Column<Step>[] = [
  { heading: 'step', textOf: ({ index }) => String(index) },
  { heading: 'kind', textOf: ({ kind }) => kind },
  { heading: 'status', textOf: ({ status }) => status, styleOf: ({ status }) => styles[status] },
  { heading: 'time (UTC)', textOf: ({ at }) => at && shortTime(at) },
  { heading: 'error', textOf: ({ error }) => error?.error_code ?? null, styleOf: () => 'red' },
]

const eventColumns: readonly Column<Ran['events'][number]>[] = [
  { heading: 'time (UTC)', textOf: ({ at }) => shortTime(at) },
  { heading: 'event', textOf: ({ type }) => type },
  { heading: 'resource', textOf: ({ resource_id }) => resource_id },
]
