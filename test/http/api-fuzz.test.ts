import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import { operations } from '../../api/operations.ts'
import { contentTypeOf, type Operation } from '../../api/http/operation.ts'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { createMerchant, sale } from '../support/merchant.ts'
import { addOnboardingToken } from '../support/connected-account.ts'
import { fillPath, type Fixtures, idParameterOf, makeFixtures, type Made, type Owner } from '../support/resource.ts'
import { addToken, tokenForOwnerOf } from '../support/portal.ts'
import { everyDocument } from '../support/openapi-document.ts'
import { makers, routes } from '../support/resources.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser, type TestUser } from '../support/user.ts'

/** In `npm test`. `npm run contract` sends about 10,000 calls more, from the published document. */
const runsPerOperation = 15
const seed = 20_261_120

const stack = await useStack()
const api = await useApi(stack)
let owner: Owner
let fixtures: Fixtures
let made: Made | undefined
let reviewer: TestUser
before(async () => {
  const accountId = stack.organizationId
  const live = await api.addKey({ accountId, environment: 'live' })
  owner = { accountId, keys: { sandbox: { ...live, merchant: stack.merchant, key: stack.merchant.apiKey }, live } }
  fixtures = await makeFixtures(stack, owner)
  reviewer = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })
})

const { paths } = everyDocument<{ responses: object }>()
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const statusesOf = ({ path, method }: Operation) => Object.keys(paths[path]?.[method]?.responses ?? {}).map(Number)

/** Texts that often break services. */
const nasty = fc.constantFrom(
  '',
  '\0',
  '\ud800',
  '1e1000000',
  '9'.repeat(30),
  '-1',
  '0',
  'null',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
  "'; drop table payments; --",
  '{{7*7}}',
  '../../etc/passwd',
  'https://example.com',
  '2026-01-01T00:00:00Z',
  '\u202e',
  '😀',
  'NaN',
  'Infinity',
  'true',
  '25.00',
  'USD',
  'ada@example.com',
  '4242424242424242',
  '%00',
  '\r\nX: y',
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 20 }))
const leaf = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const names = `
  customer id email name phone_number metadata reference expires_in_minutes locale outcome
  payment_method_options card bank_transfer currencies return_url cancel_url customer_creation billing_address
  line1 line2 city state postal_code country search payment_method customer_details confirm number exp_month
  exp_year cvc code webhook_url price_type minimum_amount maximum_amount suggested_amount recurring interval
  interval_count product_cart product_group_id product_id quantity platform_fee transfer_data destination
  enabled_payment_methods fee_preference enabled setup billing_currency images category products active
  trial_days price max_completions expires_at inactive_message utm utm_source customer_email customer_name
  charge_id fee_bearer reason refund_address idempotency_key simulated_outcome from_currency to_currency
  from_amount to_amount quote_id webhook_secret sender_name session_id __proto__ constructor toString tx_hash
  provider asset
`
  .trim()
  .split(/\s+/)

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), text), tie('tree'), { maxKeys: 5 }),
  ),
}))
/** A valid body with a few fields replaced, dropped or added; or no valid one at all. */
const bodyOf = (operation: Operation) => {
  const { bodies, body = {} } = routes[nameOf(operation)] ?? {}
  const valid = bodies?.(fixtures) ?? [typeof body === 'string' ? {} : body]
  const garbage = fc.oneof(
    tree.map((value) => JSON.stringify(value) ?? ''),
    fc.string({ maxLength: 50 }),
  )
  const mutated = fc.oneof(...valid.map(mutationsOf))
  return fc.oneof({ weight: 3, arbitrary: mutated }, { weight: 1, arbitrary: garbage })
}
const mutationsOf = (base: object) => {
  const fields = Object.keys(base)
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom(...fields, 'extra'), tree, { maxKeys: 2 }),
      fields.length > 0 ? fc.subarray(fields, { maxLength: 1 }) : fc.constant([]),
    )
    .map(([changes, dropped]) => {
      const kept = Object.entries({ ...base, ...changes }).filter(([name]) => !dropped.includes(name as never))
      return JSON.stringify(Object.fromEntries(kept))
    })
}
const queryOf = fc.dictionary(
  fc.constantFrom(
    'limit',
    'offset',
    'cursor',
    'status',
    'payment_status',
    'customer_id',
    'reference',
    'created_after',
    'created_before',
    'payment_method',
    'checkout_id',
    'active',
    'recurring',
    'search',
    'x',
  ),
  fc.oneof(text, fc.integer({ min: -2, max: 200 }).map(String)),
  { maxKeys: 4 },
)
const keyOf = fc.option(fc.string({ unit: fc.constantFrom('a', 'b', '!', '~'), minLength: 1, maxLength: 260 }), {
  freq: 4,
})
const idOf = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: text })

