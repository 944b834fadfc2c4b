import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChargeOrder, Rail } from '../../rails/rail.ts'
import { platformSettings } from '../../domain/platform/account-settings.ts'
import { assertError, assertFieldErrors, bearer, pageOf } from '../support/api.ts'
import { actingFor } from '../support/endpoints.ts'
import { buyer, card, cards, type Merchant, sale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { pdf, png, sendFile } from '../support/upload.ts'
import { addUser } from '../support/user.ts'

const path = '/v1/account'
type Json = Record<string, unknown>

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const patch = (merchant: Pick<Merchant, 'call'>, body: unknown, headers = {}) =>
  merchant.call('PATCH', path, body, headers)
async function ok(reply: ReturnType<Merchant['call']>): Promise<Json> {
  const { status, text, body } = await reply
  assert.equal(status, 200, text)
  return body
}
const read = (merchant: Pick<Merchant, 'call'>) => ok(merchant.call('GET', path))

const defaults = {
  late_payment_policy: 'accept',
  refund_fee_bearer: 'ORG',
  display_name: 'Another Organization',
  support_email: null,
  logo: null,
  accent_color: null,
  timezone: 'UTC',
  dunning: platformSettings.dunning,
  statement_text: null,
}
const all = {
  late_payment_policy: 'refund',
  refund_fee_bearer: 'CUSTOMER',
  display_name: 'Ada’s Books',
  support_email: 'help@example.com',
  accent_color: '#1a73e8',
  timezone: 'Africa/Lagos',
  dunning: [1, 3],
  statement_text: 'ADA BOOKS',
}

test('Own account: settings that nobody has set have the platform’s values', async () => {
  const { merchant, accountId } = await api.addMerchant()
  assert.deepEqual(await read(merchant), { account_id: accountId, name: 'Another Organization', ...defaults })
})

test('Own account: PATCH merges and answers the settings in force, and null clears an optional one', async () => {
  const { merchant, accountId: account_id } = await api.addMerchant()
  const rest = { account_id, name: 'Another Organization', logo: null }
  assert.deepEqual(await ok(patch(merchant, all)), { ...rest, ...all })
  assert.deepEqual(await ok(patch(merchant, {})), { ...rest, ...all })
  const one = { accent_color: '#ABCDEF', support_email: 'Help@Example.com' }
  const lower = { accent_color: '#abcdef', support_email: 'help@example.com' }
  assert.deepEqual(await ok(patch(merchant, one)), { ...rest, ...all, ...lower })
  const none = { display_name: null, support_email: null, accent_color: null, statement_text: null, logo: null }
  const back = { ...rest, ...all, ...none, display_name: 'Another Organization' }
  assert.deepEqual(await ok(patch(merchant, none)), back)
  assert.deepEqual(await read(merchant), back)
})

test('Own account: sandbox, live and every other account have their own settings', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const live = await api.addKey({ accountId, environment: 'live' })
  const connected = actingFor(merchant, await api.addConnected(accountId))
  const stranger = await api.addMerchant()
  await ok(patch(merchant, all))
  for (const other of [live.merchant, connected, stranger.merchant]) {
    const { account_id: _, ...rest } = await read(other)
    assert.deepEqual(rest, { name: 'Another Organization', ...defaults })
  }
  await ok(patch(connected, { timezone: 'Asia/Tokyo' }))
  assert.equal((await read(merchant))['timezone'], 'Africa/Lagos')
  assertError(await patch(actingFor(stranger.merchant, accountId), {}), 404, 'NOT_FOUND')
})

