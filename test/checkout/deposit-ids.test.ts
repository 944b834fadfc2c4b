import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sale, transferSale } from '../support/merchant.ts'
import { type Stack } from '../support/stack.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { depositInto, openAccount } from '../support/virtual-account.ts'

// A rail's id of a deposit is unique at that rail and for one payment or virtual account, never across tenants.
const stack = await useStack({ invariants: 'after each test' })
const api = await useApi(stack)

type Merchant = Stack['merchant']

async function paidByTransfer(merchant: Merchant, session_id: string) {
  const { payment_id } = await merchant.payByTransfer(await merchant.createCheckout(transferSale))
  const { status, text, body } = await merchant.deposit(payment_id, { session_id })
  assert.deepEqual([status, body['status']], [200, 'succeeded'], text)
}

async function paidByCoins(merchant: Merchant, tx_hash: string) {
  const { payment_id } = await merchant.payByCrypto(await merchant.createCheckout(sale))
  const { status, text } = await merchant.deposit(payment_id, { tx_hash })
  assert.equal(status, 200, text)
  for (let tries = 0; tries < 100; tries++) {
    const payment = await merchant.getPayment(payment_id)
    if (payment['status'] === 'succeeded') return
    await sleep(100)
  }
  assert.fail('the coins are never posted')
}

test('coins whose hash equals another account’s bank session id are posted', async () => {
  const { merchant: other } = await api.addMerchant()
  await paidByTransfer(stack.merchant, 'EQUAL1')
  await paidByCoins(other, 'EQUAL1')
  const [row] = await stack.sql(`select count(*)::int as count from ledger_transactions where kind = 'deposit'`)
  assert.deepEqual(row, { count: 2 })
})

test('the same account may receive a transfer and coins of the same id', async () => {
  await paidByTransfer(stack.merchant, 'EQUAL2')
  await paidByCoins(stack.merchant, 'EQUAL2')
})

test('two tenants’ transfers of one session id are both posted, to sessions and to virtual accounts', async () => {
  const { merchant: other } = await api.addMerchant()
  await paidByTransfer(stack.merchant, 'EQUAL3')
  await paidByTransfer(other, 'EQUAL3')
  const ids = []
  for (const [merchant, email] of [
    [stack.merchant, 'one@example.com'],
    [other, 'two@example.com'],
  ] as const) {
    const account = await openAccount(merchant, email)
    const { status, text, body } = await depositInto(merchant, account, { amount: '100.00', session_id: 'EQUAL4' })
    assert.deepEqual([status, body['status'], body['amount_received']], [200, 'succeeded', '100.00'], text)
    ids.push(body['payment_id'])
  }
  assert.notEqual(ids[0], ids[1])
})

test('a transfer that the rail reports twice is posted once', async () => {
  const { payment_id } = await stack.merchant.payByTransfer(await stack.merchant.createCheckout(transferSale))
  for (let n = 0; n < 2; n++) {
    await stack.merchant.deposit(payment_id, { session_id: 'EQUAL5', amount: '1000.00' })
    const session = await stack.merchant.getPayment(payment_id)
    await stack.client.workflow.getHandle(`checkout/${session['checkout_id']}`).signal('railAnswered', payment_id)
  }
  await stack.merchant.deposit(payment_id, { session_id: 'EQUAL6' })
  const posted = await stack.sql(
    `select source_id from ledger_transactions where kind = 'deposit' and source_id like ?`,
    [`${payment_id}/%`],
  )
  assert.equal(posted.length, 2)
})
