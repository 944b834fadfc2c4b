import { type Amount, isLess } from './money.ts'

/** What staff can do about a resource whose process waits for an outsider. */
export const operatorActions = ['retry', 'hold', 'release', 'mark_settled', 'mark_failed'] as const
export type OperatorActionName = (typeof operatorActions)[number]

/**
 * The actions that staff have on each kind of resource. A payment cannot be held, as we send nothing for it: a buyer
 * does. A delivery cannot be marked as settled, as only its receiver knows whether it has arrived. A dispute that is
 * marked as settled is won, one that is marked as failed is lost.
 */
export const actionsOn = {
  payout: operatorActions,
  refund: operatorActions,
  conversion: operatorActions,
  payment: ['retry', 'mark_settled', 'mark_failed'],
  webhook_delivery: ['retry', 'hold', 'release', 'mark_failed'],
  dispute: ['retry', 'mark_settled', 'mark_failed'],
} as const satisfies Record<string, readonly OperatorActionName[]>

/** The resources on which staff can act. */
export type ActionResource = keyof typeof actionsOn
export const actionResources = Object.keys(actionsOn) as ActionResource[]

/** Whether staff have actions on resources of this kind. */
export const isActionResource = (resource: string): resource is ActionResource => Object.hasOwn(actionsOn, resource)

/** How far a resource is, as far as the actions depend on it. */
export type ActionStanding = {
  /**
   * Whether an outsider may have the order: `unsent` where it has certainly not; null where nothing is awaited.
   * `undecidable`: an outsider can be asked, and nobody can say yet how it ends.
   */
  stage: 'unsent' | 'sent' | 'undecidable' | null
  isOnHold: boolean
}

/**
 * Why an action is not possible now; null if it is. What was not sent yet can be ended only on hold: otherwise its
 * process may send it at this very moment.
 */
export function obstacleTo(
  action: OperatorActionName,
  { stage, isOnHold }: ActionStanding,
): 'not_actionable' | 'on_hold' | 'not_on_hold' | 'unsent' | 'undecidable' | null {
  if (stage === null) return 'not_actionable'
  if (stage === 'undecidable') return action === 'retry' ? null : 'undecidable'
  if (action === 'release') return isOnHold ? null : 'not_on_hold'
  if (isOnHold && (action === 'hold' || action === 'retry')) return 'on_hold'
  const needsNoOrder = action === 'hold' || (action === 'mark_failed' && isOnHold)
  return stage === 'unsent' && !needsNoOrder ? 'unsent' : null
}

/** The actions that staff can order now on a resource of this kind. */
export const possibleActions = (resource: ActionResource, standing: ActionStanding): OperatorActionName[] =>
  actionsOn[resource].filter((action) => obstacleTo(action, standing) === null)

/**
 * `proposed` waits for a second person; `approved` is on its way to the resource's process, which has `executed` or
 * `refused` it.
 */
export const actionStates = ['proposed', 'approved', 'executed', 'refused'] as const

const ends: readonly OperatorActionName[] = ['mark_settled', 'mark_failed']

/** Whether an action decides how a resource has ended. */
export const endsOrder = (action: OperatorActionName): boolean => ends.includes(action)

/**
 * Whether an action needs a second person: above `aboveUsd`, in US dollars, nobody alone decides how a resource has
 * ended. The other actions move no money of their own, so one person may always order them.
 */
export const needsSecondApprover = (action: OperatorActionName, amountUsd: Amount, aboveUsd: Amount): boolean =>
  endsOrder(action) && isLess(aboveUsd, amountUsd)
