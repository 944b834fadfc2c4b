import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { operations } from '../../api/operations.ts'
import { challenge } from '../../api/http/unauthorized.ts'
import { register } from '../support/destination.ts'
import { addDestination } from '../support/payout.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { startLog } from '../support/log.ts'
import { buyer, sale } from '../support/merchant.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// An error says what was wrong, what is allowed, and what to do: nobody should have to search for it.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const { call } = stack.merchant

/** The message about each field of a refused body. */
async function messagesOf(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const errors = assertError(await call(method, path, body), 400, 'VALIDATION_ERROR')
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]))
}

test('a field that is missing or of the wrong kind is told what it takes, with an example', async () => {
  assert.deepEqual(await messagesOf('POST', '/v1/products', {}), {
    name: 'is required',
    price_type: 'is required: must be one of fixed, free, custom',
    currency: 'is required, such as "USD"',
  })
  const wrong = { ...sale, amount: 25, setup: 'yes', metadata: [], expires_in_minutes: '60', customer_details: buyer }
  assert.deepEqual(await messagesOf('POST', '/v1/checkout-sessions', wrong), {
    amount: 'must be a string, such as "25.00"',
    setup: 'must be true or false',
    metadata: 'must be an object',
    expires_in_minutes: 'must be a whole number',
  })
})

test('a text or a list that is too long or too short is told the limit', async () => {
  const { description, reference } = await messagesOf('POST', '/v1/checkout-sessions', {
    ...sale,
    description: '',
    reference: 'r'.repeat(129),
  })
  assert.deepEqual([description, reference], ['must have at least 1 character', 'must have at most 128 characters'])
  const { images } = await messagesOf('POST', '/v1/products', {
    name: 'A',
    price_type: 'free',
    currency: 'USD',
    images: Array.from({ length: 200 }, (_, index) => `upl_${index}`),
  })
  assert.match(String(images), /^must have at most \d+ items$/)
})

test('a version that is not served is told which ones are', async () => {
  const [error] = assertError(
    await call('GET', '/v1/payments', undefined, { 'x-api-version': '1' }),
    400,
    'VALIDATION_ERROR',
  )
  assert.match(String(error?.message), /^must be (one of )?\d{4}-\d\d-\d\d/)
})

test('a balance that is too low is told in its currency, with what is available', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const owner = { accountId, environment: 'sandbox' as const }
  const destination = await addDestination(stack, owner, { currency: 'USD', scheme: 'ach' })
  await endow(stack, accountId, '12.34')
  const payout = await merchant.call('POST', '/v1/payouts', { destination, amount: '1000.00' })
  assertError(payout, 400, 'INSUFFICIENT_BALANCE')
  assert.match(String(payout.body['detail']), /^the balance is too low: 12\.34 USD available, 10\d\d\.\d\d USD needed$/)
  const { quote_id } = await exchanging(merchant).quote({ from_amount: '50.00' })
  const conversion = await merchant.call('POST', '/v1/conversions', { quote_id })
  assertError(conversion, 400, 'INSUFFICIENT_BALANCE')
  assert.match(String(conversion.body['detail']), /12\.34 USD available, 50\.00 USD needed/)
})

test('a payout that needs a quote is told which one, and by which call; the call named is one of ours', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const destination = await addDestination(stack, { accountId, environment: 'sandbox' }, { currency: 'GBP' })
  const refused = await merchant.call('POST', '/v1/payouts', { destination, amount: '10.00' })
  assertError(refused, 400, 'QUOTE_REQUIRED')
  const detail = String(refused.body['detail'])
  assert.match(detail, /from USD to GBP by POST \/v1\/conversions\/quotes, and send its quote_id without amount$/)
  const quote = { from_currency: 'USD', to_currency: 'GBP', from_amount: '10.00' }
  assert.equal((await merchant.call('POST', '/v1/conversions/quotes', quote)).status, 201, 'as the error says')
})

