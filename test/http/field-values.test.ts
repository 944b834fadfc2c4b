import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Operation } from '../../api/http/operation.ts'
import { validateInput } from '../../api/http/validate.ts'
import { operations } from '../../api/operations.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { sale } from '../support/merchant.ts'
import { addOnboardingToken } from '../support/connected-account.ts'
import { fillPath, type Fixtures, idParameterOf, makeFixtures, type Made, type Owner } from '../support/resource.ts'
import { addToken, tokenForOwnerOf } from '../support/portal.ts'
import { everyDocument } from '../support/openapi-document.ts'
import { makers, routes } from '../support/resources.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Every field of every body, and every parameter of every query, gets each of these values: empty texts where a
// currency belongs, and names that JavaScript objects inherit, which a lookup in a table finds by mistake.
const stack = await useStack()
const api = await useApi(stack)
let owner: Owner
let fixtures: Fixtures
before(async () => {
  const accountId = await api.addAccount()
  const keys = {
    sandbox: await api.addKey({ accountId }),
    live: await api.addKey({ accountId, environment: 'live' }),
  }
  owner = { accountId, keys }
  await stack
    .sql(`update accounts set capabilities = '{"virtual_accounts": "active"}' where id = ?`, [accountId])
    .catch(() => undefined)
  fixtures = await makeFixtures(stack, owner)
})

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  patternProperties?: Record<string, Schema>
}

/** The paths of all fields of a body; `0` stands for an array's elements, and `a` for a map's values. */
function pathsIn(schema: Schema, path: string[] = []): string[][] {
  const named = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, inner] as const)
  const mapped = Object.values(schema.patternProperties ?? {}).map((inner) => ['a', inner] as const)
  const listed = schema.items ? [['0', schema.items] as const] : []
  const inner = [...named, ...mapped, ...listed].flatMap(([name, each]) => [
    [...path, name],
    ...pathsIn(each, [...path, name]),
  ])
  return [...inner, ...(schema.anyOf ?? []).flatMap((each) => pathsIn(each, path))]
}

