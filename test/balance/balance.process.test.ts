import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from '../support/api.ts'
import { useStack } from '../support/use-stack.ts'

// Balances of real sales, while the engine's clock skips ahead.
const stack = await useStack({ skipping: true, invariants: 'at the end' })

const day = 86_400_000
const readBalance = async (currency: string) => {
  const { items } = pageOf(await stack.merchant.call('GET', '/v1/balances'))
  const { available, pending, reserved } = items.find((item) => item['currency'] === currency) ?? {}
  return [available, pending, reserved]
}

test('card money is available after two days, without a process, and a transfer’s money at once', async () => {
  const card = await stack.merchant.chargeByCard()
  const transfer = await stack.merchant.chargeByTransfer()
  await stack.dispatched()
  const { items } = pageOf(await stack.merchant.call('GET', `/v1/balances/transactions?source_id=${card}`))
  const [{ amount, balance_after, type, available_at, created_at } = {}] = items
  assert.deepEqual([items.length, type, balance_after], [1, 'payment', amount])
  assert.equal(Date.parse(String(available_at)) - Date.parse(String(created_at)), 2 * day)
  assert.deepEqual(await readBalance('USD'), ['0.00', amount, '0.00'])
  const [bank] = pageOf(await stack.merchant.call('GET', `/v1/balances/transactions?source_id=${transfer}`)).items
  assert.deepEqual(await readBalance('NGN'), [bank?.['amount'], '0.00', '0.00'])
  await stack.skip(2 * day)
  assert.deepEqual(await readBalance('USD'), [amount, '0.00', '0.00'])
})

test('a refund that its rail has not confirmed is reserved', async () => {
  const charge = await stack.merchant.chargeByCard()
  const [available, pending] = (await readBalance('USD')).map(Number)
  const { refund_id } = await stack.merchant.refund(charge, { amount: 5, reference: 'sandbox_no_answer' })
  const [, , reserved] = await readBalance('USD')
  const [item] = pageOf(await stack.merchant.call('GET', `/v1/balances/transactions?source_id=${refund_id}`)).items
  assert.equal(item?.['type'], 'refund')
  assert.equal(item?.['amount'], `-${reserved}`)
  assert.ok(Number(reserved) >= 5)
  const now = (await readBalance('USD')).map(Number)
  assert.equal(((available ?? 0) + (pending ?? 0)).toFixed(2), now.reduce((total, part) => total + part).toFixed(2))
})
