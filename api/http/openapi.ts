import Type, { type TSchema } from 'typebox'
import { type ErrorCode, errorCodes } from '../../domain/refusal.ts'
import { ErrorObject, id, nullable, Timestamp } from '../../schemas/common.ts'
import { environments } from '../../domain/access/scope.ts'
import { eventMeanings, type EventType, eventTypes } from '../../domain/webhook/event.ts'
import { eventPayloads } from '../../schemas/event.ts'
import { exampleEvent } from '../../schemas/event-example.ts'
import { withMeanings } from './field-meaning.ts'
import { answerDescription, existingDescription } from './answer-description.ts'
import { answerHeaders, headersOf } from './answer-headers.ts'
import { answerExamples, bodyExamples, parameterExample, refusalExamples, sharedExamples } from './examples.ts'
import { type Shape as Described, takesNull } from './normalize-input.ts'
import { operationIdOf } from './operation-id.ts'
import {
  contentTypeOf,
  needsAccount,
  needsBody,
  type Operation,
  takesAccountId,
  takesEnvironment,
  takesKey,
} from './operation.ts'
import { commonRefusals } from './perform.ts'
import { scopesInWords } from './needed-scopes.ts'
import { hoist } from './openapi-schema.ts'

type Json = Record<string, unknown>

/** Who calls the operations of a document: merchants with their buyers and customers, or staff of the platform. */
export type Audience = 'merchants' | 'staff'

/**
 * The OpenAPI 3.1 document of an audience, made from the same declarations as the routes. `tagDescriptions` are in
 * Markdown.
 */
export function openApiDocument(
  operations: readonly Operation[],
  serverUrl: string,
  tagDescriptions: Readonly<Record<string, string>> = {},
  audience: Audience = 'merchants',
): Json {
  const components: Record<string, unknown> = {}
  const shape = (schema: TSchema): unknown => hoist(JSON.parse(JSON.stringify(schema)), components)
  const called = operations.filter(({ forStaff }) => (forStaff === true) === (audience === 'staff'))
  const paths: Record<string, Json> = {}
  for (const operation of called) {
    const path = (paths[operation.path] ??= {})
    path[operation.method] = describe(operation, shape)
  }
  shape(withMeanings(ErrorObject, 'Error'))
  const webhooks = audience === 'merchants' ? { webhooks: webhooksIn(shape) } : {}
  return {
    openapi: '3.1.0',
    info: { ...about[audience], version: '1.0.0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    tags: [...new Set(called.map(({ tag }) => tag))].map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    ...webhooks,
    components: { schemas: components, headers: answerHeaders, examples: sharedExamples(), securitySchemes },
  }
}

const webhooksIn = (shape: Shape): Json =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: describeWebhook(type, eventPayloads[type], shape) }]))

const about: Record<Audience, { title: string; description: string }> = {
  merchants: {
    title: 'steadypay',
    description:
      'Payments and payouts. Amounts are decimal strings; every error has the same shape. ' +
      'A body slower than 4 KB a second, after 10 seconds, is answered with 400 VALIDATION_ERROR. ' +
      'A method that a path does not have is answered with 405 METHOD_NOT_ALLOWED and the header Allow.',
  },
  staff: {
    title: 'steadypay for staff',
    description:
      'What staff of the platform decide and repair. Staff log in like every person: by the operations under Login ' +
      'in the document for merchants, `/openapi.json`.',
  },
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A secret API key: sk_sandbox_… or sk_live_….' },
  user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a person who has logged in.',
  },
  clientSecret: {
    type: 'http',
    scheme: 'bearer',
    description: 'The client secret of one checkout session. Pages of every origin may call with it (CORS).',
  },
  onboardingToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of an onboarding link: os_…_secret_…. It opens one account’s information for an hour.',
  },
  invitationToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of an invitation: ti_…_secret_…. Its link was mailed; it works for 7 days and once.',
  },
  customerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a customer session: cs_…_secret_…. It opens one customer’s portal for an hour.',
  },
}

const filesAtATime =
  ' An organization sends at most 8 files at a time; further ones are answered with 429 TOO_MANY_REQUESTS.'

type Shape = (schema: TSchema) => unknown

function describe(operation: Operation, shape: Shape): Json {
  const { summary, tag, auth, body } = operation
  const contentType = operation.takesFile ? 'multipart/form-data' : 'application/json'
  const headers = [
    ...(takesKey(operation) ? [idempotencyKey] : []),
    ...(takesAccountId(operation) ? [accountId] : []),
    ...(takesEnvironment(operation) ? [environment] : []),
    ...(operation.returnsStream ? [lastEventId] : []),
  ]
  const operationId = operationIdOf(operation)
  const samples = operation.takesFile ? {} : bodyExamples(operationId)
  const needed = scopesInWords(operation)
  return {
    operationId,
    summary,
    tags: [tag],
    ...(needed && { description: `${needed}${operation.takesFile ? filesAtATime : ''}` }),
    security: auth.map((credential) => (credential === 'none' ? {} : { [credential]: [] })),
    parameters: [...parameters(operation, shape), ...headers],
    ...(body && {
      requestBody: {
        required: needsBody(operation),
        content: { [contentType]: { schema: shape(asTaken(withMeanings(body, 'Body'))), ...samples } },
      },
    }),
    responses: { ...ok(operation, shape), ...refusals(operation) },
  }
}

