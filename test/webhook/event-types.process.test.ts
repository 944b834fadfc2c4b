import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { EventType } from '../../domain/webhook/event.ts'
import { eventPayloads } from '../../schemas/event.ts'
import { sampleEvent } from '../../schemas/event-sample.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { buyer, cards, sale, transferSale } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'

// Samples prove the schemas; this file proves that real events match them. A new feature adds its own story here.
const stack = await useStack({ skipping: true, invariants: 'at the end' })
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url)

/** Plays a story, and asserts that it sends exactly these events, each of which matches its schema. */
async function eventsOf(types: EventType[], story: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const from = receiver.received.length
  await story()
  await until(() => receiver.received.length - from >= types.length, `${types.join(', ')} have arrived`)
  await stack.dispatched()
  const events = receiver.received.slice(from).map(({ event }) => event)
  assert.deepEqual(events.map(({ type }) => type).toSorted(), types.toSorted())
  for (const { type, data } of events) {
    const validator = Compile(eventPayloads[type] as TSchema)
    assert.ok(validator.Check(data), `${type} ${JSON.stringify(validator.Errors(data))}`)
  }
  return types.map((type) => events.find((event) => event.type === type)?.data ?? {})
}

test('a sale to a customer that is declined and then paid sends its events', async () => {
  const { merchant } = stack
  const [created, updated, failed, succeeded, completed] = await eventsOf(
    ['customer.created', 'customer.updated', 'collection.failed', 'collection.succeeded', 'checkout.completed'],
    async () => {
      const first = await merchant.createCheckout({ ...sale, customer: { email: buyer.email } })
      await merchant.cancel(first.checkout_id)
      const session = await merchant.createCheckout({ ...sale, customer: buyer, reference: 'order-1' })
      await merchant.payByCard(session, cards.declined)
      await merchant.payByCard(session)
    },
  )
  assert.equal(created?.['name'], null)
  assert.equal(updated?.['name'], buyer.name)
  assert.equal(failed?.['failure_code'], 'card_declined')
  assert.deepEqual([succeeded?.['amount'], succeeded?.['settlement_amount']], ['25.00', '23.97'])
  assert.equal(completed?.['payment_id'], succeeded?.['payment_id'])
})

test('a refund that succeeds, and one that fails, send their events', async () => {
  const { merchant } = stack
  const [, , created, paid] = await eventsOf(
    ['collection.succeeded', 'checkout.completed', 'refund.created', 'refund.paid'],
    async () => {
      const session = await merchant.createCheckout({ ...sale, reference: 'order-2' })
      const { payment_id } = await merchant.payByCard(session)
      await merchant.refund(String(payment_id), { amount: 10 })
    },
  )
  for (const data of [created, paid]) assert.deepEqual([data?.['amount'], data?.['reference']], ['10.00', 'order-2'])
  await eventsOf(['collection.succeeded', 'checkout.completed', 'refund.created', 'refund.failed'], async () => {
    await merchant.refund(await merchant.chargeByCard(), { simulated_outcome: 'failed' })
  })
})

test('a conversion that is executed, and one that fails, send their events', async () => {
  await endow(stack, stack.organizationId)
  const [completed] = await eventsOf(['conversion.completed'], () => exchanging(stack.merchant).convert())
  assert.deepEqual([completed?.['to_amount'], completed?.['rate'], completed?.['fee']], ['158400.00', '1600', '1.00'])
  const [failed] = await eventsOf(['conversion.failed'], () =>
    exchanging(stack.merchant).convert({ simulated_outcome: 'failed' }),
  )
  assert.equal(failed?.['from_amount'], '100.00')
  // The fields are those of the samples, because merchants write their receivers by the samples.
  for (const [type, data] of [
    ['conversion.completed', completed],
    ['conversion.failed', failed],
  ] as const) {
    assert.deepEqual(Object.keys(data ?? {}).toSorted(), Object.keys(sampleEvent(type, 0).data).toSorted())
  }
})

test('a free sale sends its event', async () => {
  const { merchant } = stack
  const [completed] = await eventsOf(['checkout.completed'], async () => {
    await merchant.pay(await merchant.createCheckout({ ...sale, amount: '0.00' }), {})
  })
  assert.deepEqual([completed?.['payment_status'], completed?.['payment_id']], ['no_payment_required', null])
})

test('an underpaid transfer whose session expires, and its late rest, send their events', async () => {
  const { merchant } = stack
  const [underpaid, expired, late] = await eventsOf(
    ['collection.underpaid', 'checkout.expired', 'collection.succeeded'],
    async () => {
      const session = await merchant.createCheckout(transferSale)
      const { payment_id } = await merchant.payByTransfer(session)
      await merchant.deposit(payment_id, { amount: '1000.00' })
      await stack.skip(2 * 3_600_000)
      await merchant.deposit(payment_id)
      await stack.finished('checkout', session.checkout_id)
    },
  )
  assert.equal(underpaid?.['amount_received'], '1000.00')
  assert.deepEqual([expired?.['status'], expired?.['payment_status']], ['expired', 'canceled'])
  assert.equal(late?.['late'], true)
})
