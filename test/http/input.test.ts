import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { type Shape, takesNull } from '../../api/http/normalize-input.ts'
import { openApiDocument } from '../../api/http/openapi.ts'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { validateInput } from '../../api/http/validate.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { card, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
await useApi(stack)

const call = (method: string, path: string, body?: unknown) => stack.merchant.call(method, path, body)
const withBody = operations.filter(({ body, takesFile }) => body && !takesFile)
const ofKeys = withBody.filter(({ auth }) => auth.includes('apiKey'))
const send = ({ method, path }: Operation, body?: unknown) =>
  call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'), body)

/** For every optional field, at any depth, that takes no null: a body in which it is null, and one without it. */
function leftOut(schema: TSchema): { at: string; sent: unknown; without: unknown }[] {
  const { anyOf, properties = {}, required = [], items } = schema as Shape
  if (anyOf) return anyOf.flatMap(leftOut)
  if (items) return leftOut(items).map(({ at, sent, without }) => ({ at: `0.${at}`, sent: [sent], without: [without] }))
  return Object.entries(properties).flatMap(([name, inner]) => [
    ...(required.includes(name) || takesNull(inner) ? [] : [{ at: name, sent: { [name]: null }, without: {} }]),
    ...leftOut(inner).map(({ at, sent, without }) => ({
      at: `${name}.${at}`,
      sent: { [name]: sent },
      without: { [name]: without },
    })),
  ])
}

test('`null` for an optional field means "not given" everywhere', async () => {
  let fields = 0
  for (const { path, body } of withBody) {
    for (const { at, sent, without } of leftOut(body as TSchema)) {
      const shape = body as TSchema
      assert.deepEqual(validateInput(shape, sent as never), validateInput(shape, without as never), `${path} ${at}`)
      fields += 1
    }
  }
  assert.ok(fields > 100, `${fields} fields`)
  for (const operation of ofKeys) {
    const nulls = Object.fromEntries(
      Object.entries(operation.body?.properties ?? {})
        .filter(([name, inner]) => !operation.body?.required?.includes(name) && !takesNull(inner))
        .map(([name]) => [name, null]),
    )
    const [given, left] = [await send(operation, nulls), await send(operation, {})]
    assert.deepEqual([given.status, given.body], [left.status, left.body], operation.path)
  }
})

test('`null` in a change keeps a customer’s name and number, and clears only billing_address', async () => {
  const billing_address = { line1: '12 Marina Road', country: 'NG' }
  const given = { email: 'null@example.com', name: 'Ada', phone_number: '+2348012345678', metadata: { a: 'b' } }
  const { body: made } = await call('POST', '/v1/customers', { ...given, billing_address })
  const path = `/v1/customers/${String(made['customer_id'])}`
  const { body: same } = await call('PATCH', path, { name: null, phone_number: null, metadata: null })
  assert.deepEqual(same, made)
  const { body: cleared } = await call('PATCH', path, { billing_address: null })
  assert.partialDeepStrictEqual(cleared, { ...given, billing_address: null })
})