test('Own account: all errors are listed at once, and a change with an error is not stored', async () => {
  const { merchant } = await api.addMerchant()
  const wrong = {
    late_payment_policy: 'keep',
    refund_fee_bearer: 'org',
    display_name: '   ',
    support_email: 'nobody',
    accent_color: 'red',
    timezone: 'Mars/Olympus',
    dunning: [0],
    statement_text: '1234',
  }
  assertFieldErrors(await patch(merchant, { ...all, ...wrong }), {
    late_payment_policy: 'value_error.enum',
    refund_fee_bearer: 'value_error.enum',
    display_name: 'value_error.format',
    support_email: 'value_error.format',
    accent_color: 'value_error.format',
    timezone: 'value_error.format',
    'dunning.0': 'value_error.range',
    statement_text: 'value_error.format',
  })
  for (const timezone of ['+01:00', 'UTC+1', '', 'africa', 'Africa/Lagos ', '../etc']) {
    assertFieldErrors(await patch(merchant, { timezone }), { timezone: 'value_error.format' })
  }
  for (const [dunning, field] of [
    [[], 'dunning'],
    [Array(11).fill(1), 'dunning'],
    [[1, 61], 'dunning.1'],
  ] as const) {
    assertFieldErrors(await patch(merchant, { dunning }), { [field]: 'value_error.range' })
  }
  assert.partialDeepStrictEqual(await read(merchant), defaults)
})

test('Own account: the logo is an image of the account, and cannot be deleted while it is shown', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const stranger = await api.addMerchant()
  const live = await api.addKey({ accountId, environment: 'live' })
  const idOf = async (by: Merchant, bytes: Buffer) => String((await sendFile(by, bytes)).body['upload_id'])
  const [first, second] = [await idOf(merchant, png), await idOf(merchant, png)]
  const others = [await idOf(stranger.merchant, png), await idOf(live.merchant, png), await idOf(merchant, pdf)]
  for (const logo of [...others, 'upl_of_nobody', '']) {
    assertFieldErrors(await patch(merchant, { logo, timezone: 'Asia/Tokyo' }), { logo: 'value_error' })
  }
  assert.equal((await read(merchant))['timezone'], 'UTC')
  const remove = (id: string) => merchant.call('DELETE', `/v1/utilities/uploads/${id}`)
  await ok(patch(merchant, { logo: first }))
  await ok(patch(merchant, { logo: first }))
  assertError(await remove(first), 409, 'CONFLICT')
  assert.equal((await ok(patch(merchant, { logo: second })))['logo'], second)
  assert.equal((await remove(first)).status, 200)
  assertError(await remove(second), 409, 'CONFLICT')
  await ok(patch(merchant, { logo: null }))
  assert.equal((await remove(second)).status, 200)
})

test('Own account: first changes at the same time all count, and one repeated with its key counts once', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const changes = [{ timezone: 'Asia/Tokyo' }, { dunning: [9] }, { accent_color: '#000000' }, { display_name: 'One' }]
  for (const { status, text } of await Promise.all(changes.map((change) => patch(merchant, change)))) {
    assert.equal(status, 200, text)
  }
  assert.partialDeepStrictEqual(await read(merchant), Object.assign({}, ...changes) as Json)
  const key = { 'idempotency-key': 'once' }
  const [one, two] = [await patch(merchant, all, key), await patch(merchant, all, key)]
  assert.equal(one.text, two.text)
  await ok(patch(merchant, all))
  const rows = await stack.sql<Json>(
    `select action, target, key_id is not null as by_key from audit_entries where account_id = ?`,
    [accountId],
  )
  const row = { action: 'account_settings.changed', target: accountId, by_key: true }
  assert.deepEqual(rows, [row, row, row, row, row], 'a change without effect leaves no row')
})

test('FORBIDDEN: accounts:read does not change the account, and neither does a viewer', async () => {
  const { merchant } = await api.addKey({ accountId: await api.addAccount(), scopes: ['accounts:read'] })
  assert.equal((await merchant.call('GET', path)).status, 200)
  assertError(await patch(merchant, {}), 403, 'FORBIDDEN')
  const viewer = bearer(await (await addUser(stack, { accountId: stack.organizationId, role: 'viewer' })).token())
  assert.equal((await stack.merchant.call('GET', path, undefined, viewer)).status, 200)
  assertError(await stack.merchant.call('PATCH', path, {}, viewer), 403, 'FORBIDDEN')
})

