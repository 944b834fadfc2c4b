import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { createLedgerForTest } from '../support/ledger.ts'
import type { Merchant } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { addPlatform, addSeller, balanceOf, changesOf, onlyOne } from '../support/platform.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack()
const api = await useApi(stack)
afterEach(() => assertInvariants(stack))

const path = '/v1/transfers'
type Sent = { transfer_id: string; amount: string; status: string; reversed_amount: string }
async function send(from: Merchant, destination: string, amount: string, currency = 'USD'): Promise<Sent> {
  const reply = await from.call('POST', path, { destination, amount, currency })
  assert.equal(reply.status, 201, reply.text)
  return reply.body as unknown as Sent
}
const reverse = (by: Merchant, { transfer_id }: Sent, body: object = {}) =>
  by.call('POST', `${path}/${transfer_id}/reversals`, body)
const sandbox = (accountId: string) => ({ accountId, environment: 'sandbox' as const })

test('available money moves to a connected account, and both read the transfer', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, platform.accountId, '100.00')
  const body = {
    destination: seller.accountId,
    amount: '40.00',
    currency: 'usd',
    reference: 'week 7',
    description: 'x',
    metadata: { a: 'b' },
  }
  const made = await platform.merchant.call('POST', path, body)
  assert.equal(made.status, 201, made.text)
  const { transfer_id, available_at, created_at, updated_at, ...rest } = made.body as Record<string, unknown>
  assert.deepEqual(rest, {
    status: 'succeeded',
    source: platform.accountId,
    destination: seller.accountId,
    amount: '40.00',
    currency: 'USD',
    payment_id: null,
    reference: 'week 7',
    reversed_amount: '0.00',
    description: 'x',
    metadata: { a: 'b' },
  })
  assert.deepEqual([available_at, updated_at], [created_at, created_at])
  assert.deepEqual(await balanceOf(platform.merchant), ['60.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(seller.merchant), ['40.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await changesOf(seller.merchant), [['transfer', '40.00', '40.00']])
  const one = `${path}/${String(transfer_id)}`
  for (const { merchant } of [platform, seller]) {
    assert.deepEqual((await merchant.call('GET', one)).body, { ...made.body, reversals: [] })
  }
  const stranger = await api.addMerchant()
  assertError(await stranger.merchant.call('GET', one), 404, 'NOT_FOUND')
  await onlyOne(platform.merchant, path)
})

test('INSUFFICIENT_BALANCE: only available money is transferred', async () => {
  const { platform, seller } = await addPlatform(api)
  const ledger = createLedgerForTest(stack)
  await ledger.earn(sandbox(platform.accountId), '50.00', Date.now(), Date.now() + 86_400_000)
  const reply = await platform.merchant.call('POST', path, {
    destination: seller.accountId,
    amount: '0.01',
    currency: 'USD',
  })
  assertError(reply, 400, 'INSUFFICIENT_BALANCE')
})

test('NOT_FOUND: money goes only between a platform and its own connected accounts', async () => {
  const { platform, seller } = await addPlatform(api)
  const sibling = await addSeller(api, platform.accountId)
  const other = await addPlatform(api)
  await endow(stack, platform.accountId, '100.00')
  await endow(stack, seller.accountId, '100.00')
  const refused: [Merchant, string][] = [
    [platform.merchant, platform.accountId],
    [platform.merchant, other.seller.accountId],
    [platform.merchant, other.platform.accountId],
    [platform.merchant, 'acct_nobody'],
    [seller.merchant, sibling.accountId],
    [seller.merchant, other.platform.accountId],
  ]
  for (const [merchant, destination] of refused) {
    assertError(await merchant.call('POST', path, { destination, amount: '1.00', currency: 'USD' }), 404, 'NOT_FOUND')
  }
  await send(seller.merchant, platform.accountId, '30.00')
  assert.deepEqual(await balanceOf(platform.merchant), ['130.00', '0.00', '0.00', '0.00'])
})

test('a transfer without a valid amount and currency is refused', async () => {
  const { platform, seller } = await addPlatform(api)
  const post = (body: object) => platform.merchant.call('POST', path, { destination: seller.accountId, ...body })
  assertFieldErrors(await post({ amount: '0.00', currency: 'USD' }), { amount: 'value_error.range' })
  assertFieldErrors(await post({ amount: '1.001', currency: 'USD' }), { amount: 'value_error.format' })
  assertError(await post({ amount: '1.00', currency: 'ABC' }), 400, 'CURRENCY_NOT_SUPPORTED')
})

test('a transfer goes back in parts, and never more than there is of it', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, platform.accountId, '100.00')
  const sent = await send(platform.merchant, seller.accountId, '40.00')
  const part = await reverse(platform.merchant, sent, { amount: '15.00', metadata: { why: 'late' } })
  assert.equal(part.status, 201, part.text)
  assert.deepEqual(
    [part.body['amount'], part.body['transfer_id'], part.body['refund_id']],
    ['15.00', sent.transfer_id, null],
  )
  assertError(await reverse(platform.merchant, sent, { amount: '25.01' }), 400, 'REFUND_EXCEEDS_REMAINING')
  assertError(await reverse(seller.merchant, sent), 404, 'NOT_FOUND')
  assert.equal((await reverse(platform.merchant, sent)).body['amount'], '25.00')
  assertError(await reverse(platform.merchant, sent), 400, 'REFUND_EXCEEDS_REMAINING')
  assert.deepEqual(await balanceOf(platform.merchant), ['100.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '0.00', '0.00', '0.00'])
  const { row } = await onlyOne(platform.merchant, path)
  assert.deepEqual([row['status'], row['reversed_amount']], ['reversed', '40.00'])
})

