import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { hoist } from '../../api/http/openapi-schema.ts'
import { operations } from '../../api/operations.ts'
import { nullable } from '../../schemas/common.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { everyDocument } from '../support/openapi-document.ts'

// What code generators need, so that no field of a generated client is `any`, merged or required by mistake.

type Json = Record<string, unknown>
const document = everyDocument()
const { schemas } = document.components
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every schema in the document, with its path. Names of properties are no keywords. */
function* schemasIn(value: unknown, path: string): Generator<[path: string, schema: Json]> {
  if (Array.isArray(value)) for (const [index, inner] of value.entries()) yield* schemasIn(inner, `${path}/${index}`)
  if (!isObject(value)) return
  yield [path, value]
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'enum' || name === 'const' || name === 'examples') continue
    if (name !== 'properties') yield* schemasIn(inner, `${path}/${name}`)
    else for (const [field, of] of Object.entries(inner as Json)) yield* schemasIn(of, `${path}/properties/${field}`)
  }
}
const all = [...schemasIn(document, '')]

test('every list of values and every constant has a type, also where null is one of them', () => {
  const listed = all.filter(([, schema]) => Array.isArray(schema['enum']) || 'const' in schema)
  assert.ok(listed.length > 150, `${listed.length}`)
  for (const [path, { type, enum: values }] of listed) {
    assert.ok(type, path)
    const takesNull = [type].flat().includes('null')
    if (Array.isArray(values)) assert.equal(values.includes(null), takesNull, path)
  }
})

test('null is a second type of a field, and a branch of its own only beside a reference or a union', () => {
  for (const [path, { oneOf, anyOf }] of all) {
    assert.equal(anyOf, undefined, `${path}: generators merge the branches of anyOf`)
    if (!Array.isArray(oneOf) || !oneOf.some((branch: Json) => branch['type'] === 'null')) continue
    const others = oneOf.filter((branch: Json) => branch['type'] !== 'null') as Json[]
    assert.ok(others.length > 1 || '$ref' in (others[0] ?? {}), path)
  }
  assert.ok(!all.some(([path, { type }]) => type === 'null' && !/\/oneOf\/\d+$/.test(path)))
})

test('a branch of a union that is an object has a name, unless it is a map', () => {
  for (const [path, { oneOf }] of all) {
    for (const branch of (oneOf ?? []) as Json[]) assert.ok(!branch['properties'], path)
  }
  assert.deepEqual(branchesOf('CreateCheckoutSession', 'customer'), ['KnownCustomer', 'CustomerDetails'])
})

const branchesOf = (schema: string, field: string) => {
  const { [field]: union } = (schemas[schema]?.['properties'] ?? {}) as Record<string, { oneOf: { $ref?: string }[] }>
  return union?.oneOf.flatMap(({ $ref }) => ($ref ? [$ref.replace('#/components/schemas/', '')] : []))
}

test('a boolean has no list of values, and a time no pattern beside its format', () => {
  const times = all.filter(([, { format }]) => format === 'date-time')
  assert.ok(times.some(([, schema]) => 'else' in schema))
  for (const [path, schema] of times) assert.ok(!('pattern' in schema), path)
  const booleans = all.filter(([path, { type }]) => [type].flat().includes('boolean') && !path.endsWith('/not'))
  assert.ok(booleans.some(([, schema]) => 'not' in schema))
  for (const [path, schema] of booleans) assert.ok(!('enum' in schema || 'const' in schema), path)
})

test('metadata is a map of texts, in what is sent and in what is answered', () => {
  const fields = all.filter(([path]) => path.endsWith('/properties/metadata'))
  assert.ok(fields.length > 30)
  for (const [path, field] of fields) {
    const maps = (field['oneOf'] ?? [field]) as Json[]
    const values = maps.map((map) => (isObject(map['additionalProperties']) ? map['additionalProperties']['type'] : ''))
    assert.ok(values.includes('string') || isNeverRead(field), path)
  }
  assert.ok(!JSON.stringify(document).includes('patternProperties'))
})

