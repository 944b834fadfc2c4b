import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { withMeanings } from '../../api/http/field-meaning.ts'
import { operations } from '../../api/operations.ts'
import { ErrorObject } from '../../schemas/common.ts'
import { eventPayloads } from '../../schemas/event.ts'
import { meanings, meaningTables } from '../../schemas/meanings.ts'
import { everyDocument } from '../support/openapi-document.ts'

type Json = Record<string, unknown>
type Described = { parameters: { name: string; description?: string }[]; requestBody?: object; responses: object }
const { paths, components } = everyDocument<Described>()
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

type Field = { at: string; description: string; schema: Json }

/** Every field of a schema, at any depth. */
function* fieldsIn(value: unknown, at: string): Generator<Field> {
  if (Array.isArray(value)) for (const inner of value) yield* fieldsIn(inner, at)
  if (!isObject(value)) return
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword !== 'properties') yield* fieldsIn(inner, at)
    else
      for (const [name, schema] of Object.entries(inner as Record<string, Json>)) {
        yield { at: `${at}.${name}`, description: String(schema['description'] ?? ''), schema }
        yield* fieldsIn(schema, `${at}.${name}`)
      }
  }
}

const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ what: `${method} ${path}`, operation })),
)
const fields = [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => [...fieldsIn(schema, name)]),
  ...described.flatMap(({ what, operation }) => [
    ...fieldsIn(operation.requestBody, what),
    ...fieldsIn(operation.responses, what),
  ]),
]

test('every field of every request, answer, error and event has a description', () => {
  assert.ok(fields.length > 1_500, `${fields.length}`)
  assert.deepEqual(
    fields.filter(({ description }) => description === '').map(({ at }) => at),
    [],
  )
})

test('every parameter has a description', () => {
  const parameters = described.flatMap(({ what, operation }) =>
    operation.parameters.map(({ name, description = '' }) => ({ at: `${what} ${name}`, description })),
  )
  assert.ok(parameters.length > 500, `${parameters.length}`)
  assert.deepEqual(
    parameters.filter(({ description }) => description === '').map(({ at }) => at),
    [],
  )
})

const takesNull = ({ type, oneOf }: Json): boolean =>
  [type].flat().includes('null') || ((oneOf ?? []) as Json[]).some(takesNull)

test('a text that says when a field is null stands only at fields that may be null', () => {
  for (const { at, description, schema } of fields) {
    if (/; (else )?null\b/.test(description)) assert.ok(takesNull(schema), `${at}: ${description}`)
  }
})

test('each text of the tables is one or two short sentences, is used, and stands in one table', () => {
  const used = new Set<string>()
  const use = (schema: TSchema | undefined, owner: string) =>
    schema && withMeanings(schema, owner, (key) => used.add(key))
  for (const { body, query, params, returns } of operations) {
    use(body, 'Body')
    use(query, 'Query')
    use(params, 'Path')
    use(returns[1], 'Answer')
  }
  for (const [type, payload] of Object.entries(eventPayloads)) use(payload, type.slice(0, type.lastIndexOf('.')))
  use(ErrorObject, 'Error')
  for (const [key, text] of Object.entries(meanings)) {
    assert.ok(used.has(key) || key.startsWith('Event.'), `${key} describes no field`)
    assert.match(text, /^[A-Z`].{5,130}\.$/, key)
  }
  const keys = meaningTables.flatMap((table) => Object.keys(table))
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  )
})

test('a field keeps the text of its own schema, also where it may be null', () => {
  const textOf = (schema: string, field: string) =>
    (components.schemas[schema]?.['properties'] as Record<string, Json> | undefined)?.[field]?.['description']
  assert.match(String(textOf('Payment', 'rate')), /^Units of the currency/)
  assert.match(String(textOf('WebhookEndpoint', 'url')), /^Null only for the single-URL/)
  assert.match(String(textOf('StuckResource', 'destination')), /null for other resources/)
  assert.equal(textOf('ListedPayment', 'amount'), textOf('Payment', 'amount'))
  assert.equal(textOf('CreateRefund', 'reverse_transfer')?.toString().endsWith('If left out: `false`.'), true)
})
