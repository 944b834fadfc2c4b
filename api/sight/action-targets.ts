import { aboutConversion } from '../../domain/balance/process.ts'
import { aboutCheckout, aboutDeposit } from '../../domain/checkout/process.ts'
import { paymentProcessOf } from '../../domain/checkout/payment-process.ts'
import { aboutDispute } from '../../domain/dispute/process.ts'
import { aboutPayout } from '../../domain/payout/process.ts'
import type { About } from '../../domain/process-contract.ts'
import { aboutRefund } from '../../domain/refund-process.ts'
import { aboutSubscription } from '../../domain/subscription/process.ts'
import { Conversion } from '../../db/balance/conversion.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Deposit } from '../../db/checkout/deposit.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund/refund.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { Delivery } from '../../db/webhook/endpoint.ts'
import { Event } from '../../db/webhook/event.ts'
import { aboutDelivery } from '../../domain/webhook/process.ts'

/** The process that carries out an action on a resource, and how it is started if it is not running. */
export type ActionTarget = {
  process: 'payout' | 'refund' | 'conversion' | 'checkout' | 'subscription' | 'deposit' | 'dispute' | 'webhook-delivery'
  resourceId: string
  about: About
  /** The endpoint of a delivery, by which the engine takes turns. */
  orderingKey?: string
}

/** What operators read of the process that works for a payment. */
async function aboutPayment(em: EntityManager, payment: Payment): Promise<About> {
  const { accountId, environment } = payment
  const [process, id] = paymentProcessOf(payment)
  if (process === 'checkout') return aboutCheckout(await em.findOneOrFail(Checkout, { id }))
  if (process === 'subscription') return aboutSubscription(await em.findOneOrFail(Subscription, { id }))
  const { virtualAccountId } = await em.findOneOrFail(Deposit, { id })
  return aboutDeposit({ accountId, environment, id: virtualAccountId })
}

/** For each kind of resource: its process. The resource exists. */
export const targetOf = {
  payout: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutPayout(await em.findOneOrFail(Payout, { id }), 'operator')
    return { process: 'payout', resourceId: id, about }
  },
  refund: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutRefund(await em.findOneOrFail(Refund, { id }))
    return { process: 'refund', resourceId: id, about }
  },
  conversion: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutConversion(await em.findOneOrFail(Conversion, { id }))
    return { process: 'conversion', resourceId: id, about }
  },
  /** The sale that the payment is an attempt of, or the subscription that it renews; others are deposits. */
  payment: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const payment = await em.findOneOrFail(Payment, { id })
    const [process, resourceId] = paymentProcessOf(payment)
    return { process, resourceId, about: await aboutPayment(em, payment) }
  },
  dispute: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const about = aboutDispute(await em.findOneOrFail(Dispute, { id }))
    return { process: 'dispute', resourceId: id, about }
  },
  webhook_delivery: async (em: EntityManager, id: string): Promise<ActionTarget> => {
    const delivery = await em.findOneOrFail(Delivery, { id })
    const about = aboutDelivery(await em.findOneOrFail(Event, { id: delivery.eventId }), delivery)
    return { process: 'webhook-delivery', resourceId: id, about, orderingKey: delivery.endpointId }
  },
}