test('Currency codes are accepted in any case, and answered in capitals', async () => {
  const product = { name: 'A', price_type: 'fixed', amount: '5.00', currency: 'usd' }
  const { body: made } = await call('POST', '/v1/products', product)
  assert.equal(made['currency'], 'USD')
  const kept = await call('PATCH', `/v1/products/${String(made['product_id'])}`, { currency: 'Usd', name: 'B' })
  assert.equal(kept.body['currency'], 'USD')
  const options = { card: { currencies: ['usd'] }, crypto: { currencies: ['usdt_trc20'] } }
  const session = { ...sale, currency: 'usd', billing_currency: 'usd', payment_method_options: options }
  const { status, body: opened } = await call('POST', '/v1/checkout-sessions', session)
  assert.equal(status, 201, JSON.stringify(opened))
  assert.deepEqual([opened['currency'], opened['billing_currency']], ['USD', 'USD'])
  const price = { price_type: 'fixed', amount: '5.00', currency: 'usd' }
  const link = await call('POST', '/v1/payment-links', { name: 'L', price, success_url: 'https://example.com' })
  assert.equal(Object(link.body['price']).currency, 'USD')
  const wanted = { from_currency: 'usd', to_currency: 'nGn', from_amount: '10.00' }
  const quote = await call('POST', '/v1/conversions/quotes', wanted)
  assert.deepEqual([quote.body['from_currency'], quote.body['to_currency']], ['USD', 'NGN'])
  const crypto = { CRYPTO: { enabled: true, currencies: { usdt_trc20: true } } }
  const settings = await call('PUT', '/v1/accounts/checkout/settings', { enabled_payment_methods: crypto })
  assert.deepEqual(settings.body['enabled_payment_methods'], {
    CRYPTO: { enabled: true, currencies: { USDT_TRC20: true } },
  })
  const set = await call('POST', '/v1/balance_settings', { schedule_by_currency: { ngn: { interval: 'manual' } } })
  assert.deepEqual(Object.keys(Object(set.body['schedule_by_currency'])), ['NGN'])
  const twice = { schedule_by_currency: { ngn: { interval: 'manual' }, NGN: { interval: 'daily' } } }
  assertFieldErrors(await call('POST', '/v1/balance_settings', twice), { 'schedule_by_currency.NGN': 'value_error' })
  assert.equal((await call('GET', '/v1/balances/transactions?currency=usd')).status, 200)
  const [lower, upper] = [
    await call('GET', '/v1/reference/banks?currency=ngn'),
    await call('GET', '/v1/reference/banks?currency=NGN'),
  ]
  assert.deepEqual([lower.status, lower.body], [200, upper.body])
  pageOf(await call('GET', '/v1/payouts/destinations?currency=ngn'))
  assertError(await call('POST', '/v1/checkout-sessions', { ...sale, currency: 'xyz' }), 400, 'CURRENCY_NOT_SUPPORTED')
})

test('Enumerations in errors name the allowed values (up to 20)', async () => {
  const messageOf = async (method: string, path: string, body?: unknown) =>
    assertError(await call(method, path, body), 400, 'VALIDATION_ERROR').map(({ message }) => message)
  assert.deepEqual(await messageOf('GET', '/v1/payouts?status=lost'), [
    'must be one of requested, pending, processing, approved, rejected, completed, failed',
  ])
  const settings = { fee_preference: 'nobody' }
  assert.deepEqual(await messageOf('PUT', '/v1/accounts/checkout/settings', settings), [
    'must be one of customer_pays, org_pays',
  ])
  const product = { name: 'A', price_type: 'free', currency: 'USD', category: 'x' }
  const [many = ''] = await messageOf('POST', '/v1/products', product)
  assert.match(many, /^must be one of (\w+, ){20}or one of \d+ more$/)
  const unknown = await messageOf('PUT', '/v1/accounts/checkout/settings', {
    enabled_payment_methods: { EUR_CARD: {} },
  })
  assert.ok(
    unknown.some((message) => message.includes('USD_CARD') && message.includes('MOMO_ZMW')),
    String(unknown),
  )
})

test('An `offset` of a billion, or any other number out of range, is an error that names the limit', async () => {
  for (const path of ['/v1/payments', '/v1/payouts', '/v1/customers', '/api/v1/payments/refunds']) {
    for (const offset of ['1000000000', '9'.repeat(40), '-1', '-1000000000000']) {
      const [error] = assertError(await call('GET', `${path}?offset=${offset}`), 400, 'VALIDATION_ERROR')
      assert.deepEqual([error?.field, error?.type], ['offset', 'value_error.range'])
      assert.match(
        error?.message ?? '',
        offset.startsWith('-') ? /^must be at least 0$/ : /^must be at most 100000000$/,
      )
    }
    assert.equal((await call('GET', `${path}?offset=100000000`)).status, 200)
  }
})

