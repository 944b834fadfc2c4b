import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { callbackOf } from '../doubles/paystack/callbacks.ts'
import { endow } from '../support/conversion.ts'
import { assertError } from '../support/api.ts'
import { registerApproved } from '../support/destination.ts'
import { type Rail } from '../support/destination-examples.ts'
import { decideCapabilities } from '../support/live.ts'
import { secretKey, usePaystackStack } from '../support/paystack-stack.ts'
import { sendRailNews } from '../support/rail-books.ts'
import { eventsAbout } from '../support/resource-rows.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { addStaff } from '../support/staff.ts'

// Live payouts of the whole service, from the destination to the money's end, with a double of Paystack.
const { double, stack, merchant, accountId, tenant } = await usePaystackStack()
const ada = await addStaff(stack)
afterEach(() => double.worksAgain())
for (const currency of ['NGN', 'GHS', 'KES', 'USD'] as const)
  await endow(stack, accountId, '50000.00', currency, 'live')

const bankAccount = { account_number: '0000014579', bank_code: '011' } // the example of the Central Bank's standard
const addDestination = async (rail: Rail, more: object = {}) =>
  (await registerApproved(merchant, ada, rail, { ...more })).id
const destination = {
  NGN: await addDestination('NGN', bankAccount),
  GHS: await addDestination('wallet_GHS'),
  KES: await addDestination('wallet_KES'),
}

/** A payout that Paystack has, whose process only waits. */
async function sent(to: string, currency: string): Promise<string> {
  const { id } = await merchant.payOut(to, { source_currency: currency })
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  assert.equal((await merchant.getPayout(id)).status, 'processing')
  return id
}

/** Paystack moves the transfer, and its callback tells the payout's process. */
async function becomes(id: string, status: 'success' | 'failed' | 'reversed'): Promise<void> {
  double.settle(id, status)
  const data = { reference: id, status, domain: 'live', transfer_code: 'TRF_1' }
  const { body, signature } = callbackOf(secretKey, `transfer.${status}`, data)
  const header = () => signature
  const heard = { bytes: body, header, now: await stack.clock.now() }
  assert.deepEqual(await stack.services.providers.readCallback('paystack', heard), [{ about: 'payout', id }])
  await sendRailNews(stack, 'payout', id)
  await stack.dispatched()
}
const finished = (id: string) => stack.finished('payout', id)
async function availableIn(currency: string): Promise<unknown> {
  const { body } = await merchant.call('GET', '/v1/balances')
  const items = body['items'] as unknown as Record<string, string>[]
  return items.find((item) => item['currency'] === currency)?.['available']
}
const transferOf = (id: string) => double.book.transfers.get(id)
const recipientOf = (id: string) =>
  double.book.recipients.find(({ code }) => code === transferOf(id)?.recipient)?.body as Record<string, unknown>

const recipients = {
  NGN: { type: 'nuban', account_number: '0000014579', bank_code: '011', name: 'ADA OBI' },
  GHS: { type: 'mobile_money', account_number: '0241234567', bank_code: 'MTN' },
  KES: { type: 'mobile_money', account_number: '0712345678', bank_code: 'MPESA' },
} as const
for (const currency of ['NGN', 'GHS', 'KES'] as const) {
  test(`a live payout in ${currency} is sent once, and completed when Paystack says so`, async () => {
    const id = await sent(destination[currency], currency)
    assert.partialDeepStrictEqual(recipientOf(id), { ...recipients[currency], currency })
    assert.deepEqual([transferOf(id)?.amount, transferOf(id)?.currency], [100_000n, currency])
    await becomes(id, 'success')
    assert.equal(await finished(id), 'completed')
    assert.equal((await merchant.getPayout(id)).status, 'completed')
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.paid'])
    assert.equal(transferOf(id)?.executions, 1)
  })
}

test('a payout that comes back after its end is returned once, and its amount is available again', async () => {
  const before = Number(await availableIn('NGN'))
  const id = await sent(destination.NGN, 'NGN')
  await becomes(id, 'success')
  assert.equal(await finished(id), 'completed')
  for (let callback = 0; callback < 2; callback++) {
    await becomes(id, 'reversed')
    assert.equal(await finished(id), 'returned')
  }
  const payout = await merchant.getPayout(id)
  assert.ok(payout['returned_at'])
  assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.paid', 'payout.returned'])
  assert.equal(Number(await availableIn('NGN')), before - Number(payout['fee'] ?? 0))
})

