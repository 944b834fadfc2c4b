import type { Subscription } from '../../db/subscription/subscription.ts'
import type { Changing } from '../../domain/subscription/plan-change.ts'
import { planOf } from '../../domain/subscription/subscription.ts'

/** The part of a subscription that a change of its plan depends on. */
export const changingOf = (row: Subscription): Changing => ({
  status: row.status,
  plan: planOf(row.lineItems, row.currency, {
    interval: row.interval,
    interval_count: row.intervalCount,
    trial_days: row.trialDays,
  }),
  period: { start: row.currentPeriodStart.getTime(), end: row.currentPeriodEnd.getTime() },
  charged: { amount: row.chargedAmount, start: row.chargedFrom.getTime() },
  credit: row.credit,
})
