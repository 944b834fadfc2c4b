import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { depositActivities } from '../../activities/deposit.ts'
import { settled } from '../support/settled.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'
import { depositInto, openAccount } from '../support/virtual-account.ts'

const minute = 60_000

const stack = await useStack({ skipping: true, invariants: 'after each test' })
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url)
const account = await openAccount(stack.merchant, 'ada@example.com')
beforeEach(() => bankIs('sure'))

/** Whether the bank calls its next transfers final. */
const bankIs = (what: 'sure' | 'unsure') =>
  stack.sql(`alter table simulated_deposits alter column is_final set default ${what === 'sure'}`)

async function send(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { status, body: payment, text } = await depositInto(stack.merchant, account, { amount: '5000.00', ...body })
  assert.equal(status, 200, text)
  return payment
}

const statusOf = async (id: string) => (await stack.merchant.getPayment(id))['status']
const eventsOf = (id: string) => stack.sql<{ type: string }>('select type from events where resource_id = ?', [id])

test('a deposit that the bank calls final settles at once, and its process ends', async () => {
  const { payment_id, status } = await send({ session_id: 'A1' })
  assert.equal(status, 'succeeded')
  const id = String(payment_id)
  assert.equal(await stack.finished('deposit', id), 'settled')
  assert.deepEqual(await eventsOf(id), [{ type: 'collection.succeeded' }])
  assert.ok((await stack.historyLength('deposit', id)) <= 12)
})

/** Sends a transfer that the bank does not call final yet; returns the payment's id once the process only waits. */
async function sendUnsure(sessionId: string): Promise<string> {
  await bankIs('unsure')
  const { payment_id, status, amount_received, completed_at } = await send({ session_id: sessionId })
  assert.deepEqual([status, amount_received, completed_at], ['processing', '0.00', null])
  const id = String(payment_id)
  await stack.dispatched()
  await settled(stack.client, 'deposit', id)
  return id
}

const confirm = (sessionId: string) =>
  stack.sql('update simulated_deposits set is_final = true where session_id = ?', [sessionId])

test('a bank that has not confirmed is asked after 5 minutes and an hour, and nothing is posted before', async () => {
  const id = await sendUnsure('B1')
  const handle = stack.client.workflow.getHandle(`deposit/${id}`)
  const { searchAttributes } = await handle.describe()
  assert.deepEqual(searchAttributes['WaitingOn'], ['rail'])
  await stack.skip(6 * minute)
  await confirm('B1')
  await stack.skip(50 * minute)
  assert.equal(await statusOf(id), 'processing') // there was no further notice, and its hour is not over
  assert.deepEqual(await eventsOf(id), [])
  await stack.skip(10 * minute)
  assert.equal(await stack.finished('deposit', id), 'settled')
  assert.equal(await statusOf(id), 'succeeded')
  assert.deepEqual(await eventsOf(id), [{ type: 'collection.succeeded' }])
})

test('a further notice of the bank takes effect at once', async () => {
  const id = await sendUnsure('C1')
  await confirm('C1')
  const confirmedAt = await stack.clock.now()
  const again = await send({ session_id: 'C1' })
  assert.deepEqual([again['payment_id'], again['status']], [id, 'succeeded'])
  assert.equal(await stack.finished('deposit', id), 'settled')
  assert.ok((await stack.clock.now()) - confirmedAt < 4 * minute)
})

test('the amount that the bank answers counts, not the one of its notice', async () => {
  const id = await sendUnsure('D1')
  await stack.sql(`update simulated_deposits set is_final = true, amount = 70000 where session_id = 'D1'`)
  await send({ session_id: 'D1' })
  const { amount, amount_received, fee_usd } = await stack.merchant.getPayment(id)
  assert.deepEqual([amount, amount_received, fee_usd], ['70000.00', '70000.00', '0.19'])
  const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [id])
  assert.equal(JSON.parse(event?.body ?? '{}').data.settlement_amount, '69700.00')
})

test('a process that is started again after the end changes nothing', async () => {
  const id = String((await send({ session_id: 'E1' }))['payment_id'])
  await stack.finished('deposit', id)
  const about = { accountId: stack.organizationId, environment: 'sandbox', status: '', waitingOn: '', summary: '' }
  const signal = { name: 'railAnswered', args: [] }
  await stack.services.engine.dispatch({ process: 'deposit', resourceId: id, about, signal })
  assert.equal(await stack.finished('deposit', id), 'settled')
  assert.deepEqual(await eventsOf(id), [{ type: 'collection.succeeded' }])
})

test('settling twice at once, as two workers may, settles once', async () => {
  const id = await sendUnsure('F1')
  await confirm('F1')
  const { settleDeposit } = depositActivities(stack.deps)
  const at = await stack.clock.now()
  const answers = await Promise.all(Array.from({ length: 8 }, () => settleDeposit(id, at)))
  assert.deepEqual(answers, Array(8).fill(true))
  assert.deepEqual(await eventsOf(id), [{ type: 'collection.succeeded' }])
  assert.equal(await stack.finished('deposit', id), 'settled')
})

test('a bank that is unavailable or does not know the transfer yet is asked again', async () => {
  const bank = stack.deps.rails.in('sandbox').virtualAccounts
  const { lookUp } = bank
  const answers = [() => Promise.reject(new Error('the bank is unavailable')), () => Promise.resolve(null)]
  bank.lookUp = (...args) => answers.shift()?.() ?? lookUp(...args)
  try {
    const id = String((await send({ session_id: 'G1' }))['payment_id'])
    assert.equal(await stack.finished('deposit', id), 'settled')
    assert.equal(answers.length, 0)
    assert.equal(await statusOf(id), 'succeeded')
  } finally {
    bank.lookUp = lookUp
  }
})

test('a transfer that the bank has on another account is not posted here', async () => {
  const other = await openAccount(stack.merchant, 'other@example.com')
  const id = await sendUnsure('H1')
  const move = (number: string) =>
    stack.sql(`update simulated_deposits set is_final = true, account_number = ? where session_id = 'H1'`, [number])
  await move(other.account_number)
  const { settleDeposit } = depositActivities(stack.deps)
  assert.equal(await settleDeposit(id, await stack.clock.now()), false)
  const bank = stack.deps.rails.in('sandbox').virtualAccounts
  const { lookUp } = bank
  bank.lookUp = (sessionId) => lookUp(sessionId, other.account_number) // as a bank that is asked by the id alone
  await assert.rejects(settleDeposit(id, await stack.clock.now()), /another account/)
  bank.lookUp = lookUp
  assert.equal(await statusOf(id), 'processing')
  await move(account.account_number)
  assert.equal(await stack.finished('deposit', id), 'settled')
})
