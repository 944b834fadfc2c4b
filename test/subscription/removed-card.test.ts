import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPaidInvoices } from '../../commands/subscription/pay-invoice.ts'
import { inTransaction, lock } from '../../db/core/database.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { assertError } from '../support/api.ts'
import { cards } from '../support/merchant.ts'
import { addToken, portalCalls } from '../support/portal.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'
import { untilLockWaits } from '../support/lock-waits.ts'

// A card that its customer has removed is not charged, whatever subscription still names it.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const start = Date.parse('2027-03-31T08:00:00Z')

const portalOf = async (customerId: string) => {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const, customerId }
  return portalCalls(stack.merchant, await addToken(stack, owner))
}

const chargesOf = (id: string) =>
  stack.sql('select from payments where subscription_id = ? and checkout_id is null', [id])

test('a subscription that names a removed card is past due at its renewal, and goes on with another card', async () => {
  const { product_id: product } = await lives.plans.createProduct()
  const id = await lives.begin(product, cards.success, start)
  const { customer, current_period_end: end, payment_method_id: card } = await lives.plans.read(id)
  await stack.sql('update saved_payment_methods set detached_at = now() where id = ?', [card])
  const renewal = Date.parse(end) + 60_000
  await lives.advance(id, start, renewal)
  assert.equal((await lives.plans.read(id)).status, 'past_due')
  assert.equal((await chargesOf(id)).length, 0)
  const again = { kind: 'edit' as const, payment_method_id: String(card) }
  assert.equal(await lives.ask(id, again, renewal), 'the customer has no such payment method')
  const other = await lives.saveCard(customer.id, cards.success, renewal)
  assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: other }, renewal), 'done')
  assert.equal((await lives.plans.read(id)).status, 'active')
  assert.equal((await chargesOf(id)).length, 1)
})

test('a customer removes the card of a subscription that has ended', async () => {
  const { product_id: product } = await lives.plans.createProduct()
  const id = await lives.begin(product, cards.success, start)
  const { customer, payment_method_id: card } = await lives.plans.read(id)
  const call = await portalOf(customer.id)
  assert.equal((await call('DELETE', `payment-methods/${String(card)}`)).status, 409)
  const cancel = { kind: 'cancel' as const, at_period_end: false, reason: null, comment: null }
  assert.equal(await lives.ask(id, cancel, start), 'done')
  assert.equal((await call('DELETE', `payment-methods/${String(card)}`)).status, 200)
})

test('a card is not removed while the invoice that was paid by it puts it on its subscription', async () => {
  const { product_id: product } = await lives.plans.createProduct()
  const id = await lives.begin(product, cards.success, start)
  const { customer, payment_method_id: card } = await lives.plans.read(id)
  const other = await lives.saveCard(customer.id, cards.success, start)
  assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: other }, start), 'done')
  await stack.sql('update invoices set applied_at = null where subscription_id = ?', [id])
  const call = await portalOf(customer.id)
  const [taken, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const applied = inTransaction(stack.database, async (em) => {
    await applyPaidInvoices(em, await lock(em, Subscription, id), start)
    await em.flush()
    taken.resolve()
    await decided.promise
  })
  await Promise.race([taken.promise, applied])
  const removing = call('DELETE', `payment-methods/${String(card)}`)
  await Promise.race([removing, untilLockWaits(stack.database, 'the removal waits')])
  decided.resolve()
  await applied
  assertError(await removing, 409, 'CONFLICT')
  assert.equal((await lives.plans.read(id)).payment_method_id, card)
})

test('a card named after an invoice was paid with another one stays, though its process did not know', async () => {
  const { product_id: product } = await lives.plans.createProduct()
  const id = await lives.begin(product, cards.success, start)
  const { customer } = await lives.plans.read(id)
  const other = await lives.saveCard(customer.id, cards.success, start)
  await stack.sql('update invoices set applied_at = null where subscription_id = ?', [id])
  assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: other }, start), 'done')
  await lives.steps.readSubscription(id, start)
  assert.equal((await lives.plans.read(id)).payment_method_id, other)
})

test('a card is not removed while a charge of it is under way, although the subscription has another one', async () => {
  const { product_id: product } = await lives.plans.createProduct()
  const id = await lives.begin(product, laterCards.answersLate, start)
  const { customer, current_period_end: end, payment_method_id: card } = await lives.plans.read(id)
  const renewal = Date.parse(end) + 60_000
  await lives.advance(id, start, renewal)
  const { paymentId } = await lives.settle(id, renewal)
  assert.ok(paymentId, 'a charge is under way')
  const other = await lives.saveCard(customer.id, cards.success, renewal)
  assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: other }, renewal), 'done')
  const call = await portalOf(customer.id)
  const remove = () => call('DELETE', `payment-methods/${String(card)}`)
  assertError(await remove(), 409, 'CONFLICT')
  await lives.decide(paymentId, false)
  await lives.steps.lookUpSubscriptionPayment(id, paymentId, renewal)
  assert.equal((await remove()).status, 200)
})
