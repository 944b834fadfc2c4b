import { type Amount, isLess } from '../money.ts'

/** What staff can do about a payout whose rail does not answer. */
export const operatorActions = ['retry', 'mark_settled', 'mark_failed'] as const
export type OperatorActionName = (typeof operatorActions)[number]

/**
 * `proposed` waits for a second person; `approved` is on its way to the payout's process, which has `executed` or
 * `refused` it.
 */
export const actionStates = ['proposed', 'approved', 'executed', 'refused'] as const

/**
 * Above a worth of `aboveUsd`, in US dollars, nobody decides alone how a payout has ended. Asking the rail again takes
 * nobody's word for anything, so that one person may always do it.
 */
export const needsSecondApprover = (action: OperatorActionName, amountUsd: Amount, aboveUsd: Amount): boolean =>
  action !== 'retry' && isLess(aboveUsd, amountUsd)
