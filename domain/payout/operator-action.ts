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
 * Whether an action needs a second person: above `aboveUsd`, in US dollars, nobody alone decides how a payout has
 * ended. A retry only asks the rail again, so one person may always order it.
 */
export const needsSecondApprover = (action: OperatorActionName, amountUsd: Amount, aboveUsd: Amount): boolean =>
  action !== 'retry' && isLess(aboveUsd, amountUsd)
