import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFieldErrors, fromAnywhere } from '../support/api.ts'
import { destinations } from '../support/destination-examples.ts'
import { buyer, sale } from '../support/merchant.ts'
import { createLink, newLink, slugOf } from '../support/payment-link.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Invisible characters: they end a header, control a terminal, or make one address look like another.
const stack = await useStack({ workers: false })
await useApi(stack)
const { merchant } = stack

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
const lineEnds = ['\t', '\n', '\r', '\u2028', '\u2029']
const controls = [...range(0, 8), '\v', '\f', ...range(0x0e, 0x1f), ...range(0x7f, 0x9f)]
const overrides = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]
const invisible = ['\u00ad', ...range(0x200b, 0x200f), ...range(0x2060, 0x2064), '\ufeff']

type Case = { method?: string; path: string; body: object; fields: Record<string, (character: string) => object> }

/** Asserts that each character is refused in each field of a body that is valid otherwise. */
async function assertRefused(cases: Case[], characters: string[]): Promise<void> {
  for (const { method = 'POST', path, body, fields } of cases) {
    for (const [field, withCharacter] of Object.entries(fields)) {
      for (const character of characters) {
        const what = `${path} ${field} U+${character.codePointAt(0)?.toString(16)}`
        const reply = await merchant.call(method, path, { ...body, ...withCharacter(character) }, fromAnywhere())
        assert.equal(reply.status, 400, `${what}: ${reply.text}`)
        assertFieldErrors(reply, { [field]: 'value_error.format' })
      }
    }
  }
}

test('an email with an invisible character is refused', async () => {
  const email = (character: string) => `ada${character}@example.com`
  const link = await createLink(merchant)
  await assertRefused(
    [
      { path: '/v1/customers', body: {}, fields: { email: (character) => ({ email: email(character) }) } },
      {
        path: '/v1/checkout-sessions',
        body: sale,
        fields: { 'customer.email': (character) => ({ customer: { email: `ada@exam${character}ple.com` } }) },
      },
      {
        path: `/v1/payment-links/${slugOf(link)}/sessions`,
        body: {},
        fields: { customer_email: (character) => ({ customer_email: `ada@example.c${character}om` }) },
      },
      {
        path: '/api/v1/auth/login',
        body: { password: 'a-password', login_token: 'x' },
        fields: { email: (character) => ({ email: email(character) }) },
      },
    ],
    [...lineEnds, ...controls, ...overrides, ...invisible],
  )
})

test('a URL with a line break or another invisible character is refused', async () => {
  const url = (character: string) => `https://example.com/${character}thanks`
  await assertRefused(
    [
      {
        path: '/v1/checkout-sessions',
        body: sale,
        fields: {
          success_url: (character) => ({ success_url: url(character) }),
          return_url: (character) => ({ return_url: url(character) }),
          cancel_url: (character) => ({ cancel_url: `${url('')}${character}` }),
        },
      },
      {
        path: '/v1/payment-links',
        body: newLink,
        fields: { success_url: (character) => ({ success_url: url(character) }) },
      },
      { path: '/v1/webhooks/endpoints', body: {}, fields: { url: (character) => ({ url: url(character) }) } },
      {
        method: 'PUT',
        path: '/api/v1/notifications/webhooks/configuration',
        body: {},
        fields: { webhook_url: (character) => ({ webhook_url: `https://exam${character}ple.com` }) },
      },
    ],
    [...lineEnds, ...controls, ...overrides, ...invisible],
  )
})

test('names and references are one line, because receipts, mails and statements show them', async () => {
  const names = (field: string) => ({ [field]: (character: string) => ({ [field]: `Ada${character}Buyer` }) })
  const link = await createLink(merchant)
  const product = { name: 'A', price_type: 'free', currency: 'USD' }
  await assertRefused(
    [
      { path: '/v1/customers', body: { email: 'ada@example.com' }, fields: names('name') },
      { path: '/v1/checkout-sessions', body: sale, fields: names('reference') },
      {
        path: '/v1/checkout-sessions',
        body: sale,
        fields: { 'customer.name': (character) => ({ customer: { ...buyer, name: `A${character}` } }) },
      },
      { path: '/v1/products', body: product, fields: names('name') },
      { path: '/v1/product-groups', body: { products: ['prod_x'] }, fields: names('name') },
      { path: '/v1/payment-links', body: newLink, fields: names('name') },
      {
        path: `/v1/payment-links/${slugOf(link)}/sessions`,
        body: {},
        fields: { ...names('customer_name'), ...names('reference') },
      },
      {
        path: '/v1/payouts/destinations',
        body: { name: 'A', ...destinations.USD },
        fields: { ...names('name'), ...names('account_name') },
      },
      { path: '/api/v1/payments/refunds', body: { charge_id: 'pay_x' }, fields: names('reference') },
    ],
    [...lineEnds, '\0', '\u001b', '\u0085', ...overrides],
  )
})

test('a name of invisible characters only counts as blank', async () => {
  for (const name of ['\u200b', ' \u2060 ', '\ufeff', '\u200e\u200f']) {
    assertFieldErrors(await merchant.call('POST', '/v1/customers', { email: 'a@example.com', name }), {
      name: 'value_error.format',
    })
  }
})

test('control characters are refused in every text; line breaks, joiners and other scripts are accepted', async () => {
  for (const character of controls) {
    for (const body of [
      { ...sale, metadata: { note: `a${character}` } },
      { ...sale, description: `a${character}` },
      { ...sale, metadata: { [`a${character}`]: 'a' } },
    ]) {
      assert.equal((await merchant.call('POST', '/v1/checkout-sessions', body)).status, 400)
    }
  }
  const described = { ...sale, description: 'Two lines:\r\n\tone\ntwo', metadata: { note: 'a\nb\tc' } }
  assert.equal((await merchant.call('POST', '/v1/checkout-sessions', described)).status, 201)
  for (const name of [
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d👩\u200d👧',
    'Ọláìyá',
    'O’Neill',
    '王小明',
    'Żółć  Ñandú',
  ]) {
    const email = `${crypto.randomUUID()}@example.com`
    const { status, body, text } = await merchant.call('POST', '/v1/customers', { email, name })
    assert.equal(status, 201, text)
    assert.equal(body['name'], name)
  }
  const addresses = ['https://例え.jp/ありがとう?a=%0A', 'https://example.com/thanks?id={CHECKOUT_ID}']
  for (const success_url of addresses) {
    assert.equal((await merchant.call('POST', '/v1/checkout-sessions', { ...sale, success_url })).status, 201)
  }
})