test('of more than 100 reversals of a transfer the newest 100 are shown', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, platform.accountId, '100.00')
  const { transfer_id } = await send(platform.merchant, seller.accountId, '40.00')
  const at = Date.now() - 200_000
  const ids = Array.from({ length: 101 }, (_, index) => newId('trr', at + index * 1_000))
  await stack.sql(
    `insert into transfer_reversals (id, account_id, environment, transfer_id, currency, amount, metadata, created_at)
     select given.id, t.account_id, t.environment, t.id, t.currency, 0.01, '{}',
       to_timestamp((?::bigint + n * 1000) / 1000.0)
     from json_array_elements_text(?::json) with ordinality as given (id, n), transfers t where t.id = ?`,
    [at, JSON.stringify(ids), transfer_id],
  )
  const { body } = await platform.merchant.call('GET', `${path}/${transfer_id}`)
  await stack.sql(`delete from transfer_reversals where transfer_id = ?`, [transfer_id]) // nothing was posted for them
  const shown = body['reversals'] as unknown as { transfer_reversal_id: string }[]
  assert.deepEqual(
    shown.map((row) => row.transfer_reversal_id),
    ids.slice(1).toReversed(),
  )
})

test('parts reversed at once never exceed the transfer', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, platform.accountId, '100.00')
  const sent = await send(platform.merchant, seller.accountId, '40.00')
  const replies = await Promise.all(
    Array.from({ length: 9 }, () => reverse(platform.merchant, sent, { amount: '7.00' })),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 5)
  assert.deepEqual(await balanceOf(seller.merchant), ['5.00', '0.00', '0.00', '0.00'])
})

test('what a reversal finds gone is owed, and as much of the platform’s balance is held for it', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, platform.accountId, '100.00')
  const sent = await send(platform.merchant, seller.accountId, '100.00')
  const ledger = createLedgerForTest(stack)
  const gone = await ledger.hold(sandbox(seller.accountId), '100.00', Date.now())
  await ledger.pay(sandbox(seller.accountId), gone, '100.00', Date.now())
  assert.equal((await reverse(platform.merchant, sent)).status, 201)
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '0.00', '0.00', '100.00'])
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '0.00', '100.00', '0.00'])
  const destination = await addDestination(stack, sandbox(platform.accountId), { currency: 'USD', scheme: 'ach' })
  const payOut = (amount: string) => platform.merchant.call('POST', '/v1/payouts', { destination, amount })
  const [entry] = assertError(await payOut('1.00'), 400, 'INSUFFICIENT_BALANCE')
  assert.equal(entry?.code, 'connected_balance_owed')
  // It may be sent to the account that owes it, and to no other.
  const sibling = await addSeller(api, platform.accountId)
  const away = await platform.merchant.call('POST', path, {
    destination: sibling.accountId,
    amount: '1.00',
    currency: 'USD',
  })
  assertError(away, 400, 'INSUFFICIENT_BALANCE')
  await send(platform.merchant, seller.accountId, '30.00')
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '0.00', '0.00', '70.00'])
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '0.00', '70.00', '0.00'])
  // What the seller earns repays it, and frees the platform's money.
  await endow(stack, seller.accountId, '90.00')
  assert.deepEqual(await balanceOf(seller.merchant), ['20.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform.merchant), ['70.00', '0.00', '0.00', '0.00'])
  assert.equal((await payOut('60.00')).status, 201)
})

test('INSUFFICIENT_BALANCE: a platform comes to owe nothing by what an account takes back from it', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, seller.accountId, '50.00')
  const sent = await send(seller.merchant, platform.accountId, '50.00')
  const ledger = createLedgerForTest(stack)
  const gone = await ledger.hold(sandbox(platform.accountId), '20.00', Date.now())
  await ledger.pay(sandbox(platform.accountId), gone, '20.00', Date.now())
  assertError(await reverse(seller.merchant, sent), 400, 'INSUFFICIENT_BALANCE')
  assert.equal((await reverse(seller.merchant, sent, { amount: '30.00' })).status, 201)
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '0.00', '0.00', '0.00'])
})

test('opposite transfers and reversals in parallel: none waits for ever, and the sums are exact', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, platform.accountId, '500.00')
  await endow(stack, seller.accountId, '500.00')
  const sent = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      index % 2 === 0
        ? send(platform.merchant, seller.accountId, '3.00')
        : send(seller.merchant, platform.accountId, '2.00'),
    ),
  )
  await Promise.all(
    sent.map((each, index) => reverse(index % 2 === 0 ? platform.merchant : seller.merchant, each, { amount: '1.00' })),
  )
  assert.deepEqual(await balanceOf(platform.merchant), ['488.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(seller.merchant), ['512.00', '0.00', '0.00', '0.00'])
})
