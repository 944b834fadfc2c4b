import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { afterRepaying } from '../../domain/balance/owed.ts'
import { assertError, pageOf } from '../support/api.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { createLedgerForTest } from '../support/ledger.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack()
const api = await useApi(stack)
afterEach(async () => {
  await stack.dispatched()
  const open = `select from refunds where status in ('pending', 'processing')`
  await until(async () => (await stack.sql(open)).length === 0, 'all refunds have ended')
  await assertInvariants(stack)
})

/** A merchant whose sale of 100.00, of which 96.80 have settled, is paid out already. */
async function emptied() {
  const { merchant, accountId } = await api.addMerchant()
  const owner = { accountId, environment: 'sandbox' as const }
  const ledger = createLedgerForTest(stack)
  const charge = await merchant.chargeByCard({ ...sale, amount: '100.00' })
  const spent = await ledger.hold(owner, '96.80', Date.now())
  await ledger.pay(owner, spent, '96.80', Date.now())
  return { merchant, owner, charge, ledger }
}
const balanceOf = async (merchant: Merchant) => {
  const { items } = pageOf(await merchant.call('GET', '/v1/balances'))
  return items.find(({ currency }) => currency === 'USD')
}
const usd = (available: string, pending: string, reserved: string, owed: string) => ({
  currency: 'USD',
  available,
  pending,
  reserved,
  owed,
})
const isPaid = (merchant: Merchant, id: string) => async () => (await merchant.getRefund(id))['status'] === 'succeeded'

test('a refund that the balance cannot bear is accepted, and the account owes it', async () => {
  const { merchant, charge } = await emptied()
  assert.deepEqual(await balanceOf(merchant), usd('0.00', '0.00', '0.00', '0.00'))
  const refund = await merchant.refund(charge, { amount: 40 })
  assert.equal(refund['refund_fee_amount'], '0.30')
  await until(isPaid(merchant, refund.refund_id), 'the refund is paid')
  assert.deepEqual(await balanceOf(merchant), usd('0.00', '0.00', '0.00', '40.30'))
  const { items } = pageOf(await merchant.call('GET', '/v1/balances/transactions'))
  assert.deepEqual([items[0]?.['amount'], items[0]?.['balance_after']], ['-40.30', '-40.30'])
})

test('only the part that the balance cannot bear is owed, and what arrives repays it first', async () => {
  const { merchant, owner, charge } = await emptied()
  await endow(stack, owner.accountId, '10.00')
  const refund = await merchant.refund(charge, { amount: 40, fee_bearer: 'CUSTOMER' })
  await until(isPaid(merchant, refund.refund_id), 'the refund is paid')
  assert.deepEqual(await balanceOf(merchant), usd('0.00', '0.00', '0.00', '30.00'))
  await endow(stack, owner.accountId, '20.00')
  assert.deepEqual(await balanceOf(merchant), usd('0.00', '0.00', '0.00', '10.00'))
  await merchant.chargeByCard() // 23.97, pending for two days
  assert.deepEqual(await balanceOf(merchant), usd('0.00', '13.97', '0.00', '0.00'))
  const { items } = pageOf(await merchant.call('GET', '/v1/balances/transactions?limit=2'))
  assert.deepEqual(
    items.map(({ type, amount, balance_after }) => [type, amount, balance_after]),
    [
      ['payment', '23.97', '13.97'],
      ['payment', '20.00', '-10.00'],
    ],
  )
})

