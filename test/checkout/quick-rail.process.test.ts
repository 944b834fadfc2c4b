import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import proto from '@temporalio/proto'
import { keep } from '../support/kept-histories.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true })
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})

const { EventType } = proto.temporal.api.enums.v1
const payment = (number: string) => ({ payment_method: 'USD_CARD', card: card(number), confirm: true })

/** A session whose process has begun. */
async function openSession() {
  const session = await stack.merchant.createCheckout(sale)
  await stack.dispatched()
  await settled(stack.client, 'checkout', session.checkout_id)
  return { session, workflowId: `checkout/${session.checkout_id}` }
}

/** The steps of a process for which the engine had a task of their own. */
async function regularSteps(workflowId: string): Promise<(string | undefined | null)[]> {
  const history = await stack.client.workflow.getHandle(workflowId).fetchHistory()
  return (history.events ?? [])
    .filter(({ eventType }) => eventType === EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
    .map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name)
}

const executions = (paymentId: unknown) =>
  stack.sql<{ executions: number }>('select executions from simulated_charges where payment_id = ?', [paymentId])

test('a sale at a rail that answers at once needs no task of the engine for the rail', async () => {
  const { session, workflowId } = await openSession()
  const paid = await stack.merchant.pay(session, payment(cards.success))
  assert.equal(paid.body['status'], 'completed', paid.text)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await regularSteps(workflowId), [])
  const day = process.env['RECORD']
  const history = await stack.client.workflow.getHandle(workflowId).fetchHistory()
  if (day) keep({ name: 'checkout-paid-at-once', workflowId, history }, day)
})

test('a rail whose answer is lost at the first try is asked by a regular step, and charges once', async () => {
  const { session, workflowId } = await openSession()
  rails.errors.charge = 'loses the answer'
  const paying = stack.merchant.pay(session, payment(cards.success))
  await until(() => rails.calls.length > 1, 'the rail has been asked again')
  rails.errors.charge = null
  const { body } = await paying
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.deepEqual(await regularSteps(workflowId), ['attemptPayment'])
  assert.deepEqual(await executions(body['payment_id']), [{ executions: 1 }])
  const day = process.env['RECORD']
  const history = await stack.client.workflow.getHandle(workflowId).fetchHistory()
  if (day) keep({ name: 'checkout-paid-at-the-second-try', workflowId, history }, day)
})

test('a rail that hangs at the first try is left to a regular step: messages need not wait for it', async () => {
  const { session, workflowId } = await openSession()
  rails.errors.charge = 'hangs'
  const paying = stack.merchant.pay(session, payment(cards.success))
  await until(async () => (await regularSteps(workflowId)).length > 0, 'the rail is asked by a regular step')
  // The process answers both while the rail still hangs. A refusal is final: no regular step repeats it.
  const cancelled = await stack.merchant.cancel(session.checkout_id)
  const again = await stack.merchant.pay(session, payment(cards.success))
  assert.deepEqual([cancelled.status, again.status], [409, 409], again.text)
  assert.deepEqual(await regularSteps(workflowId), ['attemptPayment'])
  await paying
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const { charge } = (await stack.merchant.getCheckout(session.checkout_id)) as { charge: { payment_id: string } }
  assert.deepEqual(await executions(charge.payment_id), [{ executions: 1 }])
})
