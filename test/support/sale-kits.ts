import assert from 'node:assert/strict'
import { SimulatedPrompt } from '../../rails/sandbox/book.ts'
import { unansweredReference } from '../../rails/sandbox/test-values.ts'
import { chargeData, refundData } from '../doubles/paystack/callbacks.ts'
import { failingSandbox } from './failing-sandbox.ts'
import { addLiveMerchant } from './live.ts'
import type { useLiveStack } from './live-providers.ts'
import { buyer, type Merchant, mobileSale, sale } from './merchant.ts'
import { createNews } from './provider-news.ts'
import { endRefund, sendRailNews } from './rail-books.ts'
import { settled } from './settled.ts'

type Live = Awaited<ReturnType<typeof useLiveStack>>
export type Session = Awaited<ReturnType<Merchant['createCheckout']>>
export type RefundEnd = 'succeeded' | 'failed' | 'returned'

/** A rail with the people and banks behind it: the simulators of the sandbox, or the double of a provider. */
export type SaleKit = {
  name: string
  merchant: Merchant
  /** A sale that can be paid by this rail. */
  body: Record<string, unknown>
  /** A buyer begins to pay, and still has to agree somewhere else. Returns the payment's id. */
  begin(session: Session): Promise<string>
  /** They agree there, or refuse. Nobody tells the service of it. */
  decide(paymentId: string, isAgreed: boolean): Promise<void>
  /** The rail tells the service that there is news about a payment of a session. */
  tell(session: Session, paymentId: string): Promise<void>
  /** How often money was taken for a payment. */
  taken(paymentId: string): Promise<number>
  /** What a refund is ordered with, so that the rail leaves it open. */
  refundBody: Record<string, unknown>
  endRefund(refundId: string, paymentId: string, end: RefundEnd): Promise<void>
  tellOfRefund(refundId: string, paymentId: string): Promise<void>
  /** How many refunds the rail has for one of ours. */
  refundsFor(refundId: string): Promise<number>
  /** The next such order is carried out, and its answer is lost. */
  loseAnswer(to: 'charge' | 'refund'): void
  /** While it is away the rail answers nothing. */
  setAway(isAway: boolean): void
}

/** The three rails of one service. */
export async function createSaleKits(live: Live): Promise<[SaleKit, SaleKit, SaleKit]> {
  const { merchant: sandboxMerchant } = await live.api.addMerchant()
  const { merchant } = await addLiveMerchant(live.stack, live.api)
  return [createSandbox(live, sandboxMerchant), createStripe(live, merchant), createPaystack(live, merchant)]
}

/** A wallet whose owner answers only when the test says so. */
const silent = { phone_number: '+254700000005' }

function createSandbox({ stack }: Live, merchant: Merchant): SaleKit {
  const orm = () => stack.database.orm.em.fork()
  return {
    name: 'the sandbox',
    merchant,
    body: mobileSale,
    async begin(session) {
      const { payment_id } = await merchant.payByPhone(session, silent)
      await settled(stack.client, 'checkout', session.checkout_id)
      return payment_id
    },
    async decide(paymentId, isAgreed) {
      const outcome = isAgreed ? 'succeeded' : 'insufficient_funds'
      const changed = await orm().nativeUpdate(SimulatedPrompt, { paymentId }, { outcome, answersAt: new Date(0) })
      assert.equal(changed, 1, 'the rail knows the order')
    },
    async tell({ checkout_id }, paymentId) {
      await stack.sql(
        `insert into outbox (process, resource_id, signal, about)
         select 'checkout', id, jsonb_build_object('name', 'railAnswered', 'args', jsonb_build_array(?::text)),
           jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status,
             'waitingOn', 'rail', 'summary', 'news') from checkouts where id = ?`,
        [paymentId, checkout_id],
      )
      await stack.dispatched()
    },
    taken: async (paymentId) => (await orm().findOne(SimulatedPrompt, { paymentId }))?.executions ?? 0,
    refundBody: { reference: unansweredReference },
    endRefund: (refundId, _paymentId, end) => endRefund(stack, refundId, end),
    async tellOfRefund(refundId) {
      await sendRailNews(stack, 'refund', refundId)
      await stack.dispatched()
    },
    refundsFor: async (refundId) =>
      (await stack.sql('select from simulated_refunds where refund_id = ?', [refundId])).length,
    ...failingSandbox(stack),
  }
}

function createStripe(live: Live, merchant: Merchant): SaleKit {
  const { stripe } = live
  const { fromStripe } = createNews(live)
  const intentOf = (paymentId: string) => String(stripe.madeFor('payment_intent', paymentId)[0]?.id)
  const refundOf = (refundId: string) => String(stripe.madeFor('refund', refundId)[0]?.id)
  return {
    name: 'Stripe',
    merchant,
    body: sale,
    async begin(session) {
      const choice = { payment_method: 'USD_CARD', card: { token: stripe.addCard({ asks: true }) }, confirm: true }
      const { body, text } = await merchant.pay(session, choice)
      assert.equal(body['payment_status'], 'requires_action', text)
      return String(body['payment_id'])
    },
    async decide(paymentId, isAgreed) {
      stripe.payments.finishAtBank(intentOf(paymentId), isAgreed)
    },
    tell: (_session, paymentId) => fromStripe(intentOf(paymentId)),
    taken: async (paymentId) =>
      stripe.madeFor('payment_intent', paymentId).filter(({ status }) => status === 'succeeded').length,
    // Without a balance Stripe leaves refunds open.
    get refundBody() {
      stripe.refunds.balance.minor = 0
      return {}
    },
    async endRefund(refundId, _paymentId, end) {
      if (end === 'succeeded') stripe.refunds.settle(refundOf(refundId))
      else stripe.refunds.fail(refundOf(refundId))
    },
    tellOfRefund: (refundId) => fromStripe(refundOf(refundId)),
    refundsFor: async (refundId) => stripe.madeFor('refund', refundId).length,
    loseAnswer: (to) => stripe.fail(to === 'charge' ? 'POST /v1/payment_intents' : 'POST /v1/refunds', 'lost'),
    setAway: stripe.setAway,
  }
}

function createPaystack(live: Live, merchant: Merchant): SaleKit {
  const { stack, paystack } = live
  const { fromPaystack } = createNews(live)
  const referenceOf = (paymentId: string) => paymentId.replace('_', '-')
  return {
    name: 'Paystack',
    merchant,
    body: { ...mobileSale, customer: buyer },
    async begin(session) {
      const { payment_id } = await merchant.payByPhone(session)
      await settled(stack.client, 'checkout', session.checkout_id)
      return payment_id
    },
    async decide(paymentId, isAgreed) {
      if (isAgreed) paystack.agree(referenceOf(paymentId))
      else paystack.fail(referenceOf(paymentId), 'failed', 'Declined')
    },
    tell: (_session, paymentId) => fromPaystack('charge.success', chargeData(paystack.read(referenceOf(paymentId)))),
    taken: async (paymentId) => paystack.read(referenceOf(paymentId)).executions,
    refundBody: {},
    async endRefund(refundId, _paymentId, end) {
      paystack.settleRefund(refundId, end === 'succeeded' ? 'processed' : 'failed')
    },
    tellOfRefund: (_refundId, paymentId) =>
      fromPaystack('refund.processed', refundData(referenceOf(paymentId), 'processed')),
    refundsFor: async (refundId) => paystack.refundsOf(refundId).length,
    loseAnswer: (to) => paystack.fails(to === 'charge' ? 'POST /charge' : 'POST /refund', 'lost'),
    setAway: paystack.setAway,
  }
}
