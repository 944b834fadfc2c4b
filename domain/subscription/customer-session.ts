import { hourMs } from '../duration.ts'

/** What a customer is sent to the portal for. */
export const flowTypes = ['payment_method_update', 'subscription_cancel', 'subscription_update'] as const
export type FlowType = (typeof flowTypes)[number]

/**
 * The one thing that a customer may change in a session. `subscription_id`: of this subscription only;
 * `product_group_id`: to plans of this group only.
 */
export type Flow = { type: FlowType; subscription_id: string | null; product_group_id: string | null }

/** How long the token of a session works, in milliseconds. */
export const customerSessionMs = hourMs

/** What a customer may do in the portal beside reading. */
export type PortalAction = 'cards' | 'cancel' | 'plan' | 'payment' | 'details'

const allowed: Record<FlowType, readonly PortalAction[]> = {
  payment_method_update: ['cards', 'payment'],
  subscription_cancel: ['cancel'],
  subscription_update: ['plan'],
}

/** Whether a session allows an action, on this subscription where it is about one. Without a flow it allows all. */
export function allowsAction(flow: Flow | null, action: PortalAction, subscriptionId: string | null): boolean {
  if (flow === null) return true
  const { type, subscription_id: only } = flow
  return allowed[type].includes(action) && (only === null || subscriptionId === null || only === subscriptionId)
}
