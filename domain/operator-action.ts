import { type Amount, isLess } from './money.ts'

/** What staff can do about a resource whose process waits for an outsider. */
export const operatorActions = ['retry', 'hold', 'release', 'mark_settled', 'mark_failed'] as const
export type OperatorActionName = (typeof operatorActions)[number]

/**
 * The actions that staff have on each kind of resource. A payment cannot be held, as we send nothing for it: a buyer
 * does. A delivery cannot be marked as settled, as only its receiver knows whether it has arrived.
 */
export const actionsOn = {
  payout: operatorActions,
  refund: operatorActions,
  conversion: operatorActions,
  payment: ['retry', 'mark_settled', 'mark_failed'],
  webhook_delivery: ['retry', 'hold', 'release', 'mark_failed'],
} as const satisfies Record<string, readonly OperatorActionName[]>

/** The resources on which staff can act. */
export type ActionResource = keyof typeof actionsOn
export const actionResources = Object.keys(actionsOn) as ActionResource[]

/**
 * `proposed` waits for a second person; `approved` is on its way to the resource's process, which has `executed` or
 * `refused` it.
 */
export const actionStates = ['proposed', 'approved', 'executed', 'refused'] as const

const ends: readonly OperatorActionName[] = ['mark_settled', 'mark_failed']

/** Whether an action decides how a resource has ended. */
export const isEnding = (action: OperatorActionName): boolean => ends.includes(action)

/**
 * Whether an action needs a second person: above `aboveUsd`, in US dollars, nobody alone decides how a resource has
 * ended. The other actions move no money of their own, so one person may always order them.
 */
export const needsSecondApprover = (action: OperatorActionName, amountUsd: Amount, aboveUsd: Amount): boolean =>
  isEnding(action) && isLess(aboveUsd, amountUsd)
