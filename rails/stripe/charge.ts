import type Stripe from 'stripe'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import type { ChargeOrder, RailAnswer, SavedChargeOrder } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { fromMinor, toMinor } from './amount.ts'
import type { Customers } from './customer.ts'
import { withDisputes } from './dispute.ts'
import { failureCodeOf } from './failure-code.ts'
import { assertOrdered, assertOurs, chargeOf, currencyOf, metadataKey, methodDetailsOf, savedCardOf } from './intent.ts'
import type { BookedOrder, Needs, Sending } from './orders.ts'
import { sendUnlessDown } from './send-unless-down.ts'
import { readToken } from './token.ts'
import { ask, isTrouble } from './trouble.ts'
import { hourMs } from '../../domain/duration.ts'

type CreateParams = Stripe.PaymentIntentCreateParams
type CardOrder = Pick<SavedChargeOrder, 'token' | 'email' | 'statementText'>
const expand = ['latest_charge']

/** Stripe forgets an idempotency key after 24 hours, and its search knows of everything that is an hour old. */
const keyKnownMs = 12 * hourMs

/**
 * How an order is taken up. `mayBeForgotten`: Stripe may have it although it is not in the book, under a key that
 * Stripe has forgotten: the book was put back with the database, and the id of a renewal is made again (decision 0118).
 */
type Manner = { kind: 'charge' | 'saved_charge'; mayBeForgotten: boolean }

/** The first question after the buyer was sent to their bank, and the longest pause between two. */
const redirectPauseMs = { min: 30_000, max: hourMs }

