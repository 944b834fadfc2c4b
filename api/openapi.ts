import type { TSchema } from 'typebox'
import { type ErrorCode, errorCodes } from '../domain/refusal.ts'
import { ErrorObject } from '../schemas/common.ts'
import { eventPayloads } from '../schemas/event.ts'
import { needsAccount, type Operation, takesKey } from './operation.ts'
import { commonRefusals } from './perform.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document: made from the same declarations that the routes are made from. */
export function openApiDocument(operations: readonly Operation[], serverUrl: string): Json {
  const components: Record<string, unknown> = {}
  const shape = (schema: TSchema): unknown => hoist(JSON.parse(JSON.stringify(schema)), components)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method] = describe(operation, shape)
  }
  const webhooks = Object.fromEntries(
    Object.entries(eventPayloads).map(([type, data]) => [
      type,
      { post: describeWebhook(type, data as TSchema, shape) },
    ]),
  )
  shape(ErrorObject)
  return {
    openapi: '3.1.0',
    info: {
      title: 'steadypay',
      version: '1.0.0',
      description:
        'Payments, payouts and subscriptions. Amounts are decimal strings; every error has the same shape. ' +
        'A body slower than 4 KB a second, after 10 seconds, is answered with 400 VALIDATION_ERROR.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: { schemas: components, securitySchemes },
  }
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A secret API key: sk_sandbox_… or sk_live_….' },
  user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a person who has logged in.',
  },
  clientSecret: { type: 'http', scheme: 'bearer', description: 'The client secret of one checkout session.' },
}

const filesAtATime = ' At most 8 files of an organization at a time: more are answered with 429 TOO_MANY_REQUESTS.'

type Shape = (schema: TSchema) => unknown

function describe(operation: Operation, shape: Shape): Json {
  const { method, path, summary, tag, auth, scope, body } = operation
  const contentType = operation.takesFile ? 'multipart/form-data' : 'application/json'
  const headers = [...(takesKey(operation) ? [idempotencyKey] : []), ...(auth.includes('apiKey') ? [accountId] : [])]
  return {
    operationId:
      method +
      path
        .replaceAll(/\/(v1|api)(?=\/)/g, '')
        .replaceAll(/[^a-zA-Z]+(\w)?/g, (_, next: string) => (next ?? '').toUpperCase()),
    summary,
    tags: [tag],
    ...(scope && { description: `Needs the scope \`${scope}\`.${operation.takesFile ? filesAtATime : ''}` }),
    security: auth.map((credential) => (credential === 'none' ? {} : { [credential]: [] })),
    parameters: [...parameters(operation, shape), ...headers],
    ...(body && { requestBody: { required: true, content: { [contentType]: { schema: shape(body) } } } }),
    responses: { ...ok(operation, shape), ...refusals(operation) },
  }
}

function ok({ returns: [status, schema], findsExisting }: Operation, shape: Shape): Json {
  const content = { 'application/json': { schema: shape(schema) } }
  return {
    [status]: { description: 'Done', content },
    ...(findsExisting && { 200: { description: 'It was there already', content } }),
  }
}

function refusals(operation: Operation): Json {
  const { auth, scope, refuses } = operation
  const codes = new Set<ErrorCode>([...commonRefusals, ...refuses])
  if (!auth.includes('none')) codes.add('UNAUTHORIZED')
  if (scope) codes.add('FORBIDDEN').add('NOT_FOUND') // an X-Account-Id of somebody else
  if (auth.includes('user') && needsAccount(operation)) codes.add('FORBIDDEN')
  if (takesKey(operation)) codes.add('CONFLICT')
  const byStatus = Map.groupBy([...codes], (code) => errorCodes[code])
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [status, { description: named.join(', '), content }]),
  )
}

function parameters({ path, params, query }: Operation, shape: Shape): Json[] {
  const named = (schema: TSchema | undefined, where: string): Json[] => {
    const properties = (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}
    return Object.entries(properties).map(([name, property]) => ({
      ...{ name, in: where, schema: shape(property) },
      ...(where === 'path' && { required: path.includes(`{${name}}`) }),
    }))
  }
  return [...named(params, 'path'), ...named(query, 'query')]
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and body answer the same, for 24 hours, without a second effect.',
  schema: { type: 'string', maxLength: 255 },
}

const accountId = {
  name: 'X-Account-Id',
  in: 'header',
  description: 'Acts for a connected account that the caller owns.',
  schema: { type: 'string' },
}

const describeWebhook = (type: string, data: TSchema, shape: Shape): Json => ({
  operationId: type.replaceAll(/\.(\w)/g, (_, next: string) => next.toUpperCase()),
  summary: `The event ${type}`,
  security: [],
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['id', 'type', 'created_at', 'data'],
          properties: {
            id: { type: 'string' },
            type: { type: 'string', const: type },
            created_at: { type: 'string', format: 'date-time' },
            data: shape(data),
          },
        },
      },
    },
  },
  responses: { 200: { description: 'Received' }, '4XX': { description: 'Not accepted; it is sent again.' } },
})

/** Moves schemas that have a name into the components and leaves references to them. */
function hoist(schema: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as Json
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, hoist(value, components)]))
  if (typeof $id !== 'string') return inner
  components[$id] = inner
  return { $ref: `#/components/schemas/${$id}` }
}
