import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkflowUpdateFailedError } from '@temporalio/client'
import { processId, type ProcessName } from '../../domain/processes.ts'
import { endow } from '../support/conversion.ts'
import { approve, leftOpen, read, register } from '../support/destination.ts'
import { transferSale } from '../support/merchant.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { endCharge, holdAtRail } from '../support/rail-books.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// On a real Temporal server: its limits of events (51,200) and updates end a process that never continues as new.
const signalsMax = 6_000
// More than 100 signals during one task of a process once made the engine and the SDK lose it
// (docs/operating/capacity.md).
const atOnce = 250

// The engine carries out ten updates of a process at a time, and refuses all of a run after 2,000.
const [updatesAtOnce, updatesMax] = [10, 1_950]
const isRefused = (error: unknown) => error instanceof WorkflowUpdateFailedError

const stack = await useStack({ invariants: 'after each test' })
await useApi(stack)
const ada = await addStaff(stack)

/** Signals a process until it continues in a new run; returns the number of signals, or null if it never does. */
async function signalUntilContinued(
  process: ProcessName,
  id: string,
  signal: string,
  ...args: string[]
): Promise<number | null> {
  const handle = stack.client.workflow.getHandle(processId(process, id))
  const { runId } = await handle.describe()
  for (let sent = 0; sent < signalsMax; sent += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => handle.signal(signal, ...args)))
    await settled(stack.client, process, id) // otherwise signals come faster than the worker handles them
    if ((await handle.describe()).runId !== runId) return sent
  }
  return null
}

test('a payout that gets endless rail signals continues in a new run, and staff can still end it', async () => {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  await endow(stack, owner.accountId, '10000.00', 'NGN')
  const { id } = await stack.merchant.payOut(await addDestination(stack, owner, { ends: lastFour.neverAnswers }))
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  assert.notEqual(await signalUntilContinued('payout', id, 'railAnswered'), null)
  assert.equal((await stack.merchant.getPayout(id)).status, 'processing')
  const reply = await ada.onPayout(id, 'mark-failed', { reason: 'The bank has no record of it' })
  assert.deepEqual([reply.status, reply.body['state']], [200, 'executed'])
  assert.equal(await stack.finished('payout', id), 'failed')
})

test('a held payout that gets endless signals continues in a new run, and a decision still releases it', async () => {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  await endow(stack, owner.accountId, '10000.00', 'NGN')
  const destination = await addDestination(stack, owner, { ends: lastFour.completes })
  const { id } = await stack.merchant.payOut(destination, { reference: 'sandbox_hold' })
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  assert.notEqual(await signalUntilContinued('payout', id, 'railAnswered'), null)
  assert.equal((await ada.onPayout(id, 'review', { decision: 'approve' })).status, 200)
  assert.equal(await stack.finished('payout', id), 'completed')
})

test('a destination that is restated endlessly continues in a new run, and a decision still ends it', async () => {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  await stack.dispatched()
  await settled(stack.client, 'payout-destination', destination.id)
  assert.notEqual(await signalUntilContinued('payout-destination', destination.id, 'restated'), null)
  await approve(stack.merchant, ada, destination)
  assert.equal(await stack.finished('payout-destination', destination.id), 'approved')
  assert.equal((await read(stack.merchant, destination)).is_usable, true)
})

test('a sale that gets endless rail signals continues in a new run, and can still be paid', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await stack.dispatched()
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.notEqual(await signalUntilContinued('checkout', session.checkout_id, 'railAnswered', payment_id), null)
  assert.equal((await stack.merchant.deposit(payment_id)).status, 200)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('a sale that gets endless updates it refuses continues in a new run, and can still be paid', async () => {
  const session = await stack.merchant.createCheckout()
  const paymentId = await holdAtRail(stack, session)
  await settled(stack.client, 'checkout', session.checkout_id)
  const handle = stack.client.workflow.getHandle(processId('checkout', session.checkout_id))
  const { runId } = await handle.describe()
  const isContinued = async () => (await handle.describe()).runId !== runId
  const refused = async () => assert.rejects(handle.executeUpdate('cancel'), isRefused)
  for (let sent = 0; sent < updatesMax && !(await isContinued()); sent += updatesAtOnce)
    await Promise.all(Array.from({ length: updatesAtOnce }, refused))
  assert.equal(await isContinued(), true)
  await endCharge(stack, paymentId, 'succeeded')
  await handle.signal('railAnswered', paymentId)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})
