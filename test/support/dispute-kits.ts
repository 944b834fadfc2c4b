import assert from 'node:assert/strict'
import { lookForDisputes } from '../../commands/dispute/tell-disputes.ts'
import { signalNetworkAnswered } from '../../commands/signal-rail-answered.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { inTransaction } from '../../db/core/database.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { SimulatedDispute } from '../../rails/sandbox/book.ts'
import { raiseInSandbox } from '../../rails/sandbox/dispute.ts'
import { chargeData, disputeData } from '../doubles/paystack/callbacks.ts'
import { failingSandbox } from './failing-sandbox.ts'
import { addLiveMerchant } from './live.ts'
import type { useLiveStack } from './live-providers.ts'
import { buyer, type Merchant, sale, transferSale } from './merchant.ts'
import { createNews } from './provider-news.ts'
import { settled } from './settled.ts'

type Live = Awaited<ReturnType<typeof useLiveStack>>

/** A rail of cards with the buyers and banks behind it, for what is disputed. */
export type DisputeKit = {
  name: string
  merchant: Merchant
  /** A sale by card that is paid. Returns the payment's id. */
  sell(): Promise<string>
  /** The buyer disputes the payment. Nobody tells the service of it. Returns the network's id of the dispute. */
  raise(paymentId: string): Promise<string>
  /** The network decides, by evidence or without it. */
  end(networkId: string, end: 'won' | 'lost'): Promise<void>
  /** The rail tells the service that there is news about a dispute of a payment. */
  tell(paymentId: string, networkId: string): Promise<void>
  /** How often the network was given evidence. */
  submissions(networkId: string): Promise<number>
  /** The network takes the next evidence for a dispute, and its answer is lost. */
  loseAnswer(networkId: string): void
}

/** The three rails of one service. */
export async function createDisputeKits(live: Live): Promise<DisputeKit[]> {
  const { merchant: sandboxMerchant } = await live.api.addMerchant()
  const { merchant } = await addLiveMerchant(live.stack, live.api)
  return [createSandbox(live, sandboxMerchant), createStripe(live, merchant), createPaystack(live, merchant)]
}

function createSandbox({ stack }: Live, merchant: Merchant): DisputeKit {
  const faults = failingSandbox(stack)
  const orm = () => stack.database.orm.em.fork()
  return {
    name: 'the sandbox',
    merchant,
    sell: () => merchant.chargeByCard(),
    async raise(paymentId) {
      const claim = { amount: sale.amount, reason: 'fraudulent', warnsUntil: null } as const
      return raiseInSandbox(orm(), { paymentId, key: 'test' }, claim, await stack.clock.now())
    },
    async end(networkId, status) {
      assert.equal(await orm().nativeUpdate(SimulatedDispute, { networkId }, { status }), 1)
    },
    async tell(paymentId, networkId) {
      await inTransaction(stack.database, async (em) => {
        await lookForDisputes(em, await em.findOneOrFail(Payment, { id: paymentId }), await stack.clock.now())
        const dispute = await em.findOne(Dispute, { paymentId, networkId })
        if (dispute) await signalNetworkAnswered(em, dispute, await stack.clock.now())
      })
      await stack.dispatched()
    },
    submissions: async (networkId) => (await orm().findOneOrFail(SimulatedDispute, { networkId })).submissions,
    loseAnswer: () => faults.loseAnswer('submitEvidence'),
  }
}

function createStripe(live: Live, merchant: Merchant): DisputeKit {
  const { stack, stripe } = live
  const { fromStripe } = createNews(live)
  return {
    name: 'Stripe',
    merchant,
    async sell() {
      const session = await merchant.createCheckout(sale)
      const choice = { payment_method: 'USD_CARD', card: { token: stripe.addCard() }, confirm: true }
      const { body } = await merchant.pay(session, choice)
      assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
      return String(body['payment_id'])
    },
    async raise(paymentId) {
      // Time may have been skipped here, and Stripe sets the deadline by its own.
      stripe.pass((await stack.clock.now()) - stripe.books.nowMs())
      const [intent] = stripe.madeFor('payment_intent', paymentId)
      return stripe.payments.dispute(String(intent?.id)).id
    },
    end: async (networkId, end) => void stripe.disputes.decide(networkId, end),
    tell: (_paymentId, networkId) => fromStripe(networkId),
    async submissions(networkId) {
      const details = stripe.books.entries.get(networkId)?.['evidence_details'] as { submission_count: number }
      return details.submission_count
    },
    loseAnswer: (networkId) => stripe.fail(`POST /v1/disputes/${networkId}`, 'lost'),
  }
}

const [day, daysToAnswer] = [86_400_000, 7]

function createPaystack(live: Live, merchant: Merchant): DisputeKit {
  const { stack, paystack } = live
  const { fromPaystack } = createNews(live)
  const referenceOf = (paymentId: string) => paymentId.replace('_', '-')
  const disputeOf = (networkId: string) => {
    const found = paystack.book.disputes.find(({ id }) => String(id) === networkId)
    return found ?? assert.fail(`Paystack has no dispute ${networkId}`)
  }
  return {
    name: 'Paystack',
    merchant,
    async sell() {
      const session = await merchant.createCheckout({ ...transferSale, customer: buyer })
      const { body, text } = await merchant.pay(session, { payment_method: 'NGN_CARD', confirm: true })
      const id = String(body['payment_id'] ?? assert.fail(text))
      await settled(stack.client, 'checkout', session.checkout_id)
      paystack.enterCard(referenceOf(id), 'AUTH_page', null)
      await fromPaystack('charge.success', chargeData(paystack.read(referenceOf(id))))
      assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
      return id
    },
    async raise(paymentId) {
      const dueAt = new Date((await stack.clock.now()) + daysToAnswer * day).toISOString()
      return String(paystack.disputes(referenceOf(paymentId), { dueAt, createdAt: await stack.clock.now() }).id)
    },
    async end(networkId, end) {
      const resolution = end === 'won' ? 'declined' : 'auto-accepted'
      Object.assign(disputeOf(networkId), { status: 'resolved', resolution })
    },
    tell: (paymentId, networkId) =>
      fromPaystack('charge.dispute.remind', disputeData(paystack.read(referenceOf(paymentId)), BigInt(networkId))),
    submissions: async (networkId) => disputeOf(networkId).answers.length,
    loseAnswer: (networkId) => paystack.fails(`PUT /dispute/${networkId}/resolve`, 'lost'),
  }
}