/** A field of a link that never changes: any value is taken that equals the present one. */
const isNeverRead = ({ type, oneOf }: Json) => type === undefined && oneOf === undefined

test('a field that has a default may be left out: it is neither required nor has the keyword `default`', () => {
  const bodies = operations.flatMap(({ body }) => (body ? [body as { $id?: string; properties?: object }] : []))
  let counted = 0
  for (const { $id: name = '', properties = {} } of bodies) {
    const shown = schemas[name] as { properties: Record<string, Json>; required?: string[] }
    for (const [field, { default: given }] of Object.entries<Json>(properties as Record<string, Json>)) {
      assert.ok(!('default' in (shown.properties[field] ?? {})), `${name}.${field}`)
      if (given === undefined) continue
      counted += 1
      assert.ok(!shown.required?.includes(field), `${name}.${field}`)
      assert.match(String(shown.properties[field]?.['description']), new RegExp(`If left out: \`${String(given)}\`\\.`))
    }
  }
  assert.ok(counted > 10, `${counted}`)
})

/** Values of every kind that the fields of the API have. */
const times = ['2026-01-31T00:00:00Z', '0026-01-31T00:00:00Z']
const values = [
  ...times,
  null,
  '',
  'a',
  'b',
  'USD',
  '25.00',
  0,
  1,
  -1,
  1.5,
  true,
  false,
  [],
  ['a'],
  {},
  { a: 'b' },
  { a: 1 },
]
const objects = values.flatMap((value) => [value, { f: value }, { f: { a: value } }, { f: value, g: value }])

test('the form for generators takes the same values as the schema that the server checks', () => {
  const map = Type.Record(Type.String({ pattern: '^[a-z]{1,3}$' }), Type.String(), { additionalProperties: false })
  const time = Type.String({ format: 'date-time', pattern: '^2' })
  const shapes: TSchema[] = [
    nullable(Type.String({ maxLength: 2 })),
    nullable(Type.Enum(['a', 'b'])),
    nullable(Type.Literal('a')),
    nullable(Type.Integer({ minimum: 1 })),
    nullable(map),
    nullable(nullable(Type.Boolean())),
    nullable(Type.Union([map, Type.String({ maxLength: 0 })], { description: 'Told.' })),
    Type.Union([Type.String(), Type.Number(), Type.Null()]),
    Type.Record(Type.String(), Type.Unknown()),
    Type.Union([Type.String({ pattern: '^U' }), Type.Literal('a')]),
    nullable(Type.Union([Type.String({ pattern: '^U' }), Type.Literal('a')], { description: 'Told.' })),
    Type.Enum([1, 2]),
    Type.Enum(['a', 1]),
    Type.Unknown(),
    Type.Array(nullable(Type.String())),
    Type.Literal(true),
    nullable(Type.Literal(false)),
    time,
    nullable(time),
    Type.Union([time, Type.Literal('a'), Type.Null()]),
  ]
  for (const shape of [...shapes, ...shapes.map((f) => Type.Object({ f, g: Type.Optional(f) }))]) {
    const shown = hoist(JSON.parse(JSON.stringify(shape)), {})
    const [checked, described] = [Compile(shape), Compile(shown as TSchema)]
    for (const value of objects) {
      const what = `${JSON.stringify(value)} ${JSON.stringify(shape)} ${JSON.stringify(shown)}`
      assert.equal(described.Check(value), checked.Check(value), what)
    }
  }
})

test('two schemas with names of their own in the document have different names in the code', async () => {
  const found = new Map<string, string>()
  for (const file of globSync('schemas/**/*.ts', { cwd: ROOT })) {
    const exported = (await import(`${ROOT}/${file}`)) as Record<string, unknown>
    for (const [name, schema] of Object.entries(exported)) {
      const id = isObject(schema) ? schema['$id'] : undefined
      if (typeof id !== 'string') continue
      assert.equal(found.get(name) ?? id, id, `${file}: ${name} is a schema of another file, too`)
      found.set(name, id)
    }
  }
  assert.ok(found.size > 100, `${found.size}`)
})