test('Own account: buyers see the name, the logo, the colour and the support address', async (t) => {
  const pages = await openPages(stack)
  t.after(pages.stop)
  const { merchant } = await api.addMerchant()
  const logo = String((await sendFile(merchant, png)).body['upload_id'])
  await ok(patch(merchant, { ...all, logo }))
  const session = await merchant.createCheckout()
  const secret = bearer(session.client_secret)
  const { body } = await merchant.call('GET', `/v1/checkout-sessions/${session.checkout_id}/public`, undefined, secret)
  const seen = body as Json
  assert.equal(seen['merchant_name'], 'Ada’s Books')
  const logo_url = `${stack.baseUrl}/uploads/${logo}`
  assert.deepEqual(seen['merchant'], { support_email: 'help@example.com', accent_color: '#1a73e8', logo_url })
  assert.equal((await fetch(logo_url)).status, 200)
  const page = async () => (await fetch(pages.addressOf(session.checkout_url))).text()
  const open = await page()
  for (const text of ['Ada’s Books', `src="/uploads/${logo}"`, '<meta name="theme-color" content="#1a73e8">']) {
    assert.ok(open.includes(text), text)
  }
  await merchant.payByCard(session)
  const receipt = await page()
  for (const text of ['Ada’s Books', `src="/uploads/${logo}"`, 'mailto:help@example.com']) {
    assert.ok(receipt.includes(text), text)
  }
})

test('Own account: refund_fee_bearer bears the fee of later refunds that name no bearer', async () => {
  const { merchant } = await api.addMerchant()
  const { payment_id: charge_id } = await merchant.payByCard(await merchant.createCheckout())
  const refund = async (more: Json = {}) =>
    (await merchant.call('POST', '/api/v1/payments/refunds', { charge_id, reference: 'r', amount: 2, ...more })).body
  assert.equal((await refund())['fee_bearer'], 'ORG')
  await ok(patch(merchant, { refund_fee_bearer: 'CUSTOMER' }))
  assert.equal((await refund())['fee_bearer'], 'CUSTOMER')
  assert.equal((await refund({ fee_bearer: 'ORG' }))['fee_bearer'], 'ORG')
})

test('Own account: statement_text goes to the card rail, and a repeated order has the same one', async (t) => {
  const { merchant } = await api.addMerchant()
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  t.after(() => void (rails.of = of))
  const orders: ChargeOrder[] = []
  rails.of = (corridor): Rail<'sandbox'> => {
    const rail = of(corridor)
    const charge: Rail<'sandbox'>['charge'] = async (order, at) => {
      orders.push(order)
      if (orders.length === 1) {
        await ok(patch(merchant, { statement_text: 'Another text' }))
        throw new Error('the connection was cut')
      }
      return rail.charge(order, at)
    }
    return { ...rail, charge }
  }
  await ok(patch(merchant, { statement_text: 'ADA BOOKS' }))
  const session = await merchant.createCheckout()
  const choice = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer, confirm: true }
  await merchant.pay(session, choice)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  await merchant.payByCard(await merchant.createCheckout())
  await merchant.payByTransfer(await merchant.createCheckout({ ...sale, amount: '5000.00', currency: 'NGN' }))
  assert.deepEqual(
    orders.map(({ statementText }) => statementText),
    ['ADA BOOKS', 'ADA BOOKS', 'Another text', null],
  )
})

test('GET /v1/payments filters by subscription_id, and an unknown one matches nothing', async () => {
  const { merchant } = await api.addMerchant()
  await merchant.payByCard(await merchant.createCheckout())
  const { subscription_id: subscription } = await subscriptionsOf({ ...stack, merchant }).subscribe()
  const [{ id: one } = { id: '' }] = await stack.sql<{ id: string }>(
    'select id from payments where subscription_id = ?',
    [subscription],
  )
  const find = async (id: string) =>
    pageOf(await merchant.call('GET', `/v1/payments?subscription_id=${id}`)).items.map(({ payment_id: found }) => found)
  assert.deepEqual(await find(subscription), [one])
  assert.equal((await merchant.getPayment(one))['subscription_id'], subscription)
  for (const none of ['sub_01m82p9whs58nc3rwe3kk4g31dtsk985vx', 'nonsense']) assert.deepEqual(await find(none), [])
  const stranger = await api.addMerchant()
  const theirs = await stranger.merchant.call('GET', `/v1/payments?subscription_id=${subscription}`)
  assert.equal(pageOf(theirs).pagination.total, 0)
  const long = await merchant.call('GET', `/v1/payments?subscription_id=${'s'.repeat(65)}`)
  assertFieldErrors(long, { subscription_id: 'value_error.range' })
})
