import assert from 'node:assert/strict'
import { SimulatedCharge } from '../../rails/sandbox/book.ts'
import { unansweredReference } from '../../rails/sandbox/test-values.ts'
import { chargeData, refundData } from '../doubles/paystack/callbacks.ts'
import { addLiveMerchant } from './live.ts'
import { stripeSecrets, type useLiveStack } from './live-providers.ts'
import { buyer, card, cards, type Merchant, mobileSale, sale } from './merchant.ts'
import { delayCard, endCharge, endRefund, sendRailNews } from './rail-books.ts'
import { settled } from './settled.ts'

type Live = Awaited<ReturnType<typeof useLiveStack>>
export type Session = Awaited<ReturnType<Merchant['createCheckout']>>
export type RefundEnd = 'succeeded' | 'failed' | 'returned'

/** A rail with the people and banks behind it: the simulators of the sandbox, or the double of a provider. */
export type Kit = {
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
}

/** The three rails of one service. */
export async function createKits(live: Live): Promise<Kit[]> {
  const { merchant: sandboxMerchant } = await live.api.addMerchant()
  const { merchant } = await addLiveMerchant(live.stack, live.api)
  return [createSandbox(live, sandboxMerchant), createStripe(live, merchant), createPaystack(live, merchant)]
}

function createSandbox({ stack }: Live, merchant: Merchant): Kit {
  return {
    name: 'the sandbox',
    merchant,
    body: sale,
    async begin(session) {
      await merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
      await delayCard(stack, session.checkout_id)
      const { body, text } = await merchant.confirm(session)
      assert.equal(body['payment_status'], 'processing', text)
      return String(body['payment_id'])
    },
    decide: (paymentId, isAgreed) =>
      isAgreed ? endCharge(stack, paymentId, 'succeeded') : endCharge(stack, paymentId, 'failed', 'card_declined'),
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
    async taken(paymentId) {
      const { executions } = await stack.database.orm.em.fork().findOneOrFail(SimulatedCharge, { paymentId })
      return executions
    },
    refundBody: { reference: unansweredReference },
    endRefund: (refundId, _paymentId, end) => endRefund(stack, refundId, end),
    async tellOfRefund(refundId) {
      await sendRailNews(stack, 'refund', refundId)
      await stack.dispatched()
    },
  }
}

function createStripe({ stack, stripe, send, stripeCallback }: Live, merchant: Merchant): Kit {
  const intentOf = (paymentId: string) => String(stripe.madeFor('payment_intent', paymentId)[0]?.id)
  const refundOf = (refundId: string) => String(stripe.madeFor('refund', refundId)[0]?.id)
  /** Sends the newest event about an object, once more. */
  async function tell(objectId: string): Promise<void> {
    const event = stripe.books.events.findLast(
      ({ data }) => (data as { object: { id: string } }).object.id === objectId,
    )
    assert.ok(event, `Stripe has news of ${objectId}`)
    const at = await stack.clock.now()
    assert.equal(await send('stripe', stripeCallback(event, stripeSecrets[0], at)), 200)
    await stack.dispatched()
  }
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
    tell: (_session, paymentId) => tell(intentOf(paymentId)),
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
    tellOfRefund: (refundId) => tell(refundOf(refundId)),
  }
}

function createPaystack({ stack, paystack, send, paystackCallback }: Live, merchant: Merchant): Kit {
  const referenceOf = (paymentId: string) => paymentId.replace('_', '-')
  async function tell(event: string, data: object): Promise<void> {
    assert.equal(await send('paystack', paystackCallback(event, data)), 200)
    await stack.dispatched()
  }
  return {
    name: 'Paystack',
    merchant,
    body: { ...mobileSale, customer: buyer },
    async begin(session) {
      const { payment_id } = await merchant.payByPhone(session)
      await settled(stack.client, 'checkout', session.checkout_id)
      return String(payment_id)
    },
    async decide(paymentId, isAgreed) {
      if (isAgreed) paystack.agree(referenceOf(paymentId))
      else paystack.fail(referenceOf(paymentId), 'failed', 'Declined')
    },
    tell: (_session, paymentId) => tell('charge.success', chargeData(paystack.read(referenceOf(paymentId)))),
    taken: async (paymentId) => paystack.read(referenceOf(paymentId)).executions,
    refundBody: {},
    async endRefund(refundId, _paymentId, end) {
      paystack.settleRefund(refundId, end === 'succeeded' ? 'processed' : 'failed')
    },
    tellOfRefund: (_refundId, paymentId) => tell('refund.processed', refundData(referenceOf(paymentId), 'processed')),
  }
}
