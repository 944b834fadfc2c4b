type Json = Record<string, unknown>
type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  minItems?: number
  minimum?: number
  minLength?: number
}
type Parameter = { name: string; in: 'path' | 'query' | 'header'; description?: string; schema: Schema }
type Content = Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>
type Call = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
}
/** What we read of an OpenAPI document. */
export type OpenApiDocument = {
  info: { title: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Call>>
  components: { schemas: Record<string, Schema> }
}

/** The variable that holds the credential of each scheme. A call that takes several is sent with the first. */
const variables: Record<string, string> = {
  apiKey: 'apiKey',
  user: 'accessToken',
  clientSecret: 'clientSecret',
  onboardingToken: 'onboardingToken',
  invitationToken: 'invitationToken',
  customerToken: 'customerToken',
}

/** Headers that are sent as they are; the others stand there switched off. */
const sentHeaders: Record<string, string> = { 'Idempotency-Key': '{{$guid}}' }

/**
 * A Postman collection (format 2.1) of every call of an OpenAPI document, in a folder per tag. A body is that of the
 * first recorded example; where there is none, it has the fields that are required. The description of the call lists
 * the optional fields. The address and the credentials are variables.
 */
export function postmanCollection(document: OpenApiDocument): Json {
  const { info, servers, tags, paths, components } = document
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method: method.toUpperCase(), call })),
  )
  const resolve = resolver(components.schemas)
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('apiKey'),
    variable: [
      { key: 'baseUrl', value: servers[0]?.url ?? '' },
      ...Object.values(variables).map((key) => ({ key, value: '' })),
    ],
    item: tags.map(({ name, description }) => ({
      name,
      ...(description && { description }),
      item: calls
        .filter(({ call }) => call.tags[0] === name)
        .map(({ path, method, call }) => ({ name: call.summary, request: requestOf(path, method, call, resolve) })),
    })),
  }
}

type Resolve = ReturnType<typeof resolver>

const bearer = (variable: string): Json => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
})

function requestOf(path: string, method: string, call: Call, resolve: Resolve): Json {
  const { parameters = [], requestBody, security } = call
  const [scheme] = Object.keys(security[0] ?? {})
  const body = requestBody && bodyOf(requestBody.content, resolve)
  const isJson = body?.['mode'] === 'raw'
  return {
    method,
    description: describe(call, resolve),
    auth: scheme ? bearer(variables[scheme] ?? scheme) : { type: 'noauth' },
    header: [
      ...(isJson ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ...parameters.filter((parameter) => parameter.in === 'header').map(headerOf),
    ],
    url: urlOf(path, parameters),
    ...(body && { body }),
  }
}

const headerOf = ({ name, description }: Parameter): Json => ({
  key: name,
  value: sentHeaders[name] ?? '',
  ...(description && { description }),
  ...(!(name in sentHeaders) && { disabled: true }),
})

function urlOf(path: string, parameters: Parameter[]): Json {
  const parts = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const listed = (kind: Parameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === kind)
      .map(({ name, description }) => ({ key: name, value: '', ...(description && { description }) }))
  return {
    raw: `{{baseUrl}}/${parts}`,
    host: ['{{baseUrl}}'],
    path: parts.split('/'),
    variable: listed('path'),
    query: listed('query').map((parameter) => ({ ...parameter, disabled: true })),
  }
}

function bodyOf(content: Content, resolve: Resolve): Json {
  const json = content['application/json']
  if (!json) return { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: [] }] }
  const [recorded] = Object.values(json.examples ?? {})
  const raw = JSON.stringify(recorded?.value ?? exampleOf(json.schema, resolve), null, 2)
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } }
}

/** What a call does, and the fields of its body that are optional. */
function describe({ description = '', requestBody }: Call, resolve: Resolve): string {
  const schema = requestBody?.content['application/json']?.schema
  const { properties = {}, required = [] } = schema ? resolve(schema) : {}
  const optional = Object.entries(properties).filter(([name]) => !required.includes(name))
  const lines = optional.map(([name, field]) => `- \`${name}\`: ${(field.description ?? '').replaceAll('\n', ' ')}`)
  return [description, ...(lines.length > 0 ? [`Optional fields:\n\n${lines.join('\n')}`] : [])].join('\n\n').trim()
}

/** Reads a schema: what its reference names, and of several forms the first. */
const resolver = (schemas: Record<string, Schema>) =>
  function resolve(schema: Schema): Schema {
    const { $ref: reference, oneOf, anyOf, allOf, ...rest } = schema
    const named = reference ? resolve(schemas[reference.split('/').at(-1) ?? ''] ?? {}) : {}
    const first = oneOf?.[0] ?? anyOf?.[0]
    const parts = [named, ...(first ? [resolve(first)] : []), ...(allOf ?? []).map(resolve), rest]
    const required = parts.flatMap((part) => part.required ?? [])
    const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, Schema>
    return { ...Object.assign({}, ...parts), required, properties }
  }

/** An example of a schema with what it requires, and nothing else. */
function exampleOf(schema: Schema, resolve: Resolve): unknown {
  const { const: fixed, enum: values, examples, type, properties = {}, required = [], ...rest } = resolve(schema)
  if (fixed !== undefined) return fixed
  if (examples?.[0] !== undefined) return examples[0]
  if (values?.[0] !== undefined) return values[0]
  switch ([type].flat()[0]) {
    case 'string':
      return 'example'.padEnd(rest.minLength ?? 0, '-')
    case 'integer':
    case 'number':
      return rest.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: rest.minItems ?? 1 }, () => exampleOf(rest.items ?? {}, resolve))
    default: {
      const fields = required.map((name) => [name, exampleOf(properties[name] ?? {}, resolve)])
      return Object.fromEntries(fields)
    }
  }
}
