import assert from 'node:assert/strict'
import type Koa from 'koa'
import type { Context, Next } from 'koa'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { contentTypeOf, type FileType, type Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { createApp } from '../../api/http/server.ts'
import { everyDocument } from './openapi-document.ts'

// Every answer in the tests is compared with the OpenAPI document: its status, its headers, its content type and its
// body, field by field. Servers in the test's own process check each answer before they send it, whoever called: a
// merchant, a page or a browser. `call` checks the answers of deployed processes.

/** An answer, as a server sends it or as a client gets it. `text` is the whole body. */
export type Answer = { status: number; header(name: string): string | null; text: string }

type Json = Record<string, unknown>
type Shown = { description: string; content: Record<string, { schema: Json }>; headers?: Record<string, Json> }
/** The answer that one operation may give with one status. */
type Expected = { shown: Shown; validator: Validator; headers: { name: string; required: boolean; is: Validator }[] }

const { paths, components } = everyDocument<{ responses: Record<string, Shown> }>()
const named = new Set(operations.map(({ path }) => path))
const routesBy = Map.groupBy(
  operations.map((operation) => ({ operation, pattern: patternOf(operation.path) })),
  ({ operation }) => operation.method as string,
)
const compiled = new Map<string, Expected>()
const error = Compile(closed({ $ref: '#/components/schemas/Error' }) as TSchema)

/** Matches paths as the router does: in any case, and with or without a slash at the end. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i')
}

/** What is wrong with an answer to a call of `path`, which may have a query; null if nothing is. */
export function answerProblem(method: string, path: string, answer: Answer): string | null {
  const { pathname } = new URL(path, 'http://127.0.0.1')
  const called = method.toLowerCase()
  const isNamed = named.has(pathname) // then no pattern counts
  const route = routesBy
    .get(called)
    ?.find(({ operation, pattern }) => (isNamed ? operation.path === pathname : pattern.test(pathname)))
  if (called === 'head' || called === 'options') return null // these have no body
  const problem = route ? knownAnswerProblem(route.operation, answer) : unknownAnswerProblem(pathname, answer)
  return problem === null ? null : `${method} ${route?.operation.path ?? pathname} answers ${answer.status}: ${problem}`
}

function knownAnswerProblem(operation: Operation, answer: Answer): string | null {
  const expected = expectedOf(operation, answer.status)
  if (!expected) return `the status is not documented; the body is ${answer.text}`
  const { shown, validator, headers } = expected
  const fileType = answer.status < 300 ? operation.returnsFile : undefined
  if (operation.returnsStream && answer.status < 300) return streamProblem(answer, operation.returnsStream, validator)
  const value = fileType ? fileOf(answer, fileType) : bodyOf(answer)
  if (value === undefined && fileType) return `it is no ${fileType}: ${answer.header('content-type')}`
  if (value === undefined) return `it is no JSON: ${answer.header('content-type')} ${answer.text}`
  if (!validator.Check(value)) return `${complaintOf(validator, value)} in ${answer.text}`
  const { error_code: code } = value as { error_code?: string }
  const isDocumented = answer.status < 400 || shown.description.split(/\W+/).includes(String(code))
  if (!isDocumented) return `${code} is not documented for it, but ${shown.description}`
  const unnamed = answer.status < 400 ? null : unnamedEnum(value)
  if (unnamed) return `an error of an enumeration names no allowed values: ${unnamed}`
  for (const { name, required, is } of headers) {
    const sent = answer.header(name)
    if (sent === null ? required : !is.Check(read(sent))) return `${name} is ${sent}`
  }
  return null
}

/** The entry of an error that refuses a value of an enumeration, and does not say which values are allowed. */
function unnamedEnum(value: unknown): string | null {
  const { errors } = value as { errors?: { message: string; type: string }[] }
  const entry = errors?.find(({ message, type }) => type === 'value_error.enum' && !/\bmust be \w/.test(message))
  return entry ? JSON.stringify(entry) : null
}

/** What is wrong with a stream: it is of its type, and each of its events as described. */
function streamProblem({ header, text }: Answer, type: string, validator: Validator): string | null {
  if (header('content-type') !== type) return `it is no ${type}: ${header('content-type')}`
  for (const block of text.split('\n\n').filter((each) => /^data: /m.test(each))) {
    const event = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
    if (!validator.Check(event)) return `${complaintOf(validator, event)} in ${block}`
  }
  return null
}

const complaintOf = (validator: Validator, value: unknown): string =>
  validator
    .Errors(value)
    .map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
    .join('; ')

/** A path of the API without an operation must answer with the error object. Other paths are not checked. */
function unknownAnswerProblem(pathname: string, answer: Answer): string | null {
  if (!/^\/(v1|api)(\/|$)/.test(pathname)) return null
  const isError = answer.status >= 400 && error.Check(bodyOf(answer))
  return isError ? null : `there is no such operation, and no error object: ${answer.text}`
}

function expectedOf(operation: Operation, status: number): Expected | null {
  const { method, path } = operation
  const shown = paths[path]?.[method]?.responses[status]
  const type = status < 300 ? contentTypeOf(operation) : 'application/json'
  const schema = shown?.content[type]?.schema
  if (!shown || !schema) return null
  const key = `${method} ${path} ${status}`
  const known = compiled.get(key)
  if (known) return known
  const headers = Object.entries(shown.headers ?? {}).map(([name, header]) => {
    const { required = false, schema: shape } = closed(header) as { required?: boolean; schema: TSchema }
    return { name, required, is: Compile(shape) }
  })
  const expected = { shown, headers, validator: Compile(closed(schema) as TSchema) }
  compiled.set(key, expected)
  return expected
}

/** A header's value for its schema: a number if it is written as one. */
const read = (sent: string): unknown => (/^\d+$/.test(sent) ? Number(sent) : sent)

/** The text of a PDF; undefined if it is none. */
const fileOf = ({ header, text }: Answer, type: FileType): string | undefined =>
  header('content-type') === type && text.startsWith('%PDF-') ? text : undefined

/** The parsed body; undefined if it is not JSON. */
function bodyOf({ header, text }: Answer): unknown {
  if (!/^application\/json(;|$)/.test(header('content-type') ?? '')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A schema of the document with its references replaced, which allows no field that it does not name. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, allOf } = schema as Json
  if (Array.isArray(allOf)) throw new Error('the parts of an intersection cannot be closed one by one')
  if (typeof $ref === 'string') {
    const [, kind, name] = /^#\/components\/(schemas|headers)\/([\w-]+)$/.exec($ref) ?? []
    const found = components[kind as 'schemas']?.[name ?? '']
    assert.ok(found, `${$ref} does not exist`)
    return closed(found)
  }
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  const isOpen =
    [inner['type']].flat().includes('object') && 'properties' in inner && !('additionalProperties' in inner)
  return isOpen ? { ...inner, additionalProperties: false } : inner
}

const found: string[] = []

/** Returns and clears the problems with answers that this process has sent. */
export const takeProblems = (): string[] => found.splice(0)

// The client may not check the answer, as a page does not: then the whole test file fails.
process.on('exit', () => {
  for (const problem of found) console.error(`AN ANSWER IS NOT AS IT IS DESCRIBED: ${problem}`)
  if (found.length > 0) process.exitCode = 1
})

/** An API that answers 500, and remembers it, in place of an answer that does not match its description. */
export function createCheckedApp(...args: Parameters<typeof createApp>): Koa {
  const app = createApp(...args)
  app.middleware.unshift(checked)
  return app
}

/**
 * Checks each answer before it is sent; it must be the first middleware. A script of a test uses it too, which no
 * import shows.
 */
export async function checked(ctx: Context, next: Next): Promise<void> {
  await next()
  const text = typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body) ? ctx.body.toString() : ''
  const header = (name: string) => ctx.response.get(name) || null
  const problem = answerProblem(ctx.method, ctx.path, { status: ctx.status, header, text })
  if (problem === null) return
  found.push(problem)
  ctx.status = 500
  ctx.type = 'application/json'
  ctx.body = JSON.stringify({ detail: problem, error_code: 'INTERNAL_SERVER_ERROR' })
}
