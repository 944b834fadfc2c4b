import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { validateInput } from '../../api/http/validate.ts'
import { operations } from '../../api/operations.ts'

// One process serves all merchants, so the values of one of them may not hold it up. Whatever stands in a field of a
// body, checking it takes processor time in proportion to its length, up to the most bytes that the body may have.

const msMax = 250

/** The processor time of checking a body, in milliseconds: the wall clock would count the other tests too. */
function msOf(schema: TSchema, body: Record<string, unknown>): number {
  const before = process.cpuUsage()
  validateInput(schema, body)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

type Shape = TSchema & { type?: string; properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] }
type Place = { path: string[]; isList: boolean }

/** The places of a schema, to a depth that all bodies end at. */
function placesIn({ type, properties = {}, items, anyOf = [] }: Shape, path: string[] = []): Place[] {
  if (path.length > 4) return []
  const inner = [
    ...anyOf.flatMap((branch) => placesIn(branch, path)),
    ...Object.entries(properties).flatMap(([name, each]) => placesIn(each, [...path, name])),
    ...(items ? placesIn(items, [...path, '0']) : []),
  ]
  return path.length === 0 ? inner : [{ path, isList: type === 'array' }, ...inner]
}

/** A body in which one place has a value. */
const bodyWith = ([name = '', ...rest]: string[], value: unknown): Record<string, unknown> => ({
  [name]: inside(rest, value),
})
const inside = (path: string[], value: unknown): unknown => {
  if (path.length === 0) return value
  return path[0] === '0' ? [inside(path.slice(1), value)] : bodyWith(path, value)
}

/**
 * Checks a body of every operation for each of these places, with a value that fills what the body may have. It ends at
 * the first that takes too long.
 */
function checkAll(isMeant: (place: Place) => boolean, valueOf: (bytes: number) => unknown): void {
  for (const { name, body, bytesMax, places } of withBody) {
    const value = valueOf(bytesMax)
    for (const { path } of places.filter(isMeant)) {
      const sent = bodyWith(path, value)
      const first = msOf(body, sent)
      // The compiler may be at work beside the first check: what is slow is slow again.
      const ms = first > msMax ? Math.min(first, msOf(body, sent)) : first
      assert.ok(ms <= msMax, `${name} ${path.join('.')}: ${Math.round(ms)} ms`)
    }
  }
}

const withBody = operations.flatMap(({ method, path, body, bodyBytesMax: bytesMax }) =>
  body ? [{ name: `${method.toUpperCase()} ${path}`, body, bytesMax, places: placesIn(body) }] : [],
)

test('a list that is too long is refused without comparing all of its items', () => {
  const many = Array.from({ length: 15_000 }, () => 1) // no body has more
  checkAll(
    ({ isList }) => isList,
    () => many,
  )
})

test('a text that is too long for an email is refused without trying each of its points', () => {
  const points = (bytes: number) => `a@${'.'.repeat(bytes - 100)} `
  checkAll(({ path }) => path.at(-1)?.includes('email') === true, points)
})

test('a long text where something else may stand too is not read letter by letter', () => {
  const text = (bytes: number) => 'z'.repeat(bytes - 100)
  const names = ['customer_details', 'billing_address']
  checkAll(({ path }) => path.slice(-2).some((name) => names.includes(name)), text)
})

test('a list that is too long is refused as such, with the faults of what it begins with', () => {
  const body = { roles: [1, 2, 3, ...Array.from({ length: 100 }, () => 'owner')] }
  const { body: schema } = operations.find(({ path }) => path === '/v1/accounts/{account_id}/persons') ?? {}
  const { errors } = validateInput(schema, body)
  assert.deepEqual(
    errors.map(({ field, type }) => [field, type]),
    [
      ['roles.0', 'value_error.enum'],
      ['roles.1', 'value_error.enum'],
      ['roles.2', 'value_error.enum'],
      ['roles', 'value_error.range'],
    ],
  )
})
