import type { FeeBearer } from '../refund.ts'

export const latePaymentPolicies = ['accept', 'refund'] as const
export type LatePaymentPolicy = (typeof latePaymentPolicies)[number]

/** The settings of an account that are in force. */
export type AccountSettings = {
  /** Whether late money is kept or refunded. */
  latePaymentPolicy: LatePaymentPolicy
  /** Who bears the fee of a refund that does not name a bearer. */
  refundFeeBearer: FeeBearer
  /** The name that buyers see. */
  displayName: string
  supportEmail: string | null
  /** The id of an upload. */
  logo: string | null
  /** As `#rrggbb`. */
  accentColor: string | null
  /** A name of the IANA time zone database. */
  timezone: string
  /** Days from each failed charge of a subscription to the next one; after the last it ends. */
  dunning: number[]
  /** What the statements of buyers' cards show, where the rail can show it. */
  statementText: string | null
}

/** What is in force where nothing is set (docs/contract/subscription.md, "Dunning"). */
export const platformSettings = { timezone: 'UTC', dunning: [2, 5, 7, 7] }

const nameOfZone = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/

/** Whether this is a name of the IANA time zone database; an offset such as `+01:00` is none. */
export function isTimezone(text: string): boolean {
  if (!nameOfZone.test(text)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
