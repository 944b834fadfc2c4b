import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import { disputing } from '../support/dispute.ts'
import { sale } from '../support/merchant.ts'
import { addPlatform, balanceOf, changesOf, onlyOne } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Disputes of sales whose money was passed on, over real HTTP with real processes.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const hundred = { ...sale, amount: '100.00' } // 96.80 settle

/** A sale by a platform that passes 70.00 on to its seller. */
async function transferred() {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '70.00' }
  const charge = await platform.merchant.chargeByCard({ ...hundred, transfer_data })
  return { platform: platform.merchant, seller: seller.merchant, charge, disputes: disputing(platform.merchant) }
}

test('a dispute takes back the whole share of a sale, and gives it again when it is won', async () => {
  const { platform, seller, charge, disputes } = await transferred()
  const { dispute_id: id } = await disputes.raise(charge)
  assert.deepEqual(await balanceOf(seller), ['0.00', '0.00', '0.00', '0.00'])
  // 96.80 have settled, 100.00 and the fee of 15.00 are held: 18.20 of that are owed
  assert.deepEqual(await balanceOf(platform), ['0.00', '0.00', '115.00', '18.20'])
  const { row } = await onlyOne(platform, '/v1/transfers')
  assert.deepEqual([row['status'], row['reversed_amount']], ['reversed', '70.00'])
  await disputes.change(id, { uncategorized_text: 'winning_evidence', submit: true })
  await until(async () => (await disputes.read(id)).status === 'won', 'the dispute is won')
  assert.deepEqual(await balanceOf(seller), ['0.00', '70.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform), ['0.00', '11.80', '0.00', '0.00']) // 26.80 less the fee of the dispute
  const again = await onlyOne(platform, '/v1/transfers')
  assert.deepEqual([again.row['status'], again.row['reversed_amount']], ['succeeded', '0.00'])
  assert.deepEqual(
    (await changesOf(seller)).map(([type, amount]) => [type, amount]),
    [
      ['transfer', '70.00'],
      ['transfer_reversal', '-70.00'],
      ['transfer', '70.00'],
    ],
  )
})

test('a dispute of a part takes back that part of the share, and a lost one keeps it', async () => {
  const { platform, seller, charge, disputes } = await transferred()
  const { dispute_id: id } = await disputes.raise(charge, { amount: '25.00' })
  assert.deepEqual(await balanceOf(seller), ['0.00', '52.50', '0.00', '0.00'])
  await disputes.accept(id)
  assert.deepEqual(await balanceOf(seller), ['0.00', '52.50', '0.00', '0.00'])
  const { row } = await onlyOne(platform, '/v1/transfers')
  const { body } = await platform.call('GET', `/v1/transfers/${String(row['transfer_id'])}`)
  const [reversal] = body['reversals'] as unknown as Record<string, unknown>[]
  assert.deepEqual([reversal?.['amount'], reversal?.['refund_id'], reversal?.['canceled_at']], ['17.50', null, null])
})

test('disputes that are won and come again in any order bring all of the share back', async () => {
  const { platform, seller, charge, disputes } = await transferred()
  const first = await disputes.raise(charge, { amount: '80.00' })
  const second = await disputes.raise(charge, { amount: '20.00' })
  assert.deepEqual(await balanceOf(seller), ['0.00', '0.00', '0.00', '0.00'])
  await disputes.settle(first.dispute_id, 'withdrawn')
  const [available, pending] = (await balanceOf(seller)) ?? []
  assert.equal((Number(available) + Number(pending)).toFixed(2), '56.00')
  const third = await disputes.raise(charge)
  assert.equal(third.amount, '80.00')
  assert.deepEqual(await balanceOf(seller), ['0.00', '0.00', '0.00', '0.00'])
  for (const { dispute_id: id } of [second, third]) await disputes.accept(id)
  const { row } = await onlyOne(platform, '/v1/transfers')
  assert.equal(row['reversed_amount'], '70.00')
})

test('a refund that found too little of the share takes the rest once the dispute before it is won', async () => {
  const { platform, seller, charge, disputes } = await transferred()
  const { dispute_id: disputed } = await disputes.raise(charge, { amount: '50.00' })
  // 50.00 of the 96.80 that settled are 36.16 of the share, and the dispute has left 35.00 of it
  const refund = await platform.refund(charge, { amount: 50, reverse_transfer: true, fee_bearer: 'CUSTOMER' })
  const { id } = await onlyOne(platform, '/v1/transfers')
  const reversals = async () => {
    const { body } = await platform.call('GET', `/v1/transfers/${id}`)
    const rows = body['reversals'] as unknown as Record<string, string | null>[]
    const standing = rows.filter(({ canceled_at: canceledAt }) => canceledAt === null)
    return [body['reversed_amount'], standing.map((row) => [row['refund_id'], row['amount']])]
  }
  assert.deepEqual(await balanceOf(seller), ['0.00', '0.00', '0.00', '0.00'])
  await disputes.settle(disputed, 'withdrawn')
  const byRefund = ['1.16', '35.00'].map((amount) => [refund.refund_id, amount]) // the newest first
  assert.deepEqual(await reversals(), ['36.16', byRefund])
  const [available, pending] = (await balanceOf(seller)) ?? []
  assert.equal((Number(available) + Number(pending)).toFixed(2), '33.84')
  // What is left of the payment is disputed again: now all of it is returned, and all of the share is back.
  await disputes.raise(charge)
  assert.deepEqual(await reversals(), ['70.00', [[null, '33.84'], ...byRefund]])
})

test('a seller whose share is gone owes what a dispute takes back, and the next sale repays it', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '70.00' }
  const charge = await platform.merchant.chargeByCard({ ...hundred, transfer_data })
  // The seller has no other money, and its share is spent on the dispute of a sale of its own.
  const own = disputing(seller.merchant)
  const spent = await own.raise(await seller.merchant.chargeByCard({ ...sale, amount: '60.00' }))
  await own.accept(spent.dispute_id)
  const [, pending, , owed] = (await balanceOf(seller.merchant)) ?? []
  const left = Number(pending) - Number(owed)
  const { dispute_id: id } = await disputing(platform.merchant).raise(charge)
  const [, pendingAfter, , owedAfter] = (await balanceOf(seller.merchant)) ?? []
  assert.equal(Math.round((Number(pendingAfter) - Number(owedAfter) - left) * 100), -7_000)
  assert.ok(Number(owedAfter) > 0)
  const payout = { destination: 'pd_x', amount: '1.00' }
  assertError(await seller.merchant.call('POST', '/v1/payouts', payout), 404, 'NOT_FOUND')
  await disputing(platform.merchant).accept(id)
  await seller.merchant.chargeByCard({ ...sale, amount: '200.00' })
  const [, , , repaid] = (await balanceOf(seller.merchant)) ?? []
  assert.equal(repaid, '0.00')
})

test('a platform fee goes back with a dispute of its sale, in the same part as what the buyer takes back', async () => {
  const { platform, seller } = await addPlatform(api)
  const charge = await seller.merchant.chargeByCard({ ...hundred, platform_fee: '10.00' })
  const disputes = disputing(seller.merchant)
  const half = await disputes.raise(charge, { amount: '50.00' })
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '5.00', '0.00', '0.00'])
  const { row } = await onlyOne(platform.merchant, '/v1/platform-fees')
  assert.deepEqual([row['status'], row['refunded_amount']], ['partially_refunded', '5.00'])
  await disputes.settle(half.dispute_id, 'withdrawn')
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '10.00', '0.00', '0.00'])
})