/** Makes the resource that an operation's calls name. */
async function prepare({ path }: Operation): Promise<void> {
  made = await makers[idParameterOf(path) ?? '']?.makeByCalls?.(stack, owner, 'sandbox')
}

let payable: Promise<Made | undefined> | undefined

/** The client secret of the session that the calls name, or of one that no call names. */
async function clientSecret(): Promise<string> {
  payable ??= makers['checkout_id']?.makeByCalls?.(stack, owner, 'sandbox')
  const session = made?.id.startsWith('chk_') ? made : await payable
  assert.ok(session?.secret)
  return session.secret
}

/** A token of the customer whose row the calls name, or of any customer. */
async function customerToken(): Promise<string> {
  if (made) return tokenForOwnerOf(stack, made.id)
  const customer = await makers['customer_id']?.make(stack, owner, 'sandbox')
  return addToken(stack, { accountId: owner.accountId, environment: 'sandbox', customerId: customer?.id ?? '' })
}

/** What a call without a key or a login is made with. */
async function secretFor(auth: Operation['auth']): Promise<string | undefined> {
  if (auth.includes('onboardingToken')) return addOnboardingToken(stack, owner.accountId)
  if (auth.includes('invitationToken')) return (await addInvitation(stack, owner)).token
  return auth.includes('customerToken') ? customerToken() : clientSecret()
}

for (const operation of operations) {
  const { method, path, auth, forStaff } = operation
  test(`${method} ${path} survives ${runsPerOperation} calls of garbage`, async () => {
    await prepare(operation)
    const secret = auth.includes('apiKey') || forStaff ? undefined : await secretFor(auth)
    const allowed = new Set([...statusesOf(operation), 404]) // garbage in a path may be another path
    const calls = fc.record({
      body: bodyOf(operation),
      query: queryOf,
      key: keyOf,
      id: idOf,
      accountId: fc.option(text, { freq: 9 }),
    })
    const property = fc.asyncProperty(calls, async ({ body, query, key, id, accountId }) => {
      const wellFormed = (value: string) => encodeURIComponent(value.toWellFormed())
      const fill = (known: string) => (id === null ? known : wellFormed(id) || 'x')
      const filled = fillPath(path, fill(made?.id ?? 'x'), owner.accountId, made?.parents)
      const sent = Object.entries(query).map(([name, value]) => `${name}=${wellFormed(value)}`)
      const headers = {
        ...fromAnywhere(),
        ...(auth.includes('apiKey') ? {} : bearer(forStaff ? await reviewer.token() : (secret ?? ''))),
        ...(key && { 'idempotency-key': key }),
        ...(accountId && /^[\x21-\x7e]+$/.test(accountId) && { 'x-account-id': accountId }),
      }
      const address = `${filled}?${sent.join('&')}`
      const reply = await stack.merchant.call(
        method.toUpperCase(),
        address,
        method === 'get' ? undefined : body,
        headers,
      )
      assert.ok(allowed.has(reply.status), `${reply.status} is not documented: ${reply.text}`)
      assert.ok(reply.status < 500, reply.text)
      if (reply.status >= 400) assertError(reply, reply.status, String(reply.body['error_code']))
      else assert.ok(reply.headers.get('content-type')?.startsWith(contentTypeOf(operation)))
    })
    await fc.assert(property, { seed, numRuns: runsPerOperation, interruptAfterTimeLimit: 20_000, endOnFailure: true })
  })
}

test('garbage in headers is answered with the error object', async () => {
  const merchant = createMerchant(stack.baseUrl, stack.merchant.apiKey)
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 300, unit: fc.constantFrom(...'aZ0 ~!@,;=:/\\"\'<>()[]{}') }),
      async (value) => {
        for (const name of [
          'authorization',
          'content-type',
          'x-api-version',
          'x-account-id',
          'x-request-id',
          'accept',
          'expect-ct',
        ]) {
          const reply = await merchant.call('POST', '/v1/checkout-sessions', sale, { ...fromAnywhere(), [name]: value })
          assert.ok(reply.status < 500)
          if (reply.status >= 400) assertError(reply, reply.status, String(reply.body['error_code']))
        }
      },
    ),
    { seed, numRuns: 15 },
  )
})

test('unknown ids are not found, whatever they look like', async () => {
  for (const id of [newId('chk', 0), newId('chk', Date.now()), `${newId('chk', 1)}x`, 'chk_', '%20', "'", '0', '-']) {
    assertError(await stack.merchant.call('GET', `/v1/checkout-sessions/${id}`), 404, 'NOT_FOUND')
  }
})
