import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import { openApiDocument } from '../../api/http/openapi.ts'
import { operations } from '../../api/operations.ts'
import type { Operation } from '../../api/http/operation.ts'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { destinations, leftOpen, register } from '../support/destination.ts'
import { buyer, card, cards, createMerchant, type Merchant, sale } from '../support/merchant.ts'
import { createLink, type Link, openPrice, slugOf } from '../support/payment-link.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser, type TestUser } from '../support/user.ts'
import { openAccount } from '../support/virtual-account.ts'

const runsPerOperation = 25
const seed = 20_261_120

const stack = await useStack()
await useApi(stack)
let session: Awaited<ReturnType<Merchant['createCheckout']>>
let paymentId: string
let productId: string
let groupId: string
let customerId: string
let link: Link
let refundId: string
let virtualAccountId: string
let destinationId: string
let reviewId: string
let reviewer: TestUser
before(async () => {
  const charge_id = await stack.merchant.chargeByCard({ ...sale, amount: '900.00' })
  refundId = (await stack.merchant.refund(charge_id)).refund_id
  Object.assign(sane['post /api/v1/payments/refunds'] ?? {}, { charge_id })
  link = await createLink(stack.merchant, { price: openPrice })
  virtualAccountId = (await openAccount(stack.merchant, 'ada@example.com')).virtual_account_id
  reviewer = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })
})

type Described = Record<string, Record<string, { responses: object }>>
const paths = openApiDocument(operations, 'http://127.0.0.1')['paths'] as Described
const statusesOf = ({ path, method }: Operation) => Object.keys(paths[path]?.[method]?.responses ?? {}).map(Number)

