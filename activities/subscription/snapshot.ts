import type { EntityManager } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { SubscriptionMail } from '../../db/subscription/mail.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import type { SubscriptionStep } from '../../domain/subscription/next-step.ts'
import type { SubscriptionStatus } from '../../domain/subscription/subscription.ts'

/** The state of a subscription that its process needs: no personal data, times in milliseconds since the epoch. */
export type SubscriptionSnapshot = {
  /** Of two snapshots the one with the higher revision is the newer. */
  revision: number
  status: SubscriptionStatus
  /** What it does next by itself, and when; both null: nothing. */
  wakesAt: number | null
  wakesFor: SubscriptionStep | null
  /** Whether its oldest open invoice is to be charged now; not before a rail has decided the payment before it. */
  isChargeDue: boolean
  /** The payment that a rail has not decided, and when the rail is asked about it. */
  paymentId: string | null
  pollAt: number | null
  /** Whether a mail to its customer is to be sent. */
  isMailDue: boolean
  /** When its current period began: a new period is a new run. */
  periodStart: number
  /** The time of its test clock; null: the real time. */
  clockTime: number | null
}

/** The subscription's state, including the changes of the running transaction. */
export async function snapshotOf(em: EntityManager, row: Subscription): Promise<SubscriptionSnapshot> {
  await em.flush()
  const payment = row.paymentId ? await em.findOne(Payment, { id: row.paymentId }) : null
  return {
    revision: row.revision,
    status: row.status,
    wakesAt: row.wakesAt?.getTime() ?? null,
    wakesFor: row.wakesFor,
    isChargeDue: row.chargeDueAt !== null && row.paymentId === null,
    paymentId: row.paymentId,
    pollAt: payment?.nextPollAt?.getTime() ?? null,
    isMailDue: (await em.count(SubscriptionMail, { subscriptionId: row.id, sentAt: null })) > 0,
    periodStart: row.currentPeriodStart.getTime(),
    clockTime: await clockTimeOf(em, row),
  }
}