test('a destination that cannot be paid is told why, and what to do', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const detailFor = async (destination: string) => {
    const refused = await merchant.call('POST', '/v1/payouts', { destination, amount: '10.00' })
    assertError(refused, 400, 'DESTINATION_NOT_USABLE')
    return String(refused.body['detail'])
  }
  const owner = { accountId, environment: 'sandbox' as const }
  const rejected = await addDestination(stack, owner, { status: 'rejected' })
  assert.match(await detailFor(rejected), /is rejected: register another one$/)
  const { id } = await register(merchant)
  assert.match(await detailFor(id), /is pending_review: wait until its status is approved/)
  await merchant.call('DELETE', `/v1/payouts/destinations/${id}`)
  assert.match(await detailFor(id), /was deactivated: use another one$/)
})

test('a currency or a payment method that is not possible is told the possible ones, and in which field', async () => {
  const link = { name: 'A', success_url: sale.success_url, price: { price_type: 'free', currency: 'ZZZ' } }
  const bank = { name: 'Main', type: 'bank_account', currency: 'ZZZ', account_number: '1', bank_code: '1' }
  for (const [path, body, field] of [
    ['/v1/checkout-sessions', { ...sale, currency: 'ZZZ' }, 'currency'],
    ['/v1/checkout-sessions', { ...sale, billing_currency: 'ZZZ' }, 'billing_currency'],
    ['/v1/products', { name: 'A', price_type: 'free', currency: 'ZZZ' }, 'currency'],
    ['/v1/payment-links', link, 'price.currency'],
    ['/v1/conversions/quotes', { from_currency: 'USD', to_currency: 'ZZZ', from_amount: '1.00' }, 'to_currency'],
    ['/v1/payouts/destinations', bank, 'currency'],
  ] as const) {
    const refused = await call('POST', path, body)
    const [error] = assertError(refused, 400, 'CURRENCY_NOT_SUPPORTED')
    assert.equal(error?.field, field, refused.text)
    assert.match(String(refused.body['detail']), /\bUSD\b/, `${path}: ${refused.text}`)
  }
  const session = await stack.merchant.createCheckout({ ...sale, payment_method_options: { card: {} } })
  const refused = await stack.merchant.pay(session, { payment_method: 'NGN_BANK_TRANSFER' })
  assertError(refused, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assert.match(String(refused.body['detail']), /payment_method must be one of USD_CARD, /)
  for (const [body, named] of [
    [{ payment_method: 'USD_CARD', currency: 'NGN' }, /: the currency of USD_CARD must be USD$/],
    [{ payment_method: 'CRYPTO', currency: 'EUR', asset: 'ETH_ETH' }, /of CRYPTO must be one of USD, ETH_ETH$/],
  ] as const) {
    const reply = await stack.merchant.pay(await stack.merchant.createCheckout(), body)
    assertError(reply, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
    assert.match(String(reply.body['detail']), named)
  }
})

test('a restriction that leaves no payment method is told what it may name', async () => {
  for (const payment_method_options of [{ USD_CARD: {} }, { crypto: { currencies: ['USDT'] } }]) {
    const refused = await call('POST', '/v1/checkout-sessions', { ...sale, payment_method_options })
    assertError(refused, 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
    assert.match(String(refused.body['detail']), /card, bank_transfer, mobile_money, crypto/)
  }
})

test('JSON that is not valid is told where it is not, and none of it is repeated', async () => {
  for (const [body, place] of [
    ['{"currency": "USD",\n "amount": "25.00",}', /: look at line 2, column 20$/],
    ["{'amount': '25.00'}", /: look at line 1, column 2$/],
    ['{"amount": nothing}', /UTF-8$/],
  ] as const) {
    const [error] = assertError(await call('POST', '/v1/checkout-sessions', body), 400, 'VALIDATION_ERROR')
    assert.match(String(error?.message), place)
    assert.doesNotMatch(String(error?.message), /amount|nothing/)
  }
})

test('a scope that is missing is named, with who can give it', async () => {
  const detailFor = async (secret: string) => {
    const refused = await call(
      'POST',
      '/v1/customers',
      { email: 'a@example.com' },
      { ...bearer(secret), ...fromAnywhere() },
    )
    assertError(refused, 403, 'FORBIDDEN')
    return String(refused.body['detail'])
  }
  const { key } = await api.addKey({ accountId: await api.addAccount(), scopes: ['payments:read'] })
  assert.match(await detailFor(key), /^the API key lacks the scope customers:write: an owner or admin/)
  const viewer = await addUser(stack, { accountId: stack.organizationId, role: 'viewer' })
  assert.match(await detailFor(await viewer.token()), /^the role viewer lacks the scope customers:write: ask an owner/)
})

test('a 401 says which kind of credential was seen and which is needed, and repeats none', async () => {
  const secret = 'ThisMustNotBeRepeated'
  const sent: [string, RegExp][] = [
    ['', /^No credential was sent\./],
    [`Bearer sk_sandbox_${secret}`, /API key/],
    [`Bearer chk_1_secret_${secret}`, /client secret/i],
    [`Bearer cs_1_secret_${secret}`, /customer (session|token)/],
    [`Bearer os_1_secret_${secret}`, /onboarding link/],
    [`Bearer ey${secret}.a.b`, /access token/],
    [`Basic ${secret}`, /^Basic authentication was sent\./],
    [`sk_sandbox_${secret}`, /without the word Bearer/],
    [`Bearer ${secret}`, /no known kind/],
  ]
  let seen = 0
  for (const { method, path, auth } of operations.filter((each) => !each.auth.includes('none'))) {
    for (const [authorization, kind] of sent) {
      const filled = path.replaceAll(/\{\w+\}/g, 'x')
      const refused = await call(method.toUpperCase(), filled, undefined, { authorization, ...fromAnywhere() })
      assertError(refused, 401, 'UNAUTHORIZED')
      const detail = String(refused.body['detail'])
      assert.match(detail, kind, `${method} ${path}`)
      const named = auth.filter((each) => detail.includes(names[each] ?? ''))
      // A credential of an accepted kind is told what is wrong with it, and every other one which kinds are accepted.
      if (/ This call needs /.test(detail)) assert.deepEqual(named.toSorted(), [...new Set(auth)].toSorted(), detail)
      const header = refused.headers.get('www-authenticate') ?? ''
      assert.ok(header.startsWith(challenge), header)
      assert.doesNotMatch(refused.text + header, new RegExp(secret))
      seen += 1
    }
  }
  assert.ok(seen > 1_000, String(seen))
})

const names: Record<string, string> = {
  apiKey: 'an API key',
  clientSecret: 'client secret',
  customerToken: 'the token of a customer session',
  onboardingToken: 'the token of an onboarding link',
  invitationToken: 'the token of an invitation',
  user: "a user's access token",
}

test('the request id is in every answer and in every line of the log about the call', async () => {
  const { lines, logger } = startLog()
  const rates = { ...stack.services.rates, rate: () => Promise.reject(new Error('a fault of ours')) }
  const base = await api.addProcess({ logger, rates })
  const quote = { from_currency: 'USD', to_currency: 'NGN', from_amount: '1.00' }
  const calls: [string, RequestInit, number][] = [
    ['/v1/payments', {}, 401],
    ['/v1/payments', { headers: bearer(stack.merchant.apiKey) }, 200],
    ['/v1/payments?limit=0', { headers: bearer(stack.merchant.apiKey) }, 400],
    ['/v1/nowhere', {}, 404],
    [
      '/v1/conversions/quotes',
      {
        method: 'POST',
        body: JSON.stringify(quote),
        headers: { ...bearer(stack.merchant.apiKey), 'content-type': 'application/json' },
      },
      500,
    ],
  ]
  for (const [path, options, status] of calls) {
    const response = await fetch(base + path, options)
    const text = await response.text()
    assert.equal(response.status, status, text)
    const id = response.headers.get('x-request-id') ?? ''
    assert.match(id, /^[\w-]{36}$/)
    if (status === 500) assert.ok(text.includes(id), text)
    await until(() => lines.filter((line) => line.includes(id)).length >= (status === 500 ? 2 : 1), 'the log names it')
  }
  await setTimeout(10)
  assert.deepEqual(
    lines.filter((line) => !line.includes('"requestId"')),
    [],
  )
})