/** Charges of cards. A payment is one PaymentIntent, whose idempotency key is the payment's id. */
export function createCharges(needs: Needs, customers: Customers) {
  const { api, orders, livemode } = needs
  const retrieve = (id: string) => ask('retrieving a payment', () => api.paymentIntents.retrieve(id, { expand }))

  /** Stripe's search, which may be late: null does not mean that there is none. */
  async function search(paymentId: string): Promise<Stripe.PaymentIntent | null> {
    const query = `metadata['${metadataKey}']:'${paymentId}'`
    const found = await ask('searching a payment', () => api.paymentIntents.search({ query, limit: 2 }))
    if (found.data.length > 1) throw new Error(`Stripe has two payments for the order ${paymentId}`)
    const [intent] = found.data
    return intent ? retrieve(intent.id) : null
  }

  /** Answers about an order by what Stripe has made of it, whose id the book keeps from now on. */
  async function conclude(paymentId: string, intent: Stripe.PaymentIntent, at: number): Promise<RailAnswer> {
    assertOurs(intent, paymentId, livemode)
    return answerOf(await orders.adopt(paymentId, intent.id), intent, at)
  }

  /** Cancels a PaymentIntent as far as Stripe allows it. Returns how it stands then. */
  async function cancelIntent({ id }: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
    try {
      const reason = { cancellation_reason: 'abandoned' as const, expand }
      return await ask('cancelling a payment', () => api.paymentIntents.cancel(id, reason))
    } catch (error) {
      // It has succeeded, is being processed, or was cancelled by another call.
      if (isTrouble(error, 'wrong_state')) return retrieve(id)
      throw error
    }
  }

  async function answerOf(row: BookedOrder, intent: Stripe.PaymentIntent, at: number): Promise<RailAnswer> {
    const { orderId } = row
    if (row.amount !== null) assertOrdered(row, intent)
    const { status, next_action: action, last_payment_error: reason } = intent
    if (status === 'succeeded') return succeeded(row, intent)
    if (status === 'processing') return { status: 'processing' }
    if (status === 'canceled') {
      if (row.isCancelled) return { status: 'canceled' }
      return { status: 'failed', failureCode: reason ? failureCodeOf(reason) : codeOfCancel(intent) }
    }
    const url = action?.type === 'redirect_to_url' ? action.redirect_to_url?.url : null
    if (status === 'requires_action' && url && row.kind === 'charge' && !row.isCancelled)
      return { status: 'requires_action', nextAction: { type: 'redirect', url }, newsDueAt: redirectPollAt(intent, at) }
    if (!isStoppable(intent)) throw new Error(`Stripe reports ${orderId} in a state that this rail does not know`)
    // Nobody can or should go on with it: not after a failure or our cancellation, not where nobody is there, not
    // without a page to go to. It is cancelled, because it could still be paid otherwise.
    const stopped = await cancelIntent(intent)
    if (!isFinal(stopped)) throw new Error(`Stripe has not canceled the payment ${orderId}`)
    if (stopped.status !== 'canceled' || row.isCancelled) return answerOf(row, stopped, at)
    const failureCode = reason ? failureCodeOf(reason) : codeOfStop(intent)
    return { status: 'failed', failureCode }
  }

  async function succeeded(row: BookedOrder, intent: Stripe.PaymentIntent): Promise<RailAnswer> {
    const charge = chargeOf(intent, row.orderId)
    const received = fromMinor(intent.amount_received, currencyOf(row))
    assertOrdered(row, { amount: intent.amount_received, currency: intent.currency })
    const saved = savedCardOf(intent, charge)
    const details = methodDetailsOf(charge)
    const answer = { status: 'succeeded' as const, received, deposits: [], details, ...(saved && { saved }) }
    return withDisputes(api, row, charge, answer)
  }

  /** Sends an order, and answers by what Stripe says to it. */
  async function send(row: BookedOrder, params: CreateParams, at: number): Promise<RailAnswer> {
    const sending = await orders.markSent(row.orderId)
    if (!sending) return answerMeanwhile(row.orderId, at)
    const create = () => api.paymentIntents.create({ ...params, expand }, { idempotencyKey: row.orderId })
    let intent: Stripe.PaymentIntent
    try {
      intent = await ask('ordering a payment', create)
    } catch (error) {
      return afterTrouble(row.orderId, error, sending, at)
    }
    return conclude(row.orderId, intent, at)
  }

  /** Answers about an order that another call has cancelled or taken up meanwhile. */
  async function answerMeanwhile(orderId: string, at: number): Promise<RailAnswer> {
    const answer = await lookUp(orderId, at)
    if (answer.status === 'not_found') throw new Error(`the order ${orderId} cannot be sent now`)
    return answer
  }

  /** Answers about an order that Stripe has not accepted. Throws what says nothing about it. */
  async function afterTrouble(orderId: string, error: unknown, sending: Sending, at: number): Promise<RailAnswer> {
    if (isTrouble(error, 'declined') && error.objectId) return conclude(orderId, await retrieve(error.objectId), at)
    if (isTrouble(error, 'not_sent')) await orders.takeBack(orderId, sending)
    if (!isTrouble(error, 'refused', 'used_key')) throw error
    const found = sending.isFirst ? null : await search(orderId)
    if (found) return conclude(orderId, found, at)
    // The key may have been used up by a cancellation.
    if ((await orders.read(orderId)).isCancelled) return cancelCharge(orderId, at)
    if (error.kind === 'used_key') throw error
    if (!sending.isFirst && !sending.isAfterLong) {
      // An earlier sending may have arrived, which the search does not know yet. This one has made nothing.
      await orders.takeBack(orderId, sending)
      throw error
    }
    await orders.note(orderId, 'refused')
    throw refusalOf(error.code)
  }

  /** Takes up an order: what Stripe already has of it is looked up, and only what it does not have is sent. */
  async function take(
    { paymentId, amount, currency }: Pick<SavedChargeOrder, 'paymentId' | 'amount' | 'currency'>,
    { kind, mayBeForgotten }: Manner,
    paramsFor: (row: BookedOrder) => Promise<CreateParams>,
    at: number,
  ): Promise<RailAnswer> {
    toMinor(amount, currency)
    const row = await orders.open({ orderId: paymentId, kind, amount, currency })
    if (row.isCancelled) return cancelCharge(paymentId, at)
    if (row.answered === 'refused') throw refusalOf('refused before')
    if (row.stripeId) return conclude(paymentId, await retrieve(row.stripeId), at)
    const found = row.isSent || mayBeForgotten ? await search(paymentId) : null
    if (found) return conclude(paymentId, found, at)
    const sendNow = async () => send(row, await paramsFor(row), at)
    // A renewal has nobody who waits.
    return kind === 'charge' ? sendUnlessDown(needs, paymentId, refusalOf('no answer'), sendNow) : sendNow()
  }

  /**
   * Makes sure that nothing is taken under this id. What has not been ordered is only noted, and `charge` reads that
   * first. Where an order may be on its way, its idempotency key is used up by a PaymentIntent that nobody pays: the
   * order then does nothing when it arrives.
   */
  async function cancelCharge(paymentId: string, at: number): Promise<RailAnswer> {
    const row = await orders.cancel(paymentId)
    if (row.stripeId) return conclude(paymentId, await retrieve(row.stripeId), at)
    if (!row.isSent || row.answered === 'refused') return { status: 'canceled' }
    const found = await search(paymentId)
    if (found) return conclude(paymentId, found, at)
    const params = { ...baseOf(row), description: 'Cancelled before it was paid', expand }
    let intent: Stripe.PaymentIntent
    try {
      intent = await ask('cancelling an order', () => api.paymentIntents.create(params, { idempotencyKey: paymentId }))
    } catch (error) {
      // The order has arrived. An hour later the search knows what it has made; if nothing, Stripe has kept an error.
      if (isTrouble(error, 'used_key') && row.isSearchable) return { status: 'canceled' }
      throw error
    }
    return conclude(paymentId, intent, at)
  }

  async function lookUp(paymentId: string, at: number): Promise<RailAnswer> {
    const row = await orders.find(paymentId)
    if (!row) return { status: 'not_found' }
    if (row.isCancelled) return cancelCharge(paymentId, at)
    if (row.answered === 'refused') return { status: 'failed', failureCode: 'rail_unavailable' }
    const intent = row.stripeId ? await retrieve(row.stripeId) : await search(paymentId)
    // Where the search is late, the order is sent again under its key, and does nothing new.
    return intent ? conclude(paymentId, intent, at) : { status: 'not_found' }
  }

  const baseOf = ({ orderId, amount, currency }: Pick<BookedOrder, 'orderId' | 'amount' | 'currency'>) => {
    const known = currencyOf({ orderId, currency })
    return {
      amount: toMinor(amount ?? '0', known),
      currency: known.toLowerCase(),
      allowed_payment_method_types: ['card' as const],
      metadata: { [metadataKey]: orderId },
    }
  }

  const cardParams = async (row: BookedOrder, order: CardOrder, savesCard: boolean): Promise<CreateParams> => {
    const { paymentMethod, customer } = readToken(order.token)
    const owner = customer ?? (savesCard ? await customers.of(row, order.email) : null)
    return {
      ...baseOf(row),
      payment_method: paymentMethod,
      confirm: true,
      ...(owner !== null && { customer: owner }),
      ...(savesCard && { setup_future_usage: 'off_session' }),
      ...(order.statementText !== null && { statement_descriptor_suffix: order.statementText }),
    }
  }

  return {
    /** Charges a card whose owner is there. */
    async charge(order: ChargeOrder<'live'>, at: number): Promise<RailAnswer> {
      const { token, savesCard, securityCode, returnUrl } = order
      if (token === null) throw new Error(`the order ${order.paymentId} has no card`)
      const paramsFor = async (row: BookedOrder) => ({
        ...(await cardParams(row, { ...order, token }, savesCard)),
        ...(returnUrl !== null && { return_url: returnUrl }),
        ...(securityCode !== null && { payment_method_options: { card: { cvc_token: securityCode } } }),
      })
      return take(order, { kind: 'charge', mayBeForgotten: false }, paramsFor, at)
    },
    /** Charges a saved card whose owner is not there. */
    chargeSaved(order: SavedChargeOrder<'live'>, at: number): Promise<RailAnswer> {
      const paramsFor = async (row: BookedOrder) => ({ ...(await cardParams(row, order, false)), off_session: true })
      const mayBeForgotten = at - order.mayBeSentSince > keyKnownMs
      return take(order, { kind: 'saved_charge', mayBeForgotten }, paramsFor, at)
    },
    cancelCharge,
    /** Stripe goes on by itself after the buyer has been at their bank, so there is nothing to confirm. */
    confirm: (paymentId: string, _codeToken: string, at: number) => lookUp(paymentId, at),
    lookUp,
  }
}

