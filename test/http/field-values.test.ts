import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openApiDocument } from '../../api/http/openapi.ts'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { destinations, register } from '../support/destination.ts'
import { type Made, makers, type Owner, routes } from '../support/matrix.ts'
import { buyer, card, cards, sale } from '../support/merchant.ts'
import { newLink } from '../support/payment-link.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Every field of every body, and every parameter of every query, is once each value that is nothing: nobody looks for
// an empty text where a currency belongs, and what a language's own objects inherit is found in a table by its name.
const stack = await useStack()
const api = await useApi(stack)
let owner: Owner
let bodies: Record<string, object[]>
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
  bodies = await richBodies()
})

/** Bodies that reach further than the smallest ones, with ids of what is there. */
async function richBodies(): Promise<Record<string, object[]>> {
  const { merchant } = owner.keys.sandbox
  const product_id = await newProduct(merchant)
  const charge_id = await merchant.chargeByCard({ ...sale, amount: '500.00' })
  await endow({ database: stack.database, clock: stack.clock }, owner.accountId, '5000', 'USD')
  const { quote_id } = await exchanging(merchant).quote()
  const { body: customer } = await merchant.call('POST', '/v1/customers', { email: 'known@example.com' })
  const customer_id = String(customer['customer_id'])
  const { id: destination } = await register(merchant, 'USD')
  const { NGN, USD, EUR, wallet_KES, USDT_TRC20 } = destinations
  const rails = [NGN, USD, EUR, wallet_KES, USDT_TRC20]
  const link = { ...newLink, metadata: { a: 'b' }, payment_method_options: { card: { currencies: ['USD'] } } }
  const money = { amount: '10.00', reference: 'r', description: 'd', metadata: { a: 'b' } }
  return {
    'POST /v1/checkout-sessions': [
      {
        ...sale,
        customer: buyer,
        metadata: { a: 'b' },
        payment_method_options: { crypto: { currencies: ['USDT_SOL'] } },
      },
      { product_cart: [{ product_id, quantity: 1 }], customer: { id: customer_id }, success_url: sale.success_url },
      { ...sale, transfer_data: { destination: 'acct_x', amount: '1.00' } },
    ],
    'POST /v1/checkout-sessions/{checkout_id}/pay': [
      { payment_method: 'USD_CARD', card: card(cards.declined), customer_details: buyer, confirm: true },
      { payment_method: 'MOMO_KES', phone_number: '+254700000002', provider: 'mpesa', customer_details: buyer },
      { payment_method: 'CRYPTO', asset: 'USDT_TRC20', customer_details: buyer },
    ],
    'POST /v1/checkout-sessions/{checkout_id}/confirm': [{ code: '1' }],
    'PUT /v1/accounts/checkout/settings': [
      { enabled_payment_methods: { CRYPTO: { enabled: true, currencies: { USDT_SOL: true } } } },
    ],
    'POST /v1/payment-links': [link, { ...link, price: undefined, product_cart: [{ product_id, quantity: 1 }] }],
    'PATCH /v1/payment-links/{payment_link_id}': [{ payment_method_options: { card: { currencies: ['USD'] } } }],
    'POST /v1/products': [
      { name: 'A', price_type: 'custom', currency: 'USD', minimum_amount: '1.00', recurring: { interval: 'month' } },
    ],
    'POST /v1/product-groups': [{ name: 'A', products: [product_id] }],
    'POST /v1/customers': [{ ...buyer, billing_address: { line1: 'x', country: 'NG' }, metadata: { a: 'b' } }],
    'PATCH /v1/customers/{customer_id}': [{ billing_address: { line1: 'x', country: 'NG' }, metadata: { a: 'b' } }],
    'POST /api/v1/payments/refunds': [{ charge_id, reference: 'r', amount: 1, fee_bearer: 'ORG', reason: 'r' }],
    'POST /v1/payouts': [{ destination, ...money }],
    'POST /v1/payouts/estimate': [{ destination, amount: '10.00' }],
    'POST /v1/payouts/destinations': rails.map((routing) => ({ name: 'A', ...routing })),
    'PATCH /v1/payouts/destinations/{destination_id}': rails,
    'POST /v1/conversions': [{ quote_id, reference: 'r', metadata: { a: 'b' } }],
    'POST /v1/virtual-accounts': [{ customer_id, currency: 'NGN', account_name: 'Ada' }],
    'POST /v1/balance_settings': [
      { schedule_by_currency: { NGN: { interval: 'weekly', weekly_payout_days: ['monday'], minimum_amount: '1.00' } } },
      { schedule_by_currency: { NGN: { interval: 'monthly', monthly_payout_days: [1] } } },
    ],
    'POST /api/v1/auth/login': [{ email: 'a@example.com', password: 'a-password', login_token: 'a.b.c' }],
    'POST /api/v1/auth/login/2fa/verify': [{ challenge_id: 'chal_x', code: '123456', code_type: 'primary' }],
    'POST /api/v1/auth/refresh': [{ refresh_token: 'rt_x' }],
  }
}

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  patternProperties?: Record<string, Schema>
}