/** A copy of a body with one value replaced; objects that are missing on the path are made. */
function withValue(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value
  if (name === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const known = typeof body === 'object' && body !== null ? body : {}
  return { ...known, [name]: withValue((known as Record<string, unknown>)[name], rest, value) }
}

/** Whether a body has the field. A field is tried in the bodies that have it; one that none has, in all of them. */
function holds(body: unknown, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true
  const inner = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
  return inner !== undefined && holds(inner, rest)
}

/** How many fields of a body are wrong at once, if its schema refuses the value in each of them. */
const wrongAtOnce = 6

/** An object that JavaScript cannot make a text of: `String()` and templates throw. */
const noText = { toString: 1 }

/**
 * Bodies with the value in each place. A body goes alone if its schema accepts it, as it gets further than validation.
 * Those that the schema refuses are sent several in one. But an operation's own validation also reads a refused body,
 * and often a field only where another one is right: what cannot be made a text is wrong there in one place at a time.
 */
function bodiesWith(operation: Operation, base: unknown, places: string[][], value: unknown): unknown[] {
  const { body: schema, validate } = operation
  const atOnce = validate && value === noText ? 1 : wrongAtOnce
  const isRefused = (body: unknown) => validateInput(schema, body as Record<string, unknown>).errors.length > 0
  const bodies = places.map((place) => ({ place, body: withValue(base, place, value) }))
  const { refused = [], accepted = [] } = Object.groupBy(bodies, ({ body }) =>
    isRefused(body) ? 'refused' : 'accepted',
  )
  // Places of equal depth, so that none is inside another.
  const alike = [...Map.groupBy(refused, ({ place }) => place.length).values()].flatMap((each) => chunks(each, atOnce))
  const combined = alike.map((each) => each.reduce((body, { place }) => withValue(body, place, value), base))
  for (const body of combined) assert.ok(isRefused(body), JSON.stringify(body))
  return [...accepted.map(({ body }) => body), ...combined]
}

const chunks = <T>(all: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

const inherited = ['constructor', '__proto__']
const texts = ['', '\t', ...inherited, 'null', '-1', '٣', '\u{1f600}']
const shapes: unknown[] = [[], {}, [''], [null], { '': '' }, { constructor: {} }, noText]
const values: unknown[] = [...texts, null, true, 7, -1, 1e308, ...shapes]
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const idOf = ({ path }: Operation) => idParameterOf(path)

const { paths } = everyDocument<{ responses: object }>()

/** A credential that may call. Calls of people are rate-limited, so each of them is by a new user. */
async function credentialFor({ auth, forStaff }: Operation, made: Made): Promise<string> {
  if (auth.includes('apiKey')) return owner.keys.sandbox.key
  if (auth.includes('customerToken')) {
    const { customer_id: customerId } = fixtures
    const customer = { accountId: owner.accountId, environment: 'sandbox' as const, customerId }
    return made.id ? tokenForOwnerOf(stack, made.id) : addToken(stack, customer)
  }
  if (auth.includes('clientSecret')) return made.secret ?? ''
  if (auth.includes('onboardingToken')) return addOnboardingToken(stack, owner.accountId)
  if (auth.includes('invitationToken')) return (await addInvitation(stack, owner)).token
  if (auth.includes('none')) return 'none'
  return (await addUser(stack, { accountId: owner.accountId, role: forStaff ? 'reviewer' : 'owner' })).token()
}

async function assertAnswers(operation: Operation, made: Made, query: string, body: unknown): Promise<void> {
  const { method } = operation
  const path = fillPath(operation.path, made.id, owner.accountId, made.parents) + query
  const headers = { ...fromAnywhere(), ...bearer(await credentialFor(operation, made)) }
  const reply = await stack.merchant.call(method.toUpperCase(), path, method === 'get' ? undefined : body, headers)
  const what = `${nameOf(operation)}${query} ${JSON.stringify(body)}: ${reply.text}`
  assert.ok(reply.status < 500, what)
  assert.ok(String(reply.status) in (paths[operation.path]?.[method]?.responses ?? {}), what)
  if (reply.status >= 400) assertError(reply, reply.status, String(reply.body['error_code']))
}

for (const operation of operations.filter(({ takesFile }) => !takesFile)) {
  const places = pathsIn((operation.body ?? {}) as Schema)
  const parameters = Object.keys(((operation.query ?? {}) as Schema).properties ?? {})
  if (places.length + parameters.length === 0) continue
  test(`${nameOf(operation)} answers odd values properly: ${places.length + parameters.length} fields`, async () => {
    const maker = makers[idOf(operation) ?? '']
    const make = async () => (maker ? maker.make(stack, owner, 'sandbox') : { id: '' })
    const { bodies, body = {} } = routes[nameOf(operation)] ?? {}
    const bases = bodies?.(fixtures) ?? [body]
    for (const base of bases) {
      const made = await make()
      const tried = places.filter((place) => holds(base, place) || !bases.some((other) => holds(other, place)))
      for (const value of values) {
        for (const changed of bodiesWith(operation, base, tried, value)) {
          await assertAnswers(operation, made, '', changed)
        }
      }
    }
    const made = parameters.length > 0 ? await make() : { id: '' }
    for (const name of parameters) {
      for (const value of texts)
        await assertAnswers(operation, made, `?${name}=${encodeURIComponent(value)}`, undefined)
    }
  })
}

test('names that objects inherit are ordinary unknown fields in a body', async () => {
  const { merchant } = owner.keys.sandbox
  for (const name of ['__proto__', 'constructor', 'toString', 'prototype', '']) {
    const sent = `{${JSON.stringify(name)}: {"amount": "1.00", "currency": ""}, ${JSON.stringify(sale).slice(1)}`
    const { status, text } = await merchant.call('POST', '/v1/checkout-sessions', sent)
    assert.equal(status, 201, text)
  }
})