const refusalOf = (code: string) => new RailRefusal(`Stripe does not take the order (${code})`)

/** Whether it cannot be cancelled. */
const isFinal = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || status === 'canceled' || status === 'processing'

const stoppable = ['requires_action', 'requires_payment_method', 'requires_confirmation', 'requires_capture']
const isStoppable = ({ status }: Stripe.PaymentIntent): boolean => stoppable.includes(status)

/** Why a payment failed that was cancelled without an error: by us, because its time was over, or by somebody else. */
function codeOfCancel({ cancellation_reason: reason }: Stripe.PaymentIntent): FailureCode {
  if (reason === 'abandoned') return 'authentication_failed'
  return reason === 'automatic' || reason === 'expired' ? 'customer_timeout' : 'card_declined'
}

/** Why a payment failed that we have stopped although Stripe names no error. */
const codeOfStop = ({ status }: Stripe.PaymentIntent) =>
  status === 'requires_action' ? 'authentication_failed' : 'rail_unavailable'

/** When Stripe is asked again about a buyer at their bank: after as long as the payment is old. */
function redirectPollAt({ created }: Stripe.PaymentIntent, at: number): number {
  const age = at - created * 1000
  return at + Math.min(Math.max(age, redirectPauseMs.min), redirectPauseMs.max)
}