/** Text that has broken services before, beside any other. */
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
const names = [
  ...Object.keys(sale),
  ...[
    'customer',
    'id',
    'email',
    'name',
    'phone_number',
    'metadata',
    'reference',
    'expires_in_minutes',
    'locale',
    'outcome',
  ],
  ...['payment_method_options', 'card', 'bank_transfer', 'currencies', 'return_url', 'cancel_url', 'customer_creation'],
  ...['billing_address', 'line1', 'line2', 'city', 'state', 'postal_code', 'country', 'search'],
  ...['payment_method', 'customer_details', 'confirm', 'number', 'exp_month', 'exp_year', 'cvc', 'code', 'webhook_url'],
  ...['price_type', 'minimum_amount', 'maximum_amount', 'suggested_amount', 'recurring', 'interval', 'interval_count'],
  ...['product_cart', 'product_group_id', 'product_id', 'quantity', 'platform_fee', 'transfer_data', 'destination'],
  ...['enabled_payment_methods', 'fee_preference', 'enabled', 'setup', 'billing_currency'],
  ...['images', 'category', 'products', 'active', 'trial_days', 'price', 'max_completions', 'expires_at'],
  ...['inactive_message', 'utm', 'utm_source', 'customer_email', 'customer_name'],
  ...['charge_id', 'fee_bearer', 'reason', 'refund_address', 'idempotency_key', 'simulated_outcome'],
  ...['from_currency', 'to_currency', 'from_amount', 'to_amount', 'quote_id'],
  ...['webhook_secret', 'sender_name', 'session_id', '__proto__', 'constructor', 'toString'],
  ...[
    'webhook_secret',
    'sender_name',
    'session_id',
    'tx_hash',
    'provider',
    'asset',
    '__proto__',
    'constructor',
    'toString',
  ],
]
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), text), tie('tree'), { maxKeys: 5 }),
  ),
}))
const billing_address = { line1: '12 Marina Road', city: 'Lagos', country: 'NG' }
/** What a caller in their right mind sends, by operation. */
const sane: Record<string, object> = {
  'post /v1/checkout-sessions': {
    ...sale,
    customer: buyer,
    metadata: { a: 'b' },
    payment_method_options: { card: {} },
  },
  'put /v1/accounts/checkout/settings': {
    ...{ fee_preference: 'org_pays', enabled_payment_methods: { USD_CARD: { enabled: true } } },
  },
  'post /v1/checkout-sessions/{checkout_id}/pay': {
    ...{ payment_method: 'USD_CARD', card: card(cards.declined), customer_details: buyer },
    ...{ phone_number: '+254700000001', provider: 'mpesa', asset: 'USDT_TRC20' },
  },
  'post /v1/checkout-sessions/{checkout_id}/confirm': { code: '123456' },
  'post /v1/balance_settings': {
    schedule_by_currency: { NGN: { interval: 'weekly', weekly_payout_days: ['monday'], minimum_amount: '1.00' } },
  },
  'post /v1/products': {
    ...{ name: 'A', price_type: 'fixed', amount: '5.00', currency: 'USD', minimum_amount: null, images: [] },
    ...{ recurring: { interval: 'month', interval_count: 1 }, category: 'saas', metadata: { a: 'b' } },
  },
  'patch /v1/products/{product_id}': { amount: '6.00', suggested_amount: null, recurring: null, images: [] },
  'post /v1/product-groups': { name: 'A', products: ['prod_x'], description: null, active: true },
  'patch /v1/product-groups/{product_group_id}': { name: 'B', products: ['prod_x'] },
  'post /v1/payment-links': {
    ...{ name: 'A', price: { price_type: 'custom', currency: 'USD', minimum_amount: '1.00' }, max_completions: 3 },
    ...{ success_url: 'https://example.com', active: true, expires_at: '2999-01-01T00:00:00Z', metadata: { a: 'b' } },
    ...{ inactive_message: 'Gone', customer_creation: 'always', payment_method_options: { card: {} } },
  },
  'patch /v1/payment-links/{payment_link_id}': {
    ...{ name: 'B', active: true, max_completions: null, expires_at: null, inactive_message: null, price: null },
  },
  'post /v1/payment-links/{slug}/sessions': {
    ...{ amount: '5.00', customer_email: 'ada@example.com', customer_name: 'Ada', reference: 'r' },
    utm: { utm_source: 'mail' },
  },
  'post /v1/customers': { ...buyer, phone_number: '+2348012345678', metadata: { a: 'b' }, billing_address },
  'patch /v1/customers/{customer_id}': { name: 'Ada', metadata: { a: '' }, billing_address },
  'post /api/v1/payments/refunds': {
    ...{ reference: 'return-1', amount: 1.5, fee_bearer: 'ORG', reason: 'r', simulated_outcome: 'failed' },
    ...{ idempotency_key: 'k', refund_address: 'a' },
  },
  'post /v1/conversions/quotes': { from_currency: 'USD', to_currency: 'NGN', from_amount: '1.00' },
  'post /v1/conversions': { quote_id: 'quo_x', reference: 'r', metadata: { a: 'b' }, simulated_outcome: 'failed' },
  'put /api/v1/notifications/webhooks/configuration': {
    webhook_url: 'https://example.com',
    webhook_secret: 'a-secret',
  },
  'post /api/v1/auth/login': { email: 'ada@example.com', password: 'a-password', login_token: 'a.login.token' },
  'post /api/v1/auth/login/2fa/verify': { challenge_id: 'chal_x', code: '123456', code_type: 'primary' },
  'post /api/v1/auth/login/2fa/resend': { challenge_id: 'chal_x' },
  'post /api/v1/auth/refresh': { refresh_token: 'rt_x' },
  'post /v1/test-helpers/checkout-sessions/{checkout_id}/pay': { outcome: 'failed', customer_details: buyer },
  'post /v1/test-helpers/payments/{payment_id}/deposit': {
    amount: '1.00',
    sender_name: 'A',
    session_id: 'S1',
    tx_hash: 'T1',
  },
  'post /v1/virtual-accounts': { customer_id: 'cust_x', currency: 'NGN', account_name: 'Ada Buyer' },
  'post /v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits': {
    ...{ amount: '1.00', sender_name: 'A', sender_bank: 'B', session_id: 'S2' },
  },
  'post /v1/payouts': {
    destination: 'pd_x',
    amount: '10.00',
    reference: 'r',
    source_currency: 'USD',
    metadata: { a: 'b' },
  },
  'post /v1/payouts/estimate': { destination: 'pd_x', quote_id: 'quo_x', source_currency: 'USD' },
  'post /v1/payouts/destinations': { name: 'A', ...destinations.USD, metadata: { a: 'b' }, is_default: true },
  'patch /v1/payouts/destinations/{destination_id}': {
    ...destinations.wallet_KES,
    ...{ network: 'ERC20', wallet_address: '0x', account_name: 'A', destination_type: 'bank_account' },
  },
  'post /v1/payouts/destinations/resolve': { currency: 'NGN', bank_code: '058', account_number: '0123456789' },
  'post /api/v1/admin/payout-destinations/{destination_id}/review': { decision: 'reject', reason: 'r', review_id: 'x' },
  'post /v1/test-helpers/events/trigger': { type: 'refund.paid' },
}
/** A sane body with a few fields replaced, dropped or added; or no sane one at all. */
const bodyOf = ({ method, path }: Operation) => {
  const base = sane[`${method} ${path}`] ?? {}
  const fields = Object.keys(base)
  const mutated = fc
    .tuple(
      fc.dictionary(fc.constantFrom(...fields, 'extra'), tree, { maxKeys: 2 }),
      fields.length > 0 ? fc.subarray(fields, { maxLength: 1 }) : fc.constant([]),
    )
    .map(([changes, dropped]) => {
      const kept = Object.entries({ ...base, ...changes }).filter(([name]) => !dropped.includes(name as never))
      return JSON.stringify(Object.fromEntries(kept))
    })
  const garbage = fc.oneof(
    tree.map((value) => JSON.stringify(value) ?? ''),
    fc.string({ maxLength: 50 }),
  )
  return fc.oneof({ weight: 3, arbitrary: mutated }, { weight: 1, arbitrary: garbage })
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

async function prepare(): Promise<void> {
  session = await stack.merchant.createCheckout({ ...sale, amount: '5000.00', currency: 'NGN', customer: buyer })
  const headers = { ...bearer(session.client_secret), ...fromAnywhere() } // one address may not pay so often
  const how = { payment_method: 'NGN_BANK_TRANSFER', customer_details: buyer }
  const paid = await stack.merchant.call('POST', `/v1/checkout-sessions/${session.checkout_id}/pay`, how, headers)
  paymentId = String(paid.body['payment_id'])
  const product = { name: 'A product', price_type: 'fixed', amount: '5.00', currency: 'USD' }
  productId = String((await stack.merchant.call('POST', '/v1/products', product)).body['product_id'])
  const group = { name: 'A group', products: [productId] }
  groupId = String((await stack.merchant.call('POST', '/v1/product-groups', group)).body['product_group_id'])
  const [customer] = await stack.sql<{ id: string }>('select id from customers limit 1')
  customerId = customer?.id ?? ''
  destinationId = (await register(stack.merchant, 'NGN', leftOpen)).id
  const [review] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [destinationId])
  reviewId = review?.id ?? ''
}