test('Bodies that are documented as required are required, and no others', async () => {
  type Described = Record<string, Record<string, { requestBody?: { required: boolean } }>>
  const paths = openApiDocument(operations, 'http://127.0.0.1')['paths'] as Described
  const required: string[] = []
  for (const operation of ofKeys) {
    const { status, body } = await send(operation)
    const errors = (body['errors'] ?? []) as { field: string; message: string; type: string }[]
    const bodyError = errors.find(({ field }) => field === 'body')
    const isRequired = paths[operation.path]?.[operation.method]?.requestBody?.required
    assert.equal(status === 400 && bodyError?.type === 'value_error.missing', isRequired, `${operation.path} ${status}`)
    if (isRequired) required.push(operation.path)
  }
  assert.ok(required.length > 15 && required.length < ofKeys.length)
})

test('Errors that handlers find are listed with the others: a fee, an address, a moment, a cursor', async () => {
  const success_url = 'ftp://example.com'
  assertFieldErrors(await call('POST', '/v1/checkout-sessions', { ...sale, success_url, platform_fee: '25.01' }), {
    platform_fee: 'value_error.range',
    success_url: 'value_error.format',
  })
  const transfer_data = { destination: 'acct_x', amount: '1.001' }
  assertFieldErrors(await call('POST', '/v1/checkout-sessions', { ...sale, reference: 5, transfer_data }), {
    'transfer_data.amount': 'value_error.format',
    reference: 'value_error.type',
  })
  assertFieldErrors(await call('POST', '/v1/webhooks/endpoints', { url: 'http://example.com', events: ['x'] }), {
    url: 'value_error.format',
    'events.0': 'value_error.enum',
  })
  const configuration = { webhook_url: 'http://example.com', webhook_secret: 'short' }
  assertFieldErrors(await call('PUT', '/api/v1/notifications/webhooks/configuration', configuration), {
    webhook_url: 'value_error.format',
    webhook_secret: 'value_error.range',
  })
  const link = { name: 5, price: { price_type: 'fixed', amount: '5.00', currency: 'USD' }, platform_fee: '6.00' }
  const past = { expires_at: '2020-01-01T00:00:00Z' }
  assertFieldErrors(await call('POST', '/v1/payment-links', { ...link, ...past, success_url: 'https://example.com' }), {
    name: 'value_error.type',
    platform_fee: 'value_error.range',
    expires_at: 'value_error.range',
  })
  assertFieldErrors(
    await call('POST', '/v1/products', { name: '', price_type: 'free', currency: 'USD', images: ['a', 'a'] }),
    {
      name: 'value_error.format',
      'images.1': 'value_error',
    },
  )
  assertFieldErrors(await call('GET', '/v1/payments?limit=0&offset=1&cursor=forged'), {
    limit: 'value_error.range',
    offset: 'value_error',
    cursor: 'value_error.format',
  })
  assertFieldErrors(
    await call('POST', '/v1/webhooks/endpoints/x/recover', { since: '2999-01-01T00:00:00Z', until: 5 }),
    {
      since: 'value_error.range',
      until: 'value_error.type',
    },
  )
  assertFieldErrors(await call('POST', '/v1/customers', { email: 'a\u0000', name: 5 }), {
    email: 'value_error.format',
    name: 'value_error.type',
  })
})