test('while anything is owed in a currency, nothing is paid out or converted of it: balance_owed', async () => {
  const { merchant, owner, charge } = await emptied()
  const destination = await addDestination(stack, owner, { currency: 'USD', scheme: 'ach' })
  const { refund_id } = await merchant.refund(charge, { amount: 30, fee_bearer: 'CUSTOMER' })
  await until(isPaid(merchant, refund_id), 'the refund is paid')
  await endow(stack, owner.accountId, '29.99')
  const payOut = (amount: string) => merchant.call('POST', '/v1/payouts', { destination, amount })
  const refused = await payOut('1.00')
  assertError(refused, 400, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(refused.body['errors'], [
    { field: 'amount', message: 'is more than the balance', type: 'value_error.range', code: 'balance_owed' },
  ])
  assert.equal(
    refused.body['detail'],
    'the account owes 0.01 USD, which is repaid first from what arrives: 0.00 USD available, 1.00 USD needed',
  )
  const { quote_id } = await exchanging(merchant).quote({ from_amount: '10.00' })
  assertError(await merchant.call('POST', '/v1/conversions', { quote_id }), 400, 'INSUFFICIENT_BALANCE')
  // Another currency's money is free.
  await endow(stack, owner.accountId, '5000.00', 'NGN')
  const naira = await addDestination(stack, owner)
  assert.equal((await merchant.call('POST', '/v1/payouts', { destination: naira, amount: '1000.00' })).status, 201)
  await endow(stack, owner.accountId, '50.00')
  assert.deepEqual(await balanceOf(merchant), usd('49.99', '0.00', '0.00', '0.00'))
  const over = await payOut('60.00')
  assertError(over, 400, 'INSUFFICIENT_BALANCE')
  assert.equal('errors' in over.body, false) // nothing is owed any more: it is only too much
  assert.equal((await payOut('40.00')).status, 201)
})

test('a refund that fails gives back what it took, and what it owed', async () => {
  const { merchant, owner, charge } = await emptied()
  await endow(stack, owner.accountId, '10.00')
  const failing = { amount: 40, fee_bearer: 'CUSTOMER', simulated_outcome: 'failed' }
  const { refund_id } = await merchant.refund(charge, failing)
  await until(async () => (await merchant.getRefund(refund_id))['status'] === 'failed', 'the refund has failed')
  assert.deepEqual(await balanceOf(merchant), usd('10.00', '0.00', '0.00', '0.00'))
  await assertInvariants(stack)
  // The same where what it owed was repaid meanwhile.
  const open = await createLedgerForTest(stack).owe(owner, '40.00', Date.now())
  await endow(stack, owner.accountId, '50.00')
  const repaying = await createLedgerForTest(stack).hold(owner, '1.00', Date.now())
  assert.deepEqual(await balanceOf(merchant), usd('19.00', '0.00', '41.00', '0.00'))
  for (const hold of [open, repaying]) await createLedgerForTest(stack).release(owner, hold, Date.now())
  assert.deepEqual(await balanceOf(merchant), usd('60.00', '0.00', '0.00', '0.00'))
  assert.equal((await merchant.call('GET', '/v1/balances')).status, 200)
})

test('sales, refunds and payouts at once: nothing is lost, nothing is paid out of owed money', async () => {
  const { merchant, owner } = await emptied()
  const ledger = createLedgerForTest(stack)
  const holds: string[] = []
  let expected = new Big(0)
  for (let round = 0; round < 12; round++) {
    const done = await Promise.allSettled([
      ...Array.from({ length: 4 }, (_, n) => ledger.earn(owner, '7.00', Date.now(), Date.now() + (n % 2) * 86_400_000)),
      ...Array.from({ length: 3 }, () => ledger.owe(owner, '11.00', Date.now())),
      ...Array.from({ length: 3 }, () => ledger.hold(owner, '2.00', Date.now())),
    ])
    done.forEach(({ status }, index) => {
      if (index < 7) assert.equal(status, 'fulfilled')
      if (status === 'fulfilled') expected = expected.plus(index < 4 ? 7 : index < 7 ? -11 : -2)
    })
    const ended = done.slice(4).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    holds.push(...ended)
    const { available, pending, owed } = (await balanceOf(merchant)) ?? {}
    assert.equal(new Big(String(available)).plus(String(pending)).minus(String(owed)).toFixed(), expected.toFixed())
    assert.ok(Number(owed) === 0 || Number(available) + Number(pending) === 0, `${available} ${pending} ${owed}`)
  }
  assert.ok(holds.length > 0)
  for (const hold of holds) {
    await ledger.release(owner, hold, Date.now())
  }
  const all = (await balanceOf(merchant)) ?? {}
  assert.deepEqual([all['reserved'], all['owed']], ['0.00', '0.00'])
  assert.equal(new Big(String(all['available'])).plus(String(all['pending'])).toFixed(), '336')
})

test('repaying takes available money first, then pending money, and never more than is owed', () => {
  const cents = fc.integer({ min: 0, max: 100_000 }).map((n) => new Big(n).div(100).toFixed())
  const property = fc.property(cents, cents, cents, (available, pending, owed) => {
    const left = afterRepaying({ available, pending, owed })
    const total = new Big(available).plus(pending).minus(owed)
    assert.equal(new Big(left.available).plus(left.pending).minus(left.owed).toFixed(), total.toFixed())
    for (const part of Object.values(left)) assert.ok(new Big(part).gte(0))
    if (!new Big(left.owed).eq(0)) assert.deepEqual([left.available, left.pending].map(Number), [0, 0])
    if (new Big(left.available).gt(0)) assert.ok(new Big(left.pending).eq(pending))
  })
  fc.assert(property)
})
