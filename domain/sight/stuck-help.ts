import type { StuckResource, WakeReason } from './agenda.ts'

const atProvider =
  'The provider is asked again every day. You can also send the order again, hold it, or mark how it ended ' +
  '(docs/stuck-payouts.md).'

const acts =
  'You can have it asked now (retry). If you know the outcome, mark the payment as settled or failed ' +
  '(docs/stuck-payouts.md).'

/** A provider that is asked in time and has not answered for long. */
const unanswered: Partial<Record<StuckResource, string>> = {
  payment: 'Nothing to do: the provider is asked again and again, until it answers or the session expires.',
  checkout_session: 'Nothing to do: the provider is asked again and again, until the session expires.',
  refund: atProvider,
  conversion: atProvider,
  dispute:
    'Nothing to do: the network is asked again every day until it has decided. You can have it asked now (retry). If ' +
    'you know how it ended, mark it as won or lost (docs/operating/staff.md).',
  deposit: 'Nothing to do: the bank is asked again every day.',
}

const lost = 'The supervisor starts a lost process again within a minute: check that the workers are running.'
const mail = 'The mail has not been sent. Check the mail server (SMTP_URL): it is tried again every 15 minutes.'
const silent = 'The provider was not asked in time, or is unavailable. Check the provider and the workers.'

const held = 'Staff hold it: release it, or mark it as failed.'

const overdue: Record<WakeReason, string> = {
  expiry: `The session should have expired. ${lost}`,
  late_money_end: `The end of late payments has passed. ${lost}`,
  rail_poll: silent,
  rail_cancellation: 'The provider has not canceled a replaced attempt. Check the provider and the workers.',
  automatic_decision: `The sandbox should have decided. ${lost} You can also decide.`,
  review_reminder: `${mail} You can decide without it.`,
  review_escalation: `${mail} You can decide without it.`,
  schedule_run: `The payout should have been made. ${lost}`,
  webhook_attempt: `The attempt should have been made. ${lost} Many late deliveries need more workers.`,
  endpoint_warning: mail,
  endpoint_switch_off: `${mail} The endpoint is switched off after it.`,
  maturity: 'Nothing to do.',
  requirements_due: `The account should have been told what is due. ${lost}`,
  deadline_warning: mail,
  deadline: `The account should have been restricted. ${lost}`,
  release: held,
  trial_reminder: `The customer should have been told that the trial ends. ${lost}`,
  period_end: `The subscription should have renewed or ended. ${lost}`,
  dunning_end: `The subscription should have ended. ${lost}`,
  invoice_opening: `The next invoice should have been opened. ${lost}`,
  payment_attempt: `The card should have been charged again. ${lost}`,
  resumption: `The subscription should have resumed. ${lost}`,
  evidence_due_soon: `The merchant should have been told that 48 hours are left. ${lost}`,
  evidence_deadline: `The dispute should have been lost. ${lost}`,
  warning_end: silent,
  network_notice:
    'The network has not taken the merchant’s answer. Check the provider and the workers. You can send it now (retry).',
  charge: `The card should have been charged. ${silent} A charge in another currency needs an exchange rate.`,
}

const ended =
  'It has ended, and its provider does not answer what it may have announced since, such as money that arrived late ' +
  'or came back. Nothing to do here: check the provider and the workers.'

/**
 * Whether a wait is that of what has ended, while its rail could not be asked about its news: nobody knows when it is
 * asked. All other questions to a rail have a moment.
 */
export const isNews = ({ reason, wakesAt }: { reason: WakeReason; wakesAt: Date | null }): boolean =>
  reason === 'rail_poll' && wakesAt === null

/**
 * What staff can do about a wait that lasts too long. `ofNews`: the resource has ended, and its rail could not be asked
 * about its news. `status`: that of a payment, as staff act on one only while its provider processes it; null where
 * another page has the actions.
 */
export function helpFor(
  resource: StuckResource,
  reason: WakeReason,
  isOverdue: boolean,
  { ofNews = false, status = 'processing' }: { ofNews?: boolean; status?: string | null } = {},
): string {
  if (reason === 'release') return held
  if (ofNews) return ended
  if (resource === 'payout' && reason === 'rail_poll') return atProvider
  const help = isOverdue ? overdue[reason] : (unanswered[resource] ?? atProvider)
  const isPayment = resource === 'payment' || resource === 'deposit'
  return isPayment && reason === 'rail_poll' && status === 'processing' ? `${help} ${acts}` : help
}