for (const operation of operations) {
  const { method, path, auth, forStaff } = operation
  test(`${method} ${path} survives ${runsPerOperation} calls of garbage`, async () => {
    await prepare()
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
      const known: Record<string, string> = {
        ...{ checkout_id: session.checkout_id, payment_id: paymentId, charge_id: paymentId, refund_id: refundId },
        ...{ product_id: productId, product_group_id: groupId, customer_id: customerId },
        ...{ payment_link_id: link.payment_link_id, slug: slugOf(link) },
        ...{ virtual_account_id: virtualAccountId, destination_id: destinationId, review_id: reviewId },
      }
      const filled = path.replace(/\{(\w+)\}/, (whole, name: string) => fill(known[name] ?? encodeURIComponent(whole)))
      const sent = Object.entries(query).map(([name, value]) => `${name}=${wellFormed(value)}`)
      const headers = {
        ...fromAnywhere(),
        ...(auth.includes('apiKey') ? {} : bearer(forStaff ? await reviewer.token() : session.client_secret)),
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
      else assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
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

test('ids that nobody has are not found, whatever they look like', async () => {
  for (const id of [newId('chk', 0), newId('chk', Date.now()), `${newId('chk', 1)}x`, 'chk_', '%20', "'", '0', '-']) {
    assertError(await stack.merchant.call('GET', `/v1/checkout-sessions/${id}`), 404, 'NOT_FOUND')
  }
})