test('Errors of a card, a wallet and a buyer are listed in one answer', async () => {
  const { checkout_id, client_secret } = await stack.merchant.createCheckout()
  const pay = (body: unknown) =>
    stack.merchant.call('POST', `/v1/checkout-sessions/${checkout_id}/pay`, body, {
      ...bearer(client_secret),
      ...fromAnywhere(),
    })
  const customer_details = { email: 'nobody' }
  const numbers = { ...card('4242424242424241'), exp_year: 2001 }
  assertFieldErrors(await pay({ payment_method: 'USD_CARD', card: numbers, customer_details }), {
    'card.number': 'value_error.format',
    'card.exp_year': 'value_error.range',
    'customer_details.email': 'value_error.format',
  })
  assertFieldErrors(await pay({ payment_method: 'MOMO_KES', phone_number: '+233241234561', customer_details }), {
    phone_number: 'value_error.format',
    provider: 'value_error.missing',
    'customer_details.email': 'value_error.format',
  })
  // For a method that the session does not take, missing fields are not listed.
  const narrowed = await stack.merchant.createCheckout({ ...sale, payment_method_options: { card: {} } })
  const path = `/v1/checkout-sessions/${narrowed.checkout_id}/pay`
  const as = { ...bearer(narrowed.client_secret), ...fromAnywhere() }
  const refused = await stack.merchant.call('POST', path, { payment_method: 'MOMO_GHS' }, as)
  assertError(refused, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
})

test('JPY: whole yen are accepted and answered as such; a fraction is refused with the reason', async () => {
  const yen = { ...sale, currency: 'JPY' }
  const { status, body } = await call('POST', '/v1/checkout-sessions', { ...yen, amount: '2500', platform_fee: '100' })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual([body['amount'], body['platform_fee'], body['currency']], ['2500', '100', 'JPY'])
  const refused = await call('POST', '/v1/checkout-sessions', { ...yen, amount: '100.5', platform_fee: '1.5' })
  assert.deepEqual(
    assertError(refused, 400, 'VALIDATION_ERROR').map(({ field, message }) => [field, message]),
    ['amount', 'platform_fee'].map((field) => [field, 'JPY has no decimal places: write whole units']),
  )
  const quote = { from_currency: 'USD', to_currency: 'JPY', from_amount: '100.00' }
  assert.match(String((await call('POST', '/v1/conversions/quotes', quote)).body['to_amount']), /^\d+$/)
  const product = { name: 'A', price_type: 'fixed', amount: '500', currency: 'JPY' }
  assert.equal((await call('POST', '/v1/products', product)).body['amount'], '500')
})

test('An amount typed as `5,000` is refused with a message that says how to write it', async () => {
  for (const amount of ['5,000', '5,000.00', '5 000', "5'000", '5.000,00']) {
    const [error] = assertError(
      await call('POST', '/v1/checkout-sessions', { ...sale, amount }),
      400,
      'VALIDATION_ERROR',
    )
    const message = 'must be a plain decimal string such as "25.00": digits and one point, without commas or spaces'
    assert.deepEqual([error?.field, error?.message], ['amount', message])
  }
})

test('Metadata merges alike everywhere: each change adds, replaces and removes keys', async () => {
  const price = { price_type: 'fixed', amount: '5.00', currency: 'USD' }
  const { body: product } = await call('POST', '/v1/products', { name: 'A', ...price, metadata: { a: '1', b: '2' } })
  const products = [String(product['product_id'])]
  const name = 'A'
  const bank = { type: 'bank_account', currency: 'NGN', bank_code: '058', account_number: '0123450001' }
  const made: [string, string, object][] = [
    ['/v1/products', 'product_id', { name, ...price }],
    ['/v1/product-groups', 'product_group_id', { name, products }],
    ['/v1/payment-links', 'payment_link_id', { name, price, success_url: 'https://example.com' }],
    ['/v1/webhooks/endpoints', 'endpoint_id', { url: 'https://example.com' }],
    ['/v1/payouts/destinations', 'id', { name, ...bank }],
    ['/v1/customers', 'customer_id', { email: 'merge@example.com' }],
  ]
  for (const [path, id, body] of made) {
    const answer = await call('POST', path, { ...body, metadata: { a: '1', b: '2' } })
    assert.equal(answer.status, 201, `${path} ${answer.text}`)
    const own = `${path}/${String(answer.body[id])}`
    const named = path === '/v1/payouts/destinations' ? { name: 'B' } : {} // a change of metadata alone is refused here
    const change = async (metadata: unknown) => call('PATCH', own, { ...named, metadata })
    assert.deepEqual((await change({ b: '3', c: '4' })).body['metadata'], { a: '1', b: '3', c: '4' }, path)
    assert.deepEqual((await change({ a: '', never: '' })).body['metadata'], { b: '3', c: '4' }, path)
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, 'v']))
    assertFieldErrors(await change(many), { metadata: 'value_error.range' })
    const { body: full } = await change({ ...many, b: '' })
    assert.equal(Object.keys(Object(full['metadata'])).length, 50, path)
    assert.deepEqual((await change('')).body['metadata'], {}, path)
  }
})
