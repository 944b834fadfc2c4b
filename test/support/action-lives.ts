import { endow, exchanging } from './conversion.ts'
import { disputing } from './dispute.ts'
import type { Life } from './life.ts'
import { sale } from './merchant.ts'
import { addDestination, lastFour } from './payout.ts'
import { endConversion, endRefund, holdAtRail, sendRailNews } from './rail-books.ts'
import { settled } from './settled.ts'
import { addStaff } from './staff.ts'
import type { Stack } from './stack.ts'
import { laterCards, subscriptionsOf } from './subscription.ts'
import { startDeposit } from './under-way.ts'

const hour = 3_600_000
const why = { reason: 'The provider does not answer' }

type Kind = 'refund' | 'conversion' | 'payout'
type Then = (stack: Stack, id: string) => Promise<unknown>

const silent = { reference: 'sandbox_no_answer' }

const open: Record<Kind, (stack: Stack) => Promise<string>> = {
  async refund({ merchant }) {
    return (await merchant.refund(await merchant.chargeByCard(), silent)).refund_id
  },
  async conversion(stack) {
    await endow(stack, stack.organizationId)
    return (await exchanging(stack.merchant).convert(silent)).conversion_id
  },
  async payout(stack) {
    const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
    await endow(stack, owner.accountId, '10000.00', 'NGN')
    const to = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
    return (await stack.merchant.payOut(to, {})).id
  },
}

/** Opens an order that its rail does not answer, and does with it what the life is about. */
const orderThen = (process: Kind, then: Then): Life => ({
  process,
  async play(stack) {
    const id = await open[process](stack)
    await then(stack, id)
    await stack.dispatched()
    return id
  },
})

/** Staff order these actions, one after the other, with an hour before each. */
const act =
  (process: Kind, ...actions: string[]): Then =>
  async (stack, id) => {
    const staff = await addStaff(stack)
    for (const action of actions) {
      await stack.dispatched()
      await settled(stack.client, process, id)
      await stack.skip(hour)
      await staff.on(`${process}s`, id, action, { ...why, ...(action === 'mark-settled' && { proof_ref: 'S-7' }) })
    }
  }

/** A card that its rail has not decided, about which staff order this. */
const cardThen = (action: string): Life => ({
  process: 'checkout',
  async play(stack) {
    const session = await stack.merchant.createCheckout(sale)
    const payment = await holdAtRail(stack, session)
    await settled(stack.client, 'checkout', session.checkout_id)
    await (await addStaff(stack)).on('payments', payment, action, { ...why, proof_ref: 'S-7' })
    await stack.merchant.cancel(session.checkout_id).catch(() => null) // it has completed where the card was settled
    return session.checkout_id
  },
})

const depositThen = (...actions: string[]): Life => ({
  process: 'deposit',
  async play(stack) {
    const id = await startDeposit(stack)
    await stack.dispatched()
    await settled(stack.client, 'deposit', id)
    const staff = await addStaff(stack)
    for (const action of actions) await staff.on('payments', id, action, { ...why, proof_ref: 'S-7' })
    return id
  },
})

/** A dispute whose evidence its network does not decide about, about which staff order these actions. */
const disputeThen = (...actions: string[]): Life => ({
  process: 'dispute',
  async play(stack) {
    const calls = disputing(stack.merchant)
    const { dispute_id: id } = await calls.raise(await stack.merchant.chargeByCard())
    await calls.change(id, { uncategorized_text: 'They have it.', submit: true })
    const staff = await addStaff(stack)
    for (const action of actions) {
      await stack.dispatched()
      await settled(stack.client, 'dispute', id)
      await staff.on('disputes', id, action, { ...why, ...(action === 'mark-settled' && { proof_ref: 'S-7' }) })
    }
    return id
  },
})

/** A renewal whose charge its rail has not decided, about which staff order this. */
const renewalThen = (action: string): Life => ({
  process: 'subscription',
  async play(stack) {
    const plans = subscriptionsOf(stack)
    const { subscription_id: id } = await plans.subscribe({ number: laterCards.answersLate })
    await stack.skip(32 * 24 * hour)
    await stack.dispatched()
    await settled(stack.client, 'subscription', id)
    const [row] = await stack.sql<{ id: string }>('select payment_id as id from subscriptions where id = ?', [id])
    await (await addStaff(stack)).on('payments', row?.id ?? '', action, { ...why, proof_ref: 'S-7' })
    await stack.dispatched()
    await settled(stack.client, 'subscription', id)
    // The rail decides what it still processes: the end of the life does not wait for it.
    await plans.decideCharge(id, false)
    await stack.skip(25 * hour)
    await plans.act(id, 'cancel', { at_period_end: false })
    return id
  },
})

/** A delivery that fails, about which staff order these actions, one after the other. */
const deliveryThen = (...actions: string[]): Life => ({
  process: 'webhook-delivery',
  async play(stack, receiver) {
    receiver.answers([500])
    await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
    await stack.dispatched()
    const [row] = await stack.sql<{ id: string }>(
      `select id from deliveries where trigger = 'test' order by created_at desc, id desc limit 1`,
    )
    const id = row?.id ?? ''
    await settled(stack.client, 'webhook-delivery', id)
    const staff = await addStaff(stack)
    for (const action of actions) {
      await staff.on('webhook-deliveries', id, action, why)
      await settled(stack.client, 'webhook-delivery', id)
    }
    return id
  },
})

/** What staff order about each kind of resource, as it is recorded. */
export const lives: Record<string, Life> = {
  'subscription-charge-retried': renewalThen('retry'),
  'subscription-charge-marked-as-settled': renewalThen('mark-settled'),
  'subscription-charge-marked-as-failed': renewalThen('mark-failed'),
  'refund-held-then-failed': orderThen('refund', act('refund', 'hold', 'mark-failed')),
  'refund-retried-then-settled': orderThen('refund', act('refund', 'retry', 'mark-settled')),
  'refund-contradicted': orderThen('refund', async (stack, id) => {
    await act('refund', 'mark-failed')(stack, id)
    await endRefund(stack, id, 'succeeded')
    await sendRailNews(stack, 'refund', id)
  }),
  'conversion-held-then-released': orderThen('conversion', async (stack, id) => {
    await act('conversion', 'hold', 'release')(stack, id)
    await endConversion(stack, id, 'completed')
    await sendRailNews(stack, 'conversion', id)
  }),
  'checkout-card-marked-as-settled': cardThen('mark-settled'),
  'checkout-card-marked-as-failed': cardThen('mark-failed'),
  'deposit-retried-then-settled': depositThen('retry', 'mark-settled'),
  'deposit-marked-as-failed': depositThen('mark-failed'),
  'delivery-held-then-released': deliveryThen('hold', 'release'),
  'delivery-held-then-given-up': deliveryThen('hold', 'mark-failed'),
  'dispute-retried-then-marked-as-won': disputeThen('retry', 'mark-settled'),
  'dispute-marked-as-lost': disputeThen('mark-failed'),
  'payout-held-then-released-then-settled': orderThen('payout', act('payout', 'hold', 'release', 'mark-settled')),
}
