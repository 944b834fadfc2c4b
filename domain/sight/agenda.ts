import { accountWakes } from '../platform/account-deadline.ts'
import type { RowProcess } from '../processes.ts'
import { disputeSteps } from '../dispute/next-step.ts'
import { subscriptionSteps } from '../subscription/next-step.ts'

/** The resources that wait for something, as the agenda names them. */
export const agendaResources = [
  'checkout_session',
  'payment',
  'refund',
  'payout',
  'payout_destination',
  'conversion',
  'account',
  'payout_schedule',
  'webhook_delivery',
  'webhook_endpoint',
  'subscription',
  'dispute',
] as const
export type AgendaResource = (typeof agendaResources)[number]

/** The processes that wait for outsiders or for a time of their own. */
export type WaitingProcess = Exclude<RowProcess, 'webhook-recovery' | 'clock'>

/**
 * The resources with a timeline or an agenda. An invoice has no waits of its own: its subscription and its payments
 * wait.
 */
export const shownResources = [...agendaResources, 'invoice'] as const
export type ShownResource = (typeof shownResources)[number]

/** The process that waits for a resource of this kind. `paymentProcessOf` says it for a payment without a session. */
export const waitingProcesses: Record<AgendaResource, WaitingProcess> = {
  checkout_session: 'checkout',
  payment: 'checkout',
  refund: 'refund',
  payout: 'payout',
  payout_destination: 'payout-destination',
  conversion: 'conversion',
  account: 'account-review',
  payout_schedule: 'payout-schedule',
  webhook_delivery: 'webhook-delivery',
  webhook_endpoint: 'webhook-endpoint',
  subscription: 'subscription',
  dispute: 'dispute',
}

/** What can be stuck, as staff see it. A deposit, which is a payment into a virtual account, is named apart. */
export const stuckResources = [...agendaResources, 'deposit'] as const
export type StuckResource = (typeof stuckResources)[number]

/**
 * Whom or what a resource waits for. `maturity`: pending money becomes available; `information`: the account has to
 * provide some.
 */
export const waitingOns = [
  'buyer',
  'rail',
  'late_money',
  'reviewer',
  'receiver',
  'next_run',
  'maturity',
  'operator',
  'next_period',
  'merchant',
  'information',
] as const
export type WaitingOn = (typeof waitingOns)[number]

/** What happens at the moment that a wait names, if nothing ends the wait before. */
export const wakeReasons = [
  'expiry',
  'late_money_end',
  'rail_poll',
  'rail_cancellation',
  'automatic_decision',
  'review_reminder',
  'review_escalation',
  'schedule_run',
  'webhook_attempt',
  'endpoint_warning',
  'endpoint_switch_off',
  'maturity',
  'release',
  ...accountWakes,
  ...subscriptionSteps,
  'charge',
  ...disputeSteps,
  'warning_end',
  'network_notice',
] as const
export type WakeReason = (typeof wakeReasons)[number]
