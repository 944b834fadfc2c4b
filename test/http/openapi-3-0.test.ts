import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { errorExamples, examples } from '../../api/http/examples.ts'
import { openApiDocument } from '../../api/http/openapi.ts'
import { asOpenApi30 } from '../../api/http/openapi-3-0.ts'
import { operationIdOf } from '../../api/http/operation-id.ts'
import { operations } from '../../api/operations.ts'
import { errorCodes, isErrorCode } from '../../domain/refusal.ts'
import { isRecord } from '../../domain/narrow.ts'

// The form of 3.0 says what the 3.1 document says, in words that generators know. That they do is proved by
// `npm run proof -- generated-clients`, which needs their languages.
type Json = Record<string, unknown>
type Media = { schema: Json }
type Described = {
  operationId: string
  parameters: Json[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Json> }
}
const source = openApiDocument(operations, 'http://127.0.0.1') as Document
const document = asOpenApi30(source) as Document

/** Every schema of a document, with its place. Examples are none. */
function* schemasIn(part: unknown, place: string, isSchema = false): Generator<[place: string, schema: Json]> {
  if (Array.isArray(part)) for (const [at, one] of part.entries()) yield* schemasIn(one, `${place}/${at}`, isSchema)
  if (!isRecord(part)) return
  if (isSchema) yield [place, part]
  for (const [key, value] of Object.entries(part)) {
    const inner = `${place}/${key}`
    if (isSchema && key === 'properties') {
      for (const [name, field] of Object.entries(value as Json)) yield* schemasIn(field, `${inner}/${name}`, true)
    } else if (place.endsWith('/components') && key === 'schemas') {
      for (const [name, named] of Object.entries(value as Json)) yield* schemasIn(named, `${inner}/${name}`, true)
    } else if (!['example', 'examples', 'enum'].includes(key)) {
      yield* schemasIn(value, inner, isSchema ? key !== 'discriminator' : key === 'schema')
    }
  }
}
const all = [...schemasIn({ paths: document.paths, components: document.components }, '')]

test('it has the same operations with the same parameters, bodies and answers', () => {
  assert.equal(document.openapi, '3.0.3')
  assert.ok(!('webhooks' in document))
  const shapeOf = ({ paths }: Document) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]) => ({
        operationId,
        path,
        method,
        parameters: parameters.map(({ name, in: where, required }) => ({ name, where, required })),
        body: Object.keys(requestBody?.content ?? {}),
        answers: Object.entries(responses).map(([status, { content }]) => [status, Object.keys(content ?? {})]),
      })),
    )
  assert.deepEqual(shapeOf(document), shapeOf(source))
})

test('each named schema has the same fields, required or not, and may be null where it may be', () => {
  const names = Object.keys(document.components.schemas)
  assert.ok(names.length > 200, `${names.length}`)
  for (const name of names) {
    const [now, before] = [document.components.schemas[name] ?? {}, source.components.schemas[name] ?? {}]
    assert.deepEqual(now['required'], before['required'], name)
    const [fields, were] = [now['properties'] ?? {}, before['properties'] ?? {}] as [Json, Json]
    assert.deepEqual(Object.keys(fields), Object.keys(were), name)
    for (const [field, schema] of Object.entries(fields as Record<string, Json>)) {
      const { type, oneOf } = were[field] as { type?: string | string[]; oneOf?: Json[] }
      const wasNullable = type?.includes('null') || oneOf?.some((branch) => branch['type'] === 'null') || false
      assert.equal(schema['nullable'] ?? false, wasNullable, `${name}.${field}`)
    }
  }
})

/** Keywords of 3.1, and those of 3.0 that a generator is known to read wrongly. */
const unknownToGenerators = {
  if: 'is not in 3.0',
  else: 'is not in 3.0',
  not: 'is read as an empty class',
  const: 'is not in 3.0',
  propertyNames: 'is not in 3.0',
  patternProperties: 'is not in 3.0',
  contentMediaType: 'is not in 3.0',
  examples: 'is not in 3.0',
  anyOf: 'is read as one class with all fields',
  uniqueItems: 'makes a set of enums in Java that does not compile',
}

