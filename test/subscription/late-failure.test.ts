import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subscriptionActivities } from '../../activities/subscription/subscription.ts'
import { inTransaction, lock } from '../../db/core/database.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'
import { untilLockWaits } from '../support/lock-waits.ts'

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

test('a late failure for an invoice that is paid does not stop the charge of the next one', async () => {
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

/** What becomes of an invoice while the card network is away. */
const ends = {
  async 'ended its subscription'(id: string, at: number) {
    const cancel = { kind: 'cancel' as const, at_period_end: false, reason: null, comment: null }
    assert.equal(await lives.ask(id, cancel, at), 'done')
  },
  async 'paid it in another way'(id: string, at: number) {
    const unpaid = (await lives.plans.invoices(id)).at(-1)
    assert.ok(unpaid)
    const { body } = await payers.tryToOpen(unpaid)
    await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.success, at)
  },
}

for (const [end, endIt] of Object.entries(ends)) {
  for (const step of ['chargeSubscription', 'lookUpSubscriptionPayment'] as const) {
    test(`a charge that has not reached its network is not sent after a customer has ${end}: ${step}`, async (t) => {
      const setups = stack.deps.rails.in('sandbox').cardSetupsOf('USD_CARD')
      const { chargeSaved } = setups
      t.after(() => void (setups.chargeSaved = chargeSaved))
      const id = await lives.begin(weekly, cards.success, start)
      const at = Date.parse((await lives.plans.read(id)).current_period_end) + 61_000
      setups.chargeSaved = () => Promise.reject(new Error('the network is away'))
      await assert.rejects(lives.advance(id, start, at), /no answer/)
      const payment = String((await lives.plans.invoices(id)).at(-1)?.['payment_id'])
      await endIt(id, at)
      setups.chargeSaved = chargeSaved
      if (step === 'chargeSubscription') await lives.steps.chargeSubscription(id, at)
      else await lives.steps.lookUpSubscriptionPayment(id, payment, at)
      const { status, failure_code } = await lives.plans.ok<Record<string, string>>('GET', `/v1/payments/${payment}`)
      assert.deepEqual([status, failure_code], ['failed', 'rail_unavailable'])
      const charged = await stack.sql('select from simulated_charges where payment_id = ? and executions > 0', [
        payment,
      ])
      assert.equal(charged.length, 0)
      await lives.settle(id, at)
      assert.deepEqual(await checkInvariants(stack.database), [])
    })
  }
}

for (const [amount, feePreference] of [
  ['25.00', 'org_pays'],
  ['25.00', 'customer_pays'],
  ['0.55', 'org_pays'],
] as const) {
  test(`a card charged after somebody ended the subscription is repaid whole: ${amount} ${feePreference}`, async () => {
    const { product_id: plan } = await lives.plans.createProduct({
      amount,
      recurring: { interval: 'week', interval_count: 1 },
    })
    const id = await lives.begin(plan, laterCards.answersLate, start, { fee_preference: feePreference })
    const at = Date.parse((await lives.plans.read(id)).current_period_end) + 61_000
    await lives.advance(id, start, at)
    const { paymentId } = await lives.settle(id, at)
    assert.ok(paymentId, 'a charge is under way')
    const now = { kind: 'cancel', at_period_end: false, reason: null, comment: null } as const
    assert.equal(await lives.ask(id, now, at), 'done')
    await lives.decide(paymentId, true)
    await lives.steps.lookUpSubscriptionPayment(id, paymentId, at)
    const sent = await stack.sql(
      `select p.amount_received = r.requested_amount as whole, p.fee = 0 as free, r.fee_amount = 0 as "sentFree"
       from payments p join refunds r on r.charge_id = p.id where p.id = ?`,
      [paymentId],
    )
    assert.deepEqual(sent, [{ whole: true, free: true, sentFree: true }])
    await lives.settle(id, at)
    assert.deepEqual(await checkInvariants(stack.database), [])
  })
}

for (const failureCode of ['card_declined', 'expired_card']) {
  test(`a card named while the old one is charged is charged at once when that one fails: ${failureCode}`, async () => {
    const { id, at, customerId } = await atRenewal(laterCards.answersLate)
    await nameCard(id, customerId, cards.success, at)
    assert.deepEqual(await statusesOf(id), ['paid', 'open'], 'the charge of the old card is still under way')
    await decline(id, at + dayMs, failureCode)
    assert.deepEqual(await statusesOf(id), ['paid', 'paid'])
    assert.equal((await lives.plans.read(id)).status, 'active')
  })
}

/** The steps of a worker that makes them at a moment, however long ago their process has asked for them. */
const stepsAt = (moment: number) =>
  subscriptionActivities({ ...stack.deps, database: { ...stack.database, clock: { now: async () => moment } } })

const nextAttemptOf = async (id: string) => Date.parse(String((await lives.plans.read(id))['next_payment_attempt_at']))

test('a charge that failed days after it was asked for is tried again by the schedule, from then on', async () => {
  const { id, at } = await atRenewal(laterCards.answersLate)
  const { paymentId } = await lives.settle(id, at)
  assert.ok(paymentId, 'a charge is under way')
  await lives.decide(paymentId, false)
  const failedAt = at + 6 * dayMs
  await stepsAt(failedAt).lookUpSubscriptionPayment(id, paymentId, at)
  assert.equal(await nextAttemptOf(id), failedAt + 2 * dayMs)
})

test('a charge for which there was no card any more, days later, is tried again by the schedule too', async () => {
  const id = await lives.begin(weekly, cards.success, start)
  const { current_period_end: end, customer } = await lives.plans.read(id)
  const at = Date.parse(end) + 61_000
  await lives.steps.takeSubscriptionStep(id, at)
  await stack.sql('update saved_payment_methods set detached_at = ? where customer_id = ?', [end, customer.id])
  const failedAt = at + 6 * dayMs
  await stepsAt(failedAt).chargeSubscription(id, at)
  assert.equal(await nextAttemptOf(id), failedAt + 2 * dayMs)
})

test('a card named while the last attempt is under way is charged before the subscription would end', async () => {
  await lives.plans.ok('PATCH', '/v1/account', { dunning: [1] })
  const { id, at, customerId } = await atRenewal(laterCards.answersLate)
  await decline(id, at)
  const last = at + dayMs
  await lives.advance(id, at, last)
  await nameCard(id, customerId, laterCards.answersLate, last)
  await decline(id, last)
  assert.equal((await lives.plans.read(id)).status, 'past_due')
  await decline(id, last + dayMs)
  assert.equal((await lives.plans.read(id)).status, 'canceled', 'the new card has failed too')
  await lives.plans.ok('PATCH', '/v1/account', { dunning: [2, 5, 7, 7] })
})

/** Has a charge wait for the subscription while `meanwhile` changes its card. Returns the cards that were charged. */
async function chargeWhile(meanwhile: (subscription: Subscription, card: SavedPaymentMethod) => void) {
  const id = await lives.begin(weekly, cards.success, start)
  const { current_period_end: end, customer } = await lives.plans.read(id)
  const at = Date.parse(end) + 61_000
  const other = await lives.saveCard(customer.id, cards.success, at)
  await lives.steps.takeSubscriptionStep(id, at)
  const [locked, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const changing = inTransaction(stack.database, async (em) => {
    const subscription = await lock(em, Subscription, id)
    locked.resolve()
    await changed.promise
    meanwhile(subscription, await em.findOneOrFail(SavedPaymentMethod, { id: other }))
    await em.flush()
  })
  await locked.promise
  const charging = lives.steps.chargeSubscription(id, at)
  await untilLockWaits(stack.database, 'the charge waits for the subscription')
  changed.resolve()
  await Promise.all([changing, charging])
  const charged = await stack.sql<{ card: string }>(
    'select saved_method_id as card from payments where subscription_id = ? and checkout_id is null',
    [id],
  )
  return { id, other, charged: charged.map(({ card }) => card) }
}

test('a card named just before the charge begins is the one that is charged', async () => {
  const { charged, other } = await chargeWhile((subscription, card) => {
    subscription.paymentMethodId = card.id
  })
  assert.deepEqual(charged, [other])
})

test('a card removed just before the charge begins is not charged', async () => {
  const { id, charged } = await chargeWhile((subscription, card) => {
    subscription.paymentMethodId = card.id
    card.detachedAt = new Date(start)
  })
  assert.deepEqual(charged, [])
  assert.equal((await lives.plans.read(id)).status, 'past_due')
})
