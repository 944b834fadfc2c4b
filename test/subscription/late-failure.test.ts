import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// A card network answers days after a charge, when much has changed. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const payers = payersOf(stack, lives.plans)
const start = Date.parse('2027-01-01T08:00:00Z')
const dayMs = 86_400_000
const { product_id: weekly } = await lives.plans.createProduct({ recurring: { interval: 'week', interval_count: 1 } })

/** A weekly subscription at its first renewal, and the moment. */
async function atRenewal(number: string) {
  const id = await lives.begin(weekly, number, start)
  const { current_period_end: end, customer } = await lives.plans.read(id)
  const at = Date.parse(end) + 61_000
  await lives.advance(id, start, at)
  return { id, at, customerId: customer.id }
}

/** Asks for another card, which has to be possible. */
async function nameCard(id: string, customerId: string, number: string, at: number): Promise<string> {
  const card = await lives.saveCard(customerId, number, at)
  assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: card }, at), 'done')
  return card
}

/** Lets the network decline the charge on which it works. */
async function decline(id: string, at: number, failureCode = 'card_declined'): Promise<void> {
  const { paymentId } = await lives.settle(id, at)
  assert.ok(paymentId, 'a charge is under way')
  await lives.decide(paymentId, false, failureCode)
  await lives.steps.lookUpSubscriptionPayment(id, paymentId, at)
  await lives.settle(id, at)
}

const statusesOf = async (id: string) => (await lives.plans.invoices(id)).map(({ status }) => status)

test('a charge that fails after its invoice was paid otherwise does not stop the charge of the next invoice', async () => {
  const { id, at, customerId } = await atRenewal(laterCards.declines)
  await nameCard(id, customerId, laterCards.answersLate, at)
  const later = at + 7 * dayMs
  await lives.advance(id, at, later)
  assert.deepEqual(await statusesOf(id), ['paid', 'open', 'open'])
  const [, charged] = await lives.plans.invoices(id)
  assert.ok(charged)
  const { body } = await payers.tryToOpen(charged)
  await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.success, later)
  await lives.settle(id, later)
  assert.deepEqual(await statusesOf(id), ['paid', 'paid', 'open'])
  await decline(id, later)
  assert.deepEqual(await statusesOf(id), ['paid', 'paid', 'paid'], 'the next one is charged to the card of that page')
  const { status, attempt_count: attempts } = await lives.plans.read(id)
  assert.deepEqual([status, attempts], ['active', 0])
  assert.deepEqual(await checkInvariants(stack.database), [])
})
