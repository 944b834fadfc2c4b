import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { buyer, card, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
await useApi(stack)

const create = (body: unknown, headers: Record<string, string> = {}) =>
  stack.merchant.call('POST', '/v1/checkout-sessions', body, headers)

test('VALIDATION_ERROR: all errors are listed at once, each with its path and type', async () => {
  const reply = await stack.merchant.call(
    'POST',
    '/v1/checkout-sessions',
    {
      amount: 'ten',
      currency: 5,
      description: '',
      customer: { email: 'nobody', phone_number: '0801' },
      customer_creation: 'sometimes',
      success_url: 'ftp://example.com',
      reference: 'r'.repeat(129),
      metadata: { color: 1, ['k'.repeat(41)]: 'x' },
      expires_in_minutes: 1441,
      payment_method_options: { card: { currencies: 'USD' } },
      locale: '!',
    },
    { 'idempotency-key': 'k'.repeat(256) },
  )
  const { metadata, ...rest } = Object.fromEntries(
    assertError(reply, 400, 'VALIDATION_ERROR').map(({ field, type }) => [field, type]),
  )
  assert.ok(metadata)
  assert.deepEqual(rest, {
    'Idempotency-Key': 'value_error.range',
    amount: 'value_error.format',
    currency: 'value_error.type',
    description: 'value_error.range',
    'customer.email': 'value_error.format',
    'customer.phone_number': 'value_error.format',
    customer_creation: 'value_error.enum',
    success_url: 'value_error.format',
    reference: 'value_error.range',
    'metadata.color': 'value_error.type',
    [`metadata.${'k'.repeat(41)}`]: 'value_error.format',
    expires_in_minutes: 'value_error.range',
    'payment_method_options.card.currencies': 'value_error.type',
    locale: 'value_error.format',
  })
})

test('an empty body lists every required field', async () => {
  const missing = { amount: 'value_error.missing', currency: 'value_error.missing', description: 'value_error.missing' }
  assertFieldErrors(await create({}), { ...missing, success_url: 'value_error.missing' })
  assertFieldErrors(await create(undefined), {
    ...missing,
    body: 'value_error.missing',
    success_url: 'value_error.missing',
  })
  assertFieldErrors(await stack.merchant.call('PUT', '/api/v1/notifications/webhooks/configuration', {}), {
    webhook_url: 'value_error.missing',
  })
})

test('errors of the query are listed at once too', async () => {
  const query = 'limit=0&offset=-1&status=lost&created_after=yesterday&payment_status=x&customer_id='.concat(
    'c'.repeat(65),
  )
  assertFieldErrors(await stack.merchant.call('GET', `/v1/checkout-sessions?${query}`), {
    limit: 'value_error.range',
    offset: 'value_error.range',
    status: 'value_error.enum',
    payment_status: 'value_error.enum',
    created_after: 'value_error.format',
    customer_id: 'value_error.range',
  })
  for (const moment of [
    '2026-06-30T23:59:60Z',
    '2026-01-01T00:00:00Z[UTC]',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '0000-01-01T00:00:00Z',
  ]) {
    assertFieldErrors(await stack.merchant.call('GET', `/v1/payments?created_after=${encodeURIComponent(moment)}`), {
      created_after: 'value_error.format',
    })
  }
  for (const moment of ['1000-01-01T00:00:00%2B23:59', '2999-12-31T23:59:59.999-23:59', '2026-01-01T00:00:00Z']) {
    assert.equal((await stack.merchant.call('GET', `/v1/payments?created_before=${moment}`)).status, 200)
  }
  assertFieldErrors(await stack.merchant.call('GET', '/v1/payments?limit=1&limit=2'), { limit: 'value_error.type' })
})

test('unknown fields and unknown query parameters are ignored', async () => {
  const customer_details = { ...buyer, ssn: '1' }
  const reply = await create({ ...sale, id: 'chk_x', status: 'completed', account_id: 'acct_x', customer_details })
  assert.equal(reply.status, 201)
  assert.equal(reply.body['status'], 'open')
  assert.equal((await stack.merchant.call('GET', '/v1/payments?sort=amount&status[]=x&__proto__=1')).status, 200)
})

const badAmounts = [
  '1e3',
  '1E3',
  '+1',
  '-1',
  '-0',
  '.5',
  '5.',
  '01',
  '00',
  '',
  ' 1',
  '1 ',
  '1,000',
  '1_000',
  '0x10',
  '١٢',
]
const badTexts = [
  'NaN',
  'Infinity',
  '1e1000000',
  '1'.repeat(30),
  '1'.repeat(100_000 - 300),
  '1'.repeat(16),
  '1.234',
  '0.001',
]

for (const amount of [...badAmounts, ...badTexts]) {
  const called = amount.length > 40 ? `of ${amount.length} digits` : JSON.stringify(amount)
  test(`the amount ${called} is refused`, async () => {
    const [error] = assertError(await create({ ...sale, amount }), 400, 'VALIDATION_ERROR')
    assert.equal(error?.field, 'amount')
    assert.match(error?.type ?? '', /^value_error\.(format|range)$/)
  })
}

test('an amount that is not text is refused, whatever number it is', async () => {
  for (const amount of ['25', '25.00', '1e400', '-0', 'null', 'true', '{}', '["25.00"]']) {
    const body = JSON.stringify(sale).replace('"25.00"', amount)
    // A null means that the field is not given (docs/contract/general.md, "Input").
    assertFieldErrors(await create(body), { amount: amount === 'null' ? 'value_error.missing' : 'value_error.type' })
  }
})

test('amounts of up to 15 digits at the currency’s precision are kept exactly', async () => {
  for (const [amount, shown] of [
    ['0', '0.00'],
    ['0.0', '0.00'],
    ['0.01', '0.01'],
    ['25', '25.00'],
    ['25.5', '25.50'],
    ['9999999999999.99', '9999999999999.99'],
    ['999999999999999', '999999999999999.00'],
  ]) {
    const { body } = await create({ ...sale, amount })
    assert.equal(body['amount'], shown)
    assert.equal((await stack.merchant.getCheckout(String(body['checkout_id'])))['amount'], shown)
  }
})

test('NUL and lone surrogates are refused in every text, key, query and path', async () => {
  for (const bad of ['a\0b', '\ud800', 'x\udfff']) {
    assertFieldErrors(await create({ ...sale, description: bad }), { description: 'value_error.format' })
    assertFieldErrors(await create({ ...sale, metadata: { key: bad } }), { 'metadata.key': 'value_error.format' })
    assertFieldErrors(await create({ ...sale, metadata: { [bad]: 'x' } }), { metadata: 'value_error.format' })
    assertFieldErrors(await create({ ...sale, unknown: [{ deep: bad }] }), { 'unknown.0.deep': 'value_error.format' })
  }
  assertFieldErrors(await stack.merchant.call('GET', '/v1/payments?reference=%00'), { reference: 'value_error.format' })
  assertFieldErrors(await stack.merchant.call('GET', '/v1/payments/pay_%00'), { payment_id: 'value_error.format' })
  for (const path of ['/v1/payments/%', '/v1/payments/%ED%A0%80', '/v1/payments/%FF', '/v1/payments/%E0%A4%A']) {
    const reply = await stack.merchant.call('GET', path)
    assert.ok([400, 404].includes(reply.status), reply.text)
    assertError(reply, reply.status, reply.status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR')
  }
})

test('property names that JavaScript itself uses are names like any other', async () => {
  const names = '"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"'
  const reply = await create(JSON.stringify(sale).replace('{', `{"__proto__":{"amount":"1.00"},"metadata":{${names}},`))
  assert.equal(reply.status, 201, reply.text)
  assert.equal(reply.body['amount'], '25.00')
  const read = await stack.merchant.call('GET', `/v1/checkout-sessions/${reply.body['checkout_id']}`)
  for (const { text } of [reply, read]) {
    const { metadata } = JSON.parse(text) as { metadata: object }
    assert.deepEqual(Object.entries(metadata).toSorted(), [
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['hasOwnProperty', 'd'],
      ['toString', 'c'],
    ])
  }
  assert.equal(({} as Record<string, unknown>)['amount'], undefined)
})

test('metadata has at most 50 keys of 40 characters and values of 500', async () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']))
  for (const metadata of [
    {},
    keys(50),
    { ['k'.repeat(40)]: 'v'.repeat(500) },
    { emoji: '😀'.repeat(250) },
    { 'ké y': 'é ' },
  ]) {
    const reply = await create({ ...sale, metadata })
    assert.equal(reply.status, 201, reply.text)
    assert.deepEqual(reply.body['metadata'], metadata)
  }
  const refused = [
    keys(51),
    { ['k'.repeat(41)]: 'v' },
    { key: 'v'.repeat(501) },
    { key: 1 },
    { key: null },
    { key: {} },
    { '': 'v' },
  ]
  for (const metadata of [...refused, 'text', [], 5]) {
    const errors = assertError(await create({ ...sale, metadata }), 400, 'VALIDATION_ERROR')
    assert.ok(errors.every(({ field }) => field.startsWith('metadata')))
  }
  const long = await create({ ...sale, metadata: { ['k'.repeat(41)]: 'v' } })
  assert.match(String(long.body['detail']), /: is not allowed: a key has 1 to 40 characters/)
})

test('expires_in_minutes is a whole number from 1 to 1440, and 60 when it is not given', async () => {
  for (const minutes of [0, -1, 1441, 1.5, 1e9]) {
    assertFieldErrors(await create({ ...sale, expires_in_minutes: minutes }), {
      expires_in_minutes: minutes === 1.5 ? 'value_error.type' : 'value_error.range',
    })
  }
  assertFieldErrors(await create({ ...sale, expires_in_minutes: '60' }), { expires_in_minutes: 'value_error.type' })
  for (const minutes of [1, 1440, undefined]) {
    const { body } = await create({ ...sale, expires_in_minutes: minutes })
    const lives = Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']))
    assert.equal(lives, (minutes ?? 60) * 60_000)
  }
})

test('redirect targets are absolute web addresses; return_url is the older name of success_url', async () => {
  const { success_url, ...without } = sale
  for (const target of [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    '//example.com',
    '/thanks',
    'http://',
    'https://[',
    'https://exa mple.com',
    'https://example.com/\n',
    ` ${success_url}`,
    'mailto:a@example.com',
    '',
  ]) {
    assertFieldErrors(await create({ ...sale, success_url: target }), { success_url: 'value_error.format' })
    assertFieldErrors(await create({ ...without, return_url: target }), { return_url: 'value_error.format' })
    assertFieldErrors(await create({ ...sale, cancel_url: target }), { cancel_url: 'value_error.format' })
  }
  const alias = await create({ ...without, return_url: 'https://example.com/alias?id={CHECKOUT_ID}' })
  assert.equal(alias.body['success_url'], 'https://example.com/alias?id={CHECKOUT_ID}')
  const both = await create({ ...sale, return_url: 'https://example.com/alias' })
  assert.equal(both.body['success_url'], success_url)
  assert.equal((await create({ ...sale, cancel_url: null })).body['cancel_url'], null)
})

test('paying lists the errors of card and buyer at once, and repeats no digit of the card', async () => {
  const { checkout_id, client_secret } = await stack.merchant.createCheckout()
  const pay = (body: unknown) =>
    stack.merchant.call('POST', `/v1/checkout-sessions/${checkout_id}/pay`, body, {
      ...bearer(client_secret),
      ...fromAnywhere(),
    })
  assertFieldErrors(await pay({}), { payment_method: 'value_error.missing', customer_details: 'value_error.missing' })
  assertFieldErrors(await pay({ payment_method: 'USD_CARD' }), {
    card: 'value_error.missing',
    customer_details: 'value_error.missing',
  })
  const wrong = { ...card('4242 4242 4242 4241'), exp_year: 2020 }
  const reply = await pay({ payment_method: 'USD_CARD', card: wrong })
  assertFieldErrors(reply, {
    'card.number': 'value_error.format',
    'card.exp_year': 'value_error.range',
    customer_details: 'value_error.missing',
  })
  assert.ok(!reply.text.includes('4242'))
  const shapes = await pay({ payment_method: 'USD_CARD', card: { number: 5105, exp_month: 13, cvc: '12' } })
  assertFieldErrors(shapes, {
    'card.number': 'value_error.type',
    'card.exp_month': 'value_error.range',
    'card.exp_year': 'value_error.missing',
    'card.cvc': 'value_error.format',
  })
  assert.ok(!shapes.text.includes('5105'))
})

test('NOT_FOUND: an unknown path', async () => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/v1'],
    ['OPTIONS', '/v1/nothing'],
    ['POST', '/v1/payins'],
    ['GET', '/v1/checkout-sessionsx'],
    ['GET', '/v2/payments'],
    ['GET', '/v1/payments/../../etc/passwd'],
    ['GET', '//v1/payments'],
  ] as const) {
    assertError(await stack.merchant.call(method, path), 404, 'NOT_FOUND')
  }
})

test('X-API-Version: a known date is echoed, without one the default is named, an unknown one is refused', async () => {
  const read = (version?: string) =>
    stack.merchant.call('GET', '/v1/payments', undefined, version ? { 'x-api-version': version } : {})
  const current = (await read()).headers.get('x-api-version') ?? ''
  assert.match(current, /^\d{4}-\d\d-\d\d$/)
  assert.equal((await read(current)).headers.get('x-api-version'), current)
  for (const version of ['2020-01-01', 'latest', '1']) {
    assertFieldErrors(await read(version), { 'X-API-Version': 'value_error.enum' })
  }
})
