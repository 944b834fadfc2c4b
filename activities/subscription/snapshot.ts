import type { EntityManager } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { SubscriptionMail } from '../../db/subscription/mail.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import type { ProviderName } from '../../domain/rail-provider.ts'
import type { SubscriptionStep } from '../../domain/subscription/next-step.ts'
import { providerOfSubscription } from '../../domain/subscription/process.ts'
import type { SubscriptionStatus } from '../../domain/subscription/subscription.ts'

export type Poll = { paymentId: string; at: number }

/** The state of a subscription that its process needs: no personal data, times in milliseconds since the epoch. */
export type SubscriptionSnapshot = {
  /** Of two snapshots the one with the higher revision is the newer. */
  revision: number
  status: SubscriptionStatus
  /** What it does next by itself, and when; both null: nothing. */
  wakesAt: number | null
  wakesFor: SubscriptionStep | null
  /** Whether its oldest open invoice is to be charged now; not while a rail works on an earlier payment. */
  isChargeDue: boolean
  /** The payment that a rail has not decided. */
  paymentId: string | null
  /** The payments about which a rail is asked, and when: that one, and those that staff have marked as failed. */
  polls: Poll[]
  /** Whether a mail to its customer is to be sent. */
  isMailDue: boolean
  /** When its current period began: a new period is a new run. */
  periodStart: number
  /** The time of its test clock; null: the real time. */
  clockTime: number | null
  /** The live provider that is asked next. Missing in snapshots of earlier releases. */
  provider?: ProviderName | null
}

/** The subscription's state, including the changes of the running transaction. */
export async function snapshotOf(em: EntityManager, row: Subscription): Promise<SubscriptionSnapshot> {
  await em.flush()
  return {
    revision: row.revision,
    status: row.status,
    wakesAt: row.wakesAt?.getTime() ?? null,
    wakesFor: row.wakesFor,
    isChargeDue: row.chargeDueAt !== null && row.paymentId === null,
    paymentId: row.paymentId,
    polls: await pollsOf(em, row),
    isMailDue: (await em.count(SubscriptionMail, { subscriptionId: row.id, sentAt: null })) > 0,
    periodStart: row.currentPeriodStart.getTime(),
    clockTime: await clockTimeOf(em, row),
    provider: await providerFor(em, row),
  }
}

/** The provider of the payment under way, or else of the card that is charged next; null in the sandbox. */
async function providerFor(em: EntityManager, row: Subscription): Promise<ProviderName | null> {
  const { environment, currency, paymentId, paymentMethodId } = row
  if (environment !== 'live') return null
  const charged = paymentId
    ? await em.findOne(Payment, { id: paymentId })
    : paymentMethodId && (await em.findOne(SavedPaymentMethod, { id: paymentMethodId }))
  return providerOfSubscription({ environment, currency, corridor: (charged || row).corridor })
}

async function pollsOf(em: EntityManager, { id: subscriptionId, paymentId }: Subscription): Promise<Poll[]> {
  const current = paymentId ? await em.findOne(Payment, { id: paymentId }) : null
  const marked = await em.find(Payment, { subscriptionId, checkoutId: null, newsDueAt: { $ne: null } })
  return [
    ...(current?.nextPollAt ? [{ paymentId: current.id, at: current.nextPollAt.getTime() }] : []),
    ...marked.flatMap(({ id, newsDueAt }) => (newsDueAt ? [{ paymentId: id, at: newsDueAt.getTime() }] : [])),
  ]
}