test('no schema has a keyword, a type or a union that generators do not read', () => {
  assert.ok(all.length > 2_000, `${all.length}`)
  for (const [place, schema] of all) {
    for (const [keyword, why] of Object.entries(unknownToGenerators)) {
      assert.ok(!(keyword in schema), `${place}: ${keyword} ${why}`)
    }
    const { type, $ref, oneOf, allOf } = schema
    assert.ok(type === undefined || (typeof type === 'string' && type !== 'null'), `${place}: ${String(type)}`)
    assert.ok($ref === undefined || Object.keys(schema).length === 1, `${place}: a reference stands alone`)
    const branches = [oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : [])) as Json[]
    assert.ok(
      branches.every((branch) => '$ref' in branch),
      `${place}: a branch has no name`,
    )
    assert.notEqual(branches.length === 1 && oneOf !== undefined, true, `${place}: a union of one`)
  }
})

test('a union whose branches name their kind says by which field they are told apart', () => {
  const told = all.filter(([, { discriminator }]) => discriminator !== undefined)
  assert.deepEqual(
    told.map(([place]) => place),
    ['PublicCheckoutSession', 'PaymentAttempt'].map((name) => `/components/schemas/${name}/properties/next_action`),
  )
  for (const [place, { oneOf, discriminator }] of told) {
    const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Record<string, string> }
    const references = (oneOf as { $ref: string }[]).map(({ $ref }) => $ref)
    assert.deepEqual(Object.values(mapping), references, place)
    for (const [word, $ref] of Object.entries(mapping)) {
      const named = document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {}
      assert.deepEqual((named['properties'] as Record<string, Json>)[propertyName]?.['enum'], [word], $ref)
    }
  }
})

test('only what is sent has fewer ways to write the same; what is answered has every one', () => {
  const isShortened = ({ oneOf }: Json) =>
    Array.isArray(oneOf) && oneOf.length > 2 && oneOf.some(({ type }: Json) => type === 'array' || type === 'object')
  const shortened = [...schemasIn({ components: source.components }, '')].flatMap(([place, schema]) =>
    isShortened(schema) ? [place.split('/')[3] ?? ''] : [],
  )
  assert.ok(shortened.includes('AttachToTestClock') && shortened.includes('ChangeProduct'), shortened.join())
  const answered = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (answered.has(name)) continue
      answered.add(name)
      follow(source.components.schemas[name])
    }
  }
  for (const methods of Object.values(source.paths)) {
    for (const { responses } of Object.values(methods)) follow(responses)
  }
  assert.deepEqual(
    shortened.filter((name) => answered.has(name)),
    [],
  )
})

/** A schema as generators read it: null beside a reference too. Objects have no field that is not named. */
function asRead(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asRead)
  if (!isRecord(schema)) return schema
  const { $ref, nullable, example: _, discriminator: __, enum: values, ...rest } = schema
  if (typeof $ref === 'string') return asRead(document.components.schemas[$ref.replace('#/components/schemas/', '')])
  const inner: Json = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'properties'
        ? Object.fromEntries(Object.entries(value as Json).map(([name, field]) => [name, asRead(field)]))
        : asRead(value),
    ]),
  )
  const isClosed = 'properties' in inner && !('additionalProperties' in inner)
  const plain = {
    ...inner,
    ...(values !== undefined && { enum: values }),
    ...(isClosed && { additionalProperties: false }),
  }
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
}

const faultsIn = (schema: Json, value: unknown): string[] => {
  const validator = Compile(asRead(schema) as TSchema)
  return validator.Check(value)
    ? []
    : validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('each recorded request, answer and refusal is one that it describes', () => {
  let checked = 0
  const check = (content: Record<string, Media> | undefined, value: unknown, what: string) => {
    const media = content?.['application/json']
    assert.ok(media, what)
    checked += 1
    assert.deepEqual(faultsIn(media.schema, value), [], what)
  }
  for (const { path, method, ...operation } of operations.filter(({ forStaff }) => forStaff !== true)) {
    const described = document.paths[path]?.[method]
    assert.ok(described, path)
    const { requestBody, responses } = described
    const { calls, refusals } = examples[operationIdOf({ path, method, ...operation })] ?? { calls: [], refusals: {} }
    for (const { name, request, status, answer } of calls) {
      if (request.body && !operation.takesFile) check(requestBody?.content, request.body, `${path} ${name} is sent`)
      if (answer !== null) check(responses[status]?.content, answer, `${path} ${name} is answered`)
    }
    for (const [code, body] of Object.entries(refusals)) {
      assert.ok(isErrorCode(code))
      check(responses[errorCodes[code]]?.content, body, `${path} ${code}`)
    }
  }
  assert.ok(checked > 300, `${checked}`)
  for (const body of Object.values(errorExamples)) {
    assert.deepEqual(faultsIn({ $ref: '#/components/schemas/Error' }, body), [])
  }
})
