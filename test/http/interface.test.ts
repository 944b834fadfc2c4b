import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { errorCodes } from '../../domain/refusal.ts'
import type { EventType } from '../../domain/webhook/event.ts'
import { eventPayloads } from '../../schemas/event.ts'
import { codes, eventFields, resources, routes, values } from '../support/interface.ts'
import { isAddition } from '../support/interface-additions.ts'
import type { Bounds, Route } from '../support/interface-form.ts'

// Compares the declarations with the documented interface, name by name: what each path takes and answers. Other tests
// prove that the service does what it declares.

type Schema = {
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  enum?: string[]
  const?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** A schema without its null; alternatives and parts become one schema that has the fields of all. */
function solid(schema: Schema): Schema {
  if (schema.allOf) {
    const parts = schema.allOf.map(solid)
    const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, Schema>
    return { properties, required: parts.flatMap((part) => part.required ?? []) }
  }
  const options = schema.anyOf?.filter((option) => (option as { type?: string }).type !== 'null') ?? []
  if (options.length === 0) return schema
  if (options.length === 1) return solid(options[0] as Schema)
  const properties = Object.assign({}, ...options.map((option) => solid(option).properties)) as Schema['properties']
  const enumeration = options.flatMap((option) => option.enum ?? option.const ?? [])
  return { ...(properties && { properties }), ...(enumeration.length > 0 && { enum: enumeration }) }
}

const find = (key: string): Operation | undefined => operations.find(({ method, path }) => `${method} ${path}` === key)

/** The required fields that the schema lacks. */
function lacking(schema: Schema | undefined, fields: readonly string[]): string[] {
  const { properties = {}, required = [] } = solid(schema ?? {})
  return fields.filter((field) => {
    const [name = '', inner] = field.replace('?', '').split(/\.(.*)/)
    const found = solid(properties[name] ?? {})
    if (inner !== undefined) return lacking(found.items ?? found, [inner]).length > 0
    return !(name in properties) || (!field.endsWith('?') && schema?.required !== undefined && !required.includes(name))
  })
}

const fieldsOf = (name: string): string[] => {
  const fields = resources[name]
  assert.ok(fields, `${name} is no resource of the table`)
  return fields
}

/** The schema of one resource in an operation's answer, and the fields around it. */
function shownBy(route: Route, answer: Schema): { around: string[]; name: string; schema: Schema | undefined } | null {
  const { one, page, total, under } = route
  const inside = (list: string) => solid(answer).properties?.[list]?.items
  if (one) return { around: [], name: one, schema: answer }
  if (page) return { around: ['items', 'pagination'], name: page, schema: inside('items') }
  if (total) return { around: ['items', 'total'], name: total, schema: inside('items') }
  return under ? { around: [under[0]], name: under[1], schema: inside(under[0]) } : null
}

for (const [key, route] of Object.entries(routes)) {
  test(`${key} is declared as the interface documents it`, () => {
    const operation = find(key)
    assert.ok(operation, 'there is no such operation')
    const [status, answer] = operation.returns as unknown as [number, Schema]
    assert.equal(status, route.status)
    if (route.scope) assert.equal(operation.scope, route.scope)
    if (route.auth) assert.deepEqual(operation.auth, [route.auth])
    const shown = shownBy(route, answer)
    assert.deepEqual(lacking(answer, [...(shown?.around ?? []), ...(route.fields ?? [])]), [])
    // In a list a payment may lack its details; only the read of one payment has them.
    const isList = !route.one
    const fields = shown ? fieldsOf(shown.name).filter((field) => !isList || field !== 'payment_method_details') : []
    assert.deepEqual(lacking(shown?.schema, fields), [])
    for (const field of fields) assertValues(`${shown?.name}.${field}`, shown?.schema)
    for (const [name, bounds] of Object.entries(route.takes ?? {})) assertTaken(operation, name, bounds)
  })
}

test('every operation is in the table, or is named as an addition', () => {
  const unnamed = operations.map(({ method, path }) => `${method} ${path}`).filter((key) => !routes[key])
  assert.deepEqual(
    unnamed.filter((key) => !isAddition(key)),
    [],
  )
})

function assertValues(name: string, schema: Schema | undefined): void {
  const allowed = values[name]
  if (!allowed) return
  const inside = name.split('.').slice(1)
  const declared = inside.reduce((outer, field) => solid(outer.properties?.[field] ?? {}), solid(schema ?? {})).enum
  assert.deepEqual(declared?.toSorted(), allowed.toSorted(), name)
}

function assertTaken(operation: Operation, name: string, bounds: Bounds): void {
  const sent = (operation.method === 'get' ? operation.query : operation.body) as Schema | undefined
  const field = sent?.properties?.[name]
  assert.ok(field, `${name} is not taken`)
  const { minimum, maximum, minLength, maxLength, enum: oneOf } = solid(field)
  if (bounds.oneOf) assert.deepEqual(oneOf?.toSorted(), bounds.oneOf.toSorted(), name)
  const is = { min: minimum, max: maximum, minLength, maxLength }
  for (const bound of ['min', 'max', 'minLength', 'maxLength'] as const) {
    if (bounds[bound] !== undefined) assert.equal(is[bound], bounds[bound], `${name} ${bound}`)
  }
  if (bounds.required) assert.ok(sent?.required?.includes(name), `${name} must be required`)
}

for (const [type, fields] of Object.entries(eventFields)) {
  test(`the data of ${type} is declared as the interface documents it`, () => {
    const schema = eventPayloads[type as EventType] as Schema
    const named = fields.map((field) => field.split('='))
    assert.deepEqual(
      lacking(
        schema,
        named.map(([name = '']) => name),
      ),
      [],
    )
    const constants = named.filter(([, value]) => value !== undefined)
    for (const [name = '', value] of constants) assert.equal(schema.properties?.[name]?.const, value, name)
  })
}

test('every error code has the status that the interface or the decisions give it', () => {
  const declared = errorCodes as Record<string, number>
  for (const [code, status] of Object.entries(codes)) assert.equal(declared[code], status, code)
})

test('every field with a closed set of values is checked', () => {
  for (const name of Object.keys(values)) {
    const [resource = '', ...inside] = name.split('.')
    assert.ok(fieldsOf(resource).includes(inside.join('.')), name)
  }
})

test('every DELETE answers with an id and `deleted: true`', () => {
  const deletes = operations.filter(({ method }) => method === 'delete')
  assert.ok(deletes.length >= 10)
  for (const { path, returns } of deletes) {
    const [status, { properties }] = returns as [number, { properties: Record<string, { const?: unknown }> }]
    assert.deepEqual([status, properties['deleted']?.const], [200, true], path)
    assert.ok(/^(id|\w+_id)$/.test(Object.keys(properties)[0] ?? ''), path)
  }
})
