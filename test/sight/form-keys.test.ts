import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStubbedPages } from '../support/stubbed-pages.ts'

// The key of a form on the dashboard, while it is not known what has become of an earlier press of its button.
const { send, answer } = await openStubbedPages()

const at = '2026-11-29T09:00:00Z'
const none = { items: [], total: 0, pagination: { next_cursor: null, prev_cursor: null } }
const reads: Record<string, object> = {
  '/api/v1/auth/me': {
    user: { id: 'usr_a', email: 'ada@example.com', full_name: 'Ada', hasOnboarded: true },
    role: 'owner',
    scopes: ['customers:write', 'products:write', 'payments:write', 'payouts:write', 'webhooks:write'],
    account_id: 'acct_a',
    environment: 'sandbox',
    environments: ['sandbox'],
    clock_ahead: null,
  },
  '/v1/webhooks/endpoints/we_a': {
    endpoint_id: 'we_a',
    url: 'https://example.com',
    enabled: true,
    events: ['*'],
    has_secret: true,
    failing_since: null,
    disabled_at: null,
    created_at: at,
  },
  '/v1/test-helpers/clocks/clk_a': { clock_id: 'clk_a', name: 'Trial', frozen_time: at, created_at: at },
}
const read = (call: string) => reads[call.slice(4).replace(/\?.*/, '')] ?? none

const form = (fields: Record<string, string>) => ({ ...fields, shown_to: 'sandbox.usr_a', form_key: 'a-key' })
const press = (path: string, fields: Record<string, string>, file?: File) => {
  const cookie = 'dashboard_access=at_any; dashboard_refresh=rt_any'
  if (!file) return send(`/dashboard/${path}`, cookie, new URLSearchParams(form(fields)))
  const long = new FormData()
  for (const [name, value] of Object.entries(form(fields))) long.append(name, value)
  long.append('file', file)
  return send(`/dashboard/${path}`, cookie, long)
}
const noFile = new File([], '')
const keyIn = (html: string) => /name="form_key" value="([^"]*)"/.exec(html)?.[1]

const unfitRow = { metadata_key_0: '', metadata_value_0: 'a value' }
for (const [path, fields, file] of [
  ['products/new', { name: 'A plan', price: '5.00', currency: 'USD', trial_days: '7' }, noFile],
  ['product-groups/new', { name: 'Plans', ...unfitRow }, noFile],
  ['customers/new', { email: 'g@example.com', ...unfitRow }, noFile],
  ['payment-links/new', { sale: 'amount', ...unfitRow }, noFile],
  ['webhooks/new', { url: 'https://example.com', which: 'chosen', account_scope: 'own' }],
  ['webhooks/we_a/rotate', { grace_hours: 'a day' }],
  ['webhooks/we_a/recover', { since: 'yesterday' }],
] as const) {
  test(`a form in which its page finds an error keeps its key, as a press may have counted: ${path}`, async () => {
    const calls = answer(read)
    const page = await press(path, fields, file)
    assert.equal(page.status, 422)
    assert.equal(keyIn(await page.text()), 'a-key')
    assert.ok(
      calls.every((call) => call.startsWith('GET ')),
      `${calls}`,
    )
  })
}

const refusals: [how: string, refused: number | string[]][] = [
  ['meets the limit', 429],
  ['meets an outage', 503],
  ['is no image', ['file']],
]
for (const [how, refused] of refusals) {
  test(`a form of a product whose image ${how} keeps its key, as a press may have counted`, async () => {
    const calls = answer((call) => (call.startsWith('GET ') ? read(call) : refused))
    const image = new File(['one'], 'a.png', { type: 'image/png' })
    const page = await press('products/new', { name: 'A plan', price: '5.00', currency: 'USD' }, image)
    assert.equal(page.status, 422)
    assert.equal(keyIn(await page.text()), 'a-key')
    assert.ok(!calls.includes('POST /v1/products'))
  })
}

test('another image of the same form is another upload, and the same image is not', async () => {
  const keys: (string | undefined)[] = []
  answer((call, key) => {
    if (call.startsWith('GET ')) return read(call)
    keys.push(key)
    return { upload_id: 'upl_a', content_type: 'image/png' }
  })
  for (const text of ['one', 'one', 'two']) {
    const image = new File([text], 'a.png', { type: 'image/png' })
    const page = await press('products/new', { name: 'A plan', price: '5.00', currency: 'USD', trial_days: '7' }, image)
    assert.equal(keyIn(await page.text()), 'a-key')
  }
  assert.equal(keys.length, 3)
  assert.ok(keys[0])
  assert.equal(keys[1], keys[0])
  assert.notEqual(keys[2], keys[0])
})

/** An organization with so many destinations that its form of a payout asks for this one alone. */
const manyDestinations = { ...none, pagination: { ...none.pagination, next_cursor: 'next' } }
const older = (answered: object | number) => (call: string) => {
  if (call.startsWith('GET /v1/payouts/destinations?')) return manyDestinations
  return call === 'GET /v1/payouts/destinations/pd_a' ? answered : read(call)
}
const payout = { destination: 'pd_a', amount: '5.00', source: '', step: 'send' }

for (const status of [429, 503]) {
  test(`a payout to an older destination that is answered ${status} is given back whole`, async () => {
    const calls = answer(older(status))
    const page = await press('payouts/new', payout)
    const html = await page.text()
    assert.equal(page.status, status)
    assert.equal(keyIn(html), 'a-key')
    assert.match(html, /name="destination" value="pd_a"/)
    assert.match(html, /name="step" value="send"/)
    assert.doesNotMatch(html, /Choose one of your destinations/)
    assert.ok(!calls.includes('POST /v1/payouts'))
  })
}

for (const [what, answered] of [
  ['there is none', 404],
  ['it is no longer usable', { id: 'pd_a', currency: 'GBP', is_usable: false }],
] as const) {
  test(`a payout to an older destination asks for another one where ${what}`, async () => {
    answer(older(answered))
    const page = await press('payouts/new', payout)
    assert.equal(page.status, 422)
    assert.doesNotMatch(await page.text(), /name="form_key"/)
  })
}

test('an advance of a clock that meets the limit is given back with its key', async () => {
  answer((call) => (call.startsWith('GET ') ? read(call) : 429))
  const page = await press('test-clocks/clk_a/advance', { by: 'P1D' })
  const html = await page.text()
  assert.equal(page.status, 429)
  assert.match(html, /Too many attempts/)
  assert.equal(keyIn(html), 'a-key')
})