/** The schema of a body as callers may send it: null for an optional field is the same as leaving it out. */
function asTaken(schema: TSchema): TSchema {
  const { properties, required = [], anyOf, items, patternProperties }: Described = schema
  const ofFields = ([name, inner]: [string, TSchema]) =>
    [name, required.includes(name) ? asTaken(inner) : asOptional(inner)] as const
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(ofFields)) }),
    ...(patternProperties && {
      patternProperties: Object.fromEntries(
        Object.entries(patternProperties).map(([name, inner]) => [name, asTaken(inner)]),
      ),
    }),
    ...(anyOf && { anyOf: anyOf.map(asTaken) }),
    ...(items && { items: asTaken(items) }),
  }
}

/** An optional field as callers may send it. Its description names the default: a `default` would make it required. */
function asOptional(schema: TSchema): TSchema {
  const { default: given, description, ...rest }: Described & { default?: unknown; description?: string } = schema
  const defaults = given === undefined ? [] : [`If left out: \`${JSON.stringify(given).replaceAll('"', '')}\`.`]
  const texts = [...(description ? [description] : []), ...defaults]
  const accepted = asTaken({ ...rest, ...(texts.length > 0 && { description: texts.join(' ') }) })
  const takesAny = rest.type === undefined && !rest.anyOf && !('enum' in rest)
  return takesAny || takesNull(schema) ? accepted : nullable(accepted)
}

function ok(operation: Operation, shape: Shape): Json {
  const [status, schema] = operation.returns
  const headers = headersOf(operation, status)
  const shown = shape(withMeanings(schema, 'Answer'))
  const contentOf = (shownStatus: number) => ({
    [contentTypeOf(operation)]: {
      schema: shown,
      ...answerExamples(operationIdOf(operation), shownStatus),
    },
  })
  const existing = { description: existingDescription(operation), headers, content: contentOf(200) }
  return {
    [status]: { description: answerDescription(operation), headers, content: contentOf(status) },
    ...(operation.findsExisting && { 200: existing }),
  }
}

function refusals(operation: Operation): Json {
  const { auth, scope, refuses } = operation
  const codes = new Set<ErrorCode>([...commonRefusals, ...refuses])
  if (!auth.includes('none')) codes.add('UNAUTHORIZED').add('NOT_FOUND') // the latter for a foreign X-Account-Id
  if (scope) codes.add('FORBIDDEN')
  if (auth.includes('user') && needsAccount(operation)) codes.add('FORBIDDEN')
  if (takesKey(operation)) codes.add('CONFLICT')
  const byStatus = Map.groupBy([...codes], (code) => errorCodes[code])
  const schema = { $ref: '#/components/schemas/Error' }
  const contentOf = (named: ErrorCode[]) => ({
    'application/json': { schema, ...refusalExamples(operationIdOf(operation), named) },
  })
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      { description: named.join(', '), headers: headersOf(operation, status), content: contentOf(named) },
    ]),
  )
}

type Named = { properties?: Record<string, TSchema & { description?: string }>; required?: string[] }

function parameters(operation: Operation, shape: Shape): Json[] {
  const { path, params, query } = operation
  const named = (schema: TSchema | undefined, where: 'path' | 'query', owner: string): Json[] => {
    const { properties = {}, required = [] }: Named = schema ? withMeanings(schema, owner) : {}
    return Object.entries(properties).map(([name, { description, ...property }]) => ({
      name,
      in: where,
      description,
      schema: shape(property),
      example: parameterExample(operationIdOf(operation), where, name),
      ...((where === 'path' ? path.includes(`{${name}}`) : required.includes(name)) && { required: true }),
    }))
  }
  return [...named(params, 'path', 'Path'), ...named(query, 'query', 'Query')]
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours, the same key and body get the same answer, without a second effect.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
}

const accountId = {
  name: 'X-Account-Id',
  in: 'header',
  description: 'Acts for a connected account that the caller owns.',
  schema: { type: 'string', minLength: 1 }, // an empty header is refused
}

const environment = {
  name: 'X-Environment',
  in: 'header',
  description:
    'For a person: the environment that the call is about. Left out, it is `live` once the organization is activated.',
  schema: { type: 'string', enum: [...environments] },
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'Goes on after the event with this id. Browsers send it when they come back. Unless empty, it wins over `after`.',
  schema: { type: 'string', pattern: '^[0-9]{0,15}$' },
}

/** What every event has. Only an event of a connected account has its id, so that the platform sees whose it is. */
const envelope = { id: Type.String(), created_at: Timestamp, account_id: Type.Optional(id('acct')) }

/** A webhook, whose body is a schema with a name: `PayoutPaidEvent`. */
const describeWebhook = (type: EventType, data: TSchema, shape: Shape): Json => {
  const group = type.slice(0, type.lastIndexOf('.'))
  const name = type.split(/[._]/).map(capitalized).join('')
  const fields = Type.Object({ ...envelope, type: Type.Literal(type), data: withMeanings(data, group) })
  const named = { $id: `${name}Event`, description: `Sent when ${eventMeanings[type]}.` }
  return {
    operationId: `on${name}`,
    summary: `The event ${type}`,
    description: `Sent when ${eventMeanings[type]}.`,
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: shape({ ...withMeanings(fields, 'Event'), ...named }),
          example: exampleEvent(type),
        },
      },
    },
    responses: { 200: { description: 'Received' }, '4XX': { description: 'Not accepted; it is sent again.' } },
  }
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
