import { setTimeout } from 'node:timers/promises'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { type Corridor, corridorOf } from '../../domain/corridor.ts'
import { format, shareOf } from '../../domain/money.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { StepKind, StepValues } from '../../schemas/sandbox/scenario.ts'
import { createProduct } from '../catalogue/product.ts'
import { createCheckout } from '../checkout/create.ts'
import { findCheckout } from '../checkout/checkout.ts'
import { storeRequest, updateProcess } from '../checkout/pay.ts'
import { changeEvidence } from '../dispute/evidence.ts'
import { callOperation, type Within } from '../http/run-operation.ts'
import { createRefund } from '../refund.ts'
import { cancelSubscription, editSubscription } from '../subscription/subscription.ts'
import { planAnswer } from './scenario-receiver.ts'
import { advanceClock, TooManyAdvance } from './test-clock.ts'
import { raiseDispute } from './test-dispute.ts'
import { choiceOf, planOf } from './test-plan.ts'
import { simulateDeposit, simulatePay } from './test-helper.ts'

/** A scenario on its way: its calls go by its clock, and are about the newest session. */
export type Running = { within: Within; session: Session | null }
type Session = { id: string; method: Corridor | undefined }

type Steps = { [K in StepKind]: (running: Running, value: StepValues[K]) => Promise<unknown> }

/** What each step does, by the operations that a merchant and a buyer call. */
export const steps: Steps = {
  async create(running, { payment_method: method, ...sale }) {
    const restriction = method && { payment_method_options: { [corridorOf(method).method]: {} } }
    const body = { description: 'A scenario', success_url: successUrl, ...sale, ...restriction }
    const created = await callOperation<Created>(createCheckout, running.within, { body })
    running.session = { id: created.checkout_id, method }
  },

  async pay({ within, session }, { outcome }) {
    const { id, method } = assertSession(session)
    const body = { ...(outcome && { outcome }), ...(method && { payment_method: method }) }
    await callOperation(simulatePay, within, { params: { checkout_id: id }, body })
  },

  async deposit(running, text) {
    const payment = (await newestPayment(running)) ?? (await choose(running))
    const due = payment.nextAction?.type === 'crypto_address' ? payment.nextAction.amount : null
    const amount = shareOf(due ?? format(payment.amount, payment.currency), Number.parseInt(text))
    await send(running, payment.id, { amount })
  },

  async top_up(running) {
    const payment = await newestPayment(running)
    if (!payment) throw new Refusal('CONFLICT', 'no payment has been sent yet, so the rest of it cannot be sent')
    await send(running, payment.id, {})
  },

  async wait({ within }, by) {
    const { id } = within.clock
    const clock = await advance(within, by)
    within.clock = { id, time: Date.parse(clock.frozen_time) }
    if (clock.status !== 'ready') throw new Refusal('CONFLICT', `the clock is still advancing to ${clock.advances_to}`)
  },

  async refund(running, { amount, outcome }) {
    const payment = await newestPayment(running)
    if (!payment) throw new Refusal('CONFLICT', 'there is no payment that could be refunded')
    const body = {
      charge_id: payment.id,
      reference: 'scenario',
      ...(amount !== undefined && { amount: Number(amount) }),
      ...(outcome && { simulated_outcome: outcome }),
    }
    await callOperation(createRefund, running.within, { body })
  },

  async dispute(running, body) {
    const payment = await newestPayment(running)
    if (!payment) throw new Refusal('CONFLICT', 'there is no payment that could be disputed')
    await callOperation(raiseDispute, running.within, { params: { payment_id: payment.id }, body })
  },

  async evidence(running, text) {
    const payment = await newestPayment(running)
    const em = running.within.services.database.orm.em.fork()
    const orderBy = { createdAt: 'desc', id: 'desc' } as const
    const dispute = payment && (await em.findOne(Dispute, { paymentId: payment.id }, { orderBy }))
    if (!dispute) throw new Refusal('CONFLICT', 'there is no dispute yet: a step before this one has to raise it')
    const body = { uncategorized_text: text, submit: true }
    await callOperation(changeEvidence, running.within, { params: { dispute_id: dispute.id }, body })
  },

  async subscribe(running, { amount, currency, outcome, ...recurring }) {
    const { within } = running
    const terms = { interval: 'month', interval_count: 1, ...recurring }
    const product = { name: 'A subscription', price_type: 'fixed', amount, currency, recurring: terms }
    const { product_id } = await callOperation<{ product_id: string }>(createProduct, within, { body: product })
    const customer = { email: 'ada@example.com', name: 'Ada Buyer' }
    running.session = await open(within, { product_cart: [{ product_id }], customer })
    await payNow(within, running.session.id, outcome)
  },

  async new_card({ within, session }, { outcome }) {
    const { id, customer } = await subscribed(within, session)
    const setup = await open(within, { setup: true, customer: { id: customer } })
    await payNow(within, setup.id, outcome)
    const em = within.services.database.orm.em.fork()
    const saved = await em.findOne(SavedPaymentMethod, { checkoutId: setup.id })
    if (!saved) throw new Refusal('CONFLICT', 'no card was saved')
    const body = { payment_method_id: saved.id }
    await callOperation(editSubscription, within, { params: { subscription_id: id }, body })
  },

  async cancel({ within, session }, body) {
    const { id } = await subscribed(within, session)
    await callOperation(cancelSubscription, within, { params: { subscription_id: id }, body })
  },

  async receiver({ within }, { answers, times = 1 }) {
    await planAnswer(within, { answers, times })
  },
}