test('a payout that Paystack could not deliver has failed, and all of it is available again', async () => {
  const before = await availableIn('GHS')
  const id = await sent(destination.GHS, 'GHS')
  await becomes(id, 'failed')
  assert.equal(await finished(id), 'failed')
  assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.failed'])
  assert.equal(await availableIn('GHS'), before)
})

test('a payout that Paystack calls failed after its success is shown to staff, and moves nothing more', async () => {
  const id = await sent(destination.NGN, 'NGN')
  await becomes(id, 'success')
  assert.equal(await finished(id), 'completed')
  const before = await availableIn('NGN')
  await becomes(id, 'failed')
  assert.equal(await finished(id), 'contradicted')
  assert.equal((await merchant.getPayout(id)).status, 'completed')
  assert.deepEqual(
    [await availableIn('NGN'), await eventsAbout(stack, id)],
    [before, ['payout.created', 'payout.paid']],
  )
  double.settle(id, 'success')
})

test('a payout whose success was lost is not failed by a later word of Paystack', async () => {
  const id = await sent(destination.NGN, 'NGN')
  await stack.sql('update paystack_orders set succeeded_at = now() where id = ?', [id])
  const before = await availableIn('NGN')
  await becomes(id, 'failed')
  await settled(stack.client, 'payout', id)
  assert.equal((await merchant.getPayout(id)).status, 'processing')
  assert.equal(await availableIn('NGN'), before)
  await becomes(id, 'success')
  assert.equal(await finished(id), 'completed')
})

test('a payout to an account that Paystack refuses has failed before anything was sent', async () => {
  const before = await availableIn('GHS')
  const refused = await addDestination('GHS', { account_number: '0000000001' })
  const { id } = await merchant.payOut(refused, { source_currency: 'GHS' })
  await stack.dispatched()
  assert.equal(await finished(id), 'failed')
  assert.equal(transferOf(id), undefined)
  assert.deepEqual(
    [await availableIn('GHS'), await eventsAbout(stack, id)],
    [before, ['payout.created', 'payout.failed']],
  )
})

for (const fault of ['lost', 'cut', 'broken', 'nonsense', 429] as const) {
  test(`a payout whose answer is "${fault}" is sent once, and completed`, async () => {
    double.fails('POST /transfer', fault, 2) // the recipient, and the transfer
    const { id } = await merchant.payOut(destination.KES, { source_currency: 'KES' })
    await stack.dispatched()
    for (let hours = 0; hours < 24 && !transferOf(id); hours++) await stack.skip(3_600_000)
    await settled(stack.client, 'payout', id)
    await becomes(id, 'success')
    assert.equal(await finished(id), 'completed')
    assert.deepEqual([transferOf(id)?.executions, await eventsAbout(stack, id)], [1, ['payout.created', 'payout.paid']])
  })
}

test('a lost callback costs time only: Paystack is asked within the hour', async () => {
  const id = await sent(destination.NGN, 'NGN')
  double.settle(id, 'success')
  await stack.skip(3_600_000)
  assert.equal(await finished(id), 'completed')
})

test('ACCOUNT_NOT_ACTIVATED, CAPABILITY_NOT_ACTIVE: what Paystack does not send, who may not', async () => {
  const dollars = await addDestination('USD')
  const body = (to: string) => ({ destination: to, amount: '100.00' })
  assertError(await merchant.call('POST', '/v1/payouts', body(dollars)), 400, 'ACCOUNT_NOT_ACTIVATED')
  await decideCapabilities(stack, tenant, { payouts: 'restricted' })
  assertError(await merchant.call('POST', '/v1/payouts', body(destination.NGN)), 403, 'CAPABILITY_NOT_ACTIVE')
  await decideCapabilities(stack, tenant, { payouts: 'active' })
})

test('at the end Paystack’s own lists and our books agree about everything that has moved', async () => {
  const paystack = { secretKey, callbackSecrets: [secretKey], url: double.url, livemode: true }
  await assertBooksAgree(stack.database, 'paystack', { paystack })
})