/** The paths of everything that a body may hold, an array's elements under 0 and a map's under a name of its own. */
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

/** A copy of a body with one value replaced; what is missing on the way to it is made. */
function withValue(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value
  if (name === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const known = typeof body === 'object' && body !== null ? body : {}
  return { ...known, [name]: withValue((known as Record<string, unknown>)[name], rest, value) }
}

const texts = [
  '',
  ' ',
  '\t',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'null',
  '0',
  '-1',
  '٣',
  '\u{1f600}',
]
const values: unknown[] = [...texts, null, true, 7, -1, 1e308, [], {}, [''], [null], { '': '' }, { constructor: {} }]
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const idOf = ({ path }: Operation) => /\{(\w+)\}/.exec(path)?.[1]

type Described = Record<string, Record<string, { responses: object }>>
const paths = openApiDocument(operations, 'http://127.0.0.1')['paths'] as Described

/** Somebody who may call: people are counted, so each call is another's. */
async function credentialFor({ auth, forStaff }: Operation, made: Made): Promise<string> {
  if (auth.includes('apiKey')) return owner.keys.sandbox.key
  if (auth.includes('clientSecret')) return made.secret ?? ''
  if (auth.includes('none')) return 'none'
  return (await addUser(stack, { accountId: owner.accountId, role: forStaff ? 'reviewer' : 'owner' })).token()
}

async function assertAnswers(operation: Operation, made: Made, query: string, body: unknown): Promise<void> {
  const { method } = operation
  const path = operation.path.replace(/\{\w+\}/, made.id) + query
  const headers = { ...fromAnywhere(), ...bearer(await credentialFor(operation, made)) }
  const reply = await stack.merchant.call(method.toUpperCase(), path, method === 'get' ? undefined : body, headers)
  const what = `${nameOf(operation)}${query} ${JSON.stringify(body)}: ${reply.text}`
  assert.ok(reply.status < 500, what)
  assert.ok(String(reply.status) in (paths[operation.path]?.[method]?.responses ?? {}), what)
  if (reply.status >= 400) assertError(reply, reply.status, String(reply.body['error_code']))
}

for (const operation of operations.filter(({ takesFile }) => !takesFile)) {
  const places = pathsIn((operation.body ?? {}) as Schema)
  const asked = Object.keys(((operation.query ?? {}) as Schema).properties ?? {})
  if (places.length + asked.length === 0) continue
  test(`${nameOf(operation)} takes no value for what it is not: ${places.length + asked.length} fields`, async () => {
    const maker = makers[idOf(operation) ?? '']
    const make = async () => (maker ? maker.make(stack, owner, 'sandbox') : { id: '' })
    const bases = bodies[nameOf(operation)] ?? [routes[nameOf(operation)]?.body ?? {}]
    for (const base of bases) {
      const made = await make()
      for (const place of places) {
        for (const value of values) await assertAnswers(operation, made, '', withValue(base, place, value))
      }
    }
    const made = asked.length > 0 ? await make() : { id: '' }
    for (const name of asked) {
      for (const value of texts)
        await assertAnswers(operation, made, `?${name}=${encodeURIComponent(value)}`, undefined)
    }
  })
}

test('names that objects inherit are fields like any other, in every body', async () => {
  const { merchant } = owner.keys.sandbox
  for (const name of ['__proto__', 'constructor', 'toString', 'prototype', '']) {
    const sent = `{${JSON.stringify(name)}: {"amount": "1.00", "currency": ""}, ${JSON.stringify(sale).slice(1)}`
    const { status, text } = await merchant.call('POST', '/v1/checkout-sessions', sent)
    assert.equal(status, 201, text)
  }
})
