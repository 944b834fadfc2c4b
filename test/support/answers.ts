import assert from 'node:assert/strict'
import type Koa from 'koa'
import type { Context, Next } from 'koa'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { openApiDocument } from '../../api/http/openapi.ts'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { createApp } from '../../api/http/server.ts'

// Every answer that a test gets is held against the OpenAPI document: its status, its headers, the type of its content
// and its body, field by field. The servers of a test's own process look at each answer before they send it, whoever
// has asked: a merchant, a page, a browser. `call` looks at what it gets from the processes of a deployment.

/** What was answered, wherever it is seen. `text` is the whole body. */
export type Answer = { status: number; header(name: string): string | null; text: string }

type Json = Record<string, unknown>
type Shown = { description: string; content: Record<string, { schema: Json }>; headers?: Record<string, Json> }
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Shown> }>>
  components: { schemas: Record<string, Json>; headers: Record<string, Json> }
}
/** What one operation may answer with one status. */
type Expected = { shown: Shown; validator: Validator; headers: { name: string; required: boolean; is: Validator }[] }

const { paths, components } = openApiDocument(operations, 'http://127.0.0.1') as unknown as Document
const routes = operations.map((operation) => ({ operation, pattern: patternOf(operation.path) }))
const compiled = new Map<string, Expected>()
const error = Compile(closed({ $ref: '#/components/schemas/Error' }) as TSchema)

/** As the router reads paths: without regard to case, and with or without a slash at the end. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i')
}

/** What is wrong with an answer to a call of `path`, which may have a query; null when nothing is. */
export function answerProblem(method: string, path: string, answer: Answer): string | null {
  const { pathname } = new URL(path, 'http://127.0.0.1')
  const asked = method.toLowerCase()
  const isNamed = operations.some((operation) => operation.path === pathname) // then it is nothing else besides
  const route = routes.find(
    ({ operation, pattern }) =>
      operation.method === asked && (isNamed ? operation.path === pathname : pattern.test(pathname)),
  )
  if (asked === 'head' || asked === 'options') return null // these have no body of their own
  const fieldError = route ? knownAnswerProblem(route.operation, answer) : unknownAnswerProblem(pathname, answer)
  return fieldError === null
    ? null
    : `${method} ${route?.operation.path ?? pathname} answers ${answer.status}: ${fieldError}`
}

function knownAnswerProblem(operation: Operation, answer: Answer): string | null {
  const expected = expectedOf(operation, answer.status)
  if (!expected) return `the status is not documented; the body is ${answer.text}`
  const { shown, validator, headers } = expected
  const value = bodyOf(answer)
  if (value === undefined) return `it is no JSON: ${answer.header('content-type')} ${answer.text}`
  if (!validator.Check(value)) return `${complaintOf(validator, value)} in ${answer.text}`
  const { error_code: code } = value as { error_code?: string }
  const isDocumented = answer.status < 400 || shown.description.split(/\W+/).includes(String(code))
  if (!isDocumented) return `${code} is not documented for it, but ${shown.description}`
  for (const { name, required, is } of headers) {
    const sent = answer.header(name)
    if (sent === null ? required : !is.Check(read(sent))) return `${name} is ${sent}`
  }
  return null
}

const complaintOf = (validator: Validator, value: unknown): string =>
  validator
    .Errors(value)
    .map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
    .join('; ')

/** Where there is no operation there is nothing but the error object. What is no part of the API is no matter here. */
function unknownAnswerProblem(pathname: string, answer: Answer): string | null {
  if (!/^\/(v1|api)(\/|$)/.test(pathname)) return null
  const isError = answer.status >= 400 && error.Check(bodyOf(answer))
  return isError ? null : `there is no such operation, and no error object: ${answer.text}`
}

function expectedOf({ method, path }: Operation, status: number): Expected | null {
  const shown = paths[path]?.[method]?.responses[status]
  const schema = shown?.content['application/json']?.schema
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

/** A header's value as its schema may have it: a number where it is one. */
const read = (sent: string): unknown => (/^\d+$/.test(sent) ? Number(sent) : sent)

/** Undefined when it is not the JSON that it has to be. */
function bodyOf({ header, text }: Answer): unknown {
  if (!/^application\/json(;|$)/.test(header('content-type') ?? '')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A schema of the document with its references replaced and without room for fields that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, allOf } = schema as Json
  if (Array.isArray(allOf)) throw new Error('the parts of an intersection cannot be closed each by itself')
  if (typeof $ref === 'string') {
    const [, kind, name] = /^#\/components\/(schemas|headers)\/([\w-]+)$/.exec($ref) ?? []
    const found = components[kind as 'schemas']?.[name ?? '']
    assert.ok(found, `${$ref} leads nowhere`)
    return closed(found)
  }
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  const isOpen = inner['type'] === 'object' && 'properties' in inner && !('additionalProperties' in inner)
  return isOpen ? { ...inner, additionalProperties: false } : inner
}

const found: string[] = []

/** The errors of the answers that this process has sent, which are forgotten then. */
export const takeProblems = (): string[] => found.splice(0)

// Whoever got the answer may not have looked at it, as a page may not: then the file of tests fails as a whole.
process.on('exit', () => {
  for (const fieldError of found) console.error(`AN ANSWER IS NOT AS IT IS DESCRIBED: ${fieldError}`)
  if (found.length > 0) process.exitCode = 1
})

/** An API that answers with 500, and remembers it, where it would break its own description. */
export function createCheckedApp(...args: Parameters<typeof createApp>): Koa {
  const app = createApp(...args)
  app.middleware.unshift(checked)
  return app
}

/** Looks at each answer before it is sent; it has to be the first to be asked. */
export async function checked(ctx: Context, next: Next): Promise<void> {
  await next()
  const text = typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body) ? ctx.body.toString() : ''
  const header = (name: string) => ctx.response.get(name) || null
  const fieldError = answerProblem(ctx.method, ctx.path, { status: ctx.status, header, text })
  if (fieldError === null) return
  found.push(fieldError)
  ctx.status = 500
  ctx.type = 'application/json'
  ctx.body = JSON.stringify({ detail: fieldError, error_code: 'INTERNAL_SERVER_ERROR' })
}