/** Advances the clock of a scenario, as soon as other clocks of its organization leave it a place. */
async function advance(within: Within, by: string): Promise<Advanced> {
  const sent = { params: { clock_id: within.clock.id }, body: { by } }
  for (const begun = performance.now(); ; await setTimeout(placeLookMs)) {
    try {
      return await callOperation<Advanced>(advanceClock, within, sent)
    } catch (error) {
      if (!(error instanceof TooManyAdvance) || performance.now() - begun > placePatienceMs) throw error
    }
  }
}

/** The pause between two tries to advance while other clocks do, and how long it is tried, in milliseconds. */
const placeLookMs = 250
const placePatienceMs = 20_000

type Created = { checkout_id: string }
type Advanced = { frozen_time: string; status: string; advances_to: string | null }

const successUrl = 'https://example.com/thanks'

async function open(within: Within, sale: object): Promise<Session> {
  const body = { success_url: successUrl, ...sale }
  const { checkout_id: id } = await callOperation<Created>(createCheckout, within, { body })
  return { id, method: undefined }
}

const payNow = (within: Within, checkout_id: string, outcome: string | undefined) =>
  callOperation(simulatePay, within, { params: { checkout_id }, body: { ...(outcome && { outcome }) } })

/** The subscription that the session has begun, and its customer. */
async function subscribed({ services }: Within, session: Session | null): Promise<{ id: string; customer: string }> {
  const em = services.database.orm.em.fork()
  const { subscriptionId } = session ? await em.findOneOrFail(Checkout, { id: session.id }) : {}
  if (!subscriptionId) throw new Refusal('CONFLICT', 'there is no subscription yet: a step has to begin one')
  const { id, customerId } = await em.findOneOrFail(Subscription, { id: subscriptionId })
  return { id, customer: customerId }
}

function assertSession(session: Session | null): Session {
  if (!session) throw new Refusal('CONFLICT', 'there is no session yet: a step before this one has to create it')
  return session
}

/** The newest payment of the session; null as long as the buyer has chosen nothing. */
async function newestPayment({ within, session }: Running): Promise<Payment | null> {
  const em = within.services.database.orm.em.fork()
  const { paymentId } = await em.findOneOrFail(Checkout, { id: assertSession(session).id })
  return paymentId ? em.findOneOrFail(Payment, { id: paymentId }) : null
}

/** The buyer chooses to send the money: to an account of a bank, or to an address. */
async function choose(running: Running): Promise<Payment> {
  const { id, method } = assertSession(running.session)
  const { caller, services, clock } = running.within
  const em = services.database.orm.em.fork()
  const row = await findCheckout(em, caller, id)
  const wanted = { outcome: 'underpaid', ...(method && { payment_method: method }) }
  const plan = await planOf(services, row, wanted)
  const requestId = newId('pay', clock.time)
  const choice = await choiceOf(services, row, plan, wanted, clock.time)
  await storeRequest(services, row, { id: requestId, ...choice, encryptedReturnUrl: null })
  await updateProcess(services, row, 'pay', [requestId, true], requestId)
  return em.fork().findOneOrFail(Payment, { id: requestId })
}

const send = ({ within }: Running, payment_id: string, body: { amount?: string }) =>
  callOperation(simulateDeposit, within, { params: { payment_id }, body })
