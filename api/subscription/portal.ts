import { readAhead } from '../../commands/subscription/ahead.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Customer } from '../../db/customer/customer.ts'
import { CustomerSession } from '../../db/subscription/customer-session.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import { allowsAction, type PortalAction } from '../../domain/subscription/customer-session.ts'
import { PortalSubscription, presentPortalSubscription } from '../../schemas/subscription/portal.ts'
import type { Caller } from '../http/operation.ts'
import { SubscriptionId } from './subscription.ts'

/** What every operation of the portal has in common. */
export const onPortal = { tag: 'Customer portal', auth: ['customerToken'], scope: null } as const

export const portalPath = '/v1/customer-portal'

/** Where a subscription of the customer is. */
export const ownSubscriptionPath = `${portalPath}/subscriptions/{subscription_id}` as const

/** What every operation of the portal has in common that changes a subscription and answers with it. */
export const changesSubscription = {
  ...onPortal,
  method: 'post',
  mode: 'process',
  params: SubscriptionId,
  returns: [200, PortalSubscription],
  refuses: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
} as const

/** Whose rows the portal shows: every query of it has all three. */
export type Own = Pick<Subscription, 'accountId' | 'environment' | 'customerId'>

/** The customer of the token. */
export function ownOf({ accountId, environment, customerId }: Caller): Own {
  if (customerId === null) throw new Error('the call is not a customer’s')
  return { accountId, environment, customerId }
}

/** The session of the token, which the call was admitted by. */
export const sessionOf = ({ customerSessionId }: Caller, em: EntityManager): Promise<CustomerSession> =>
  em.findOneOrFail(CustomerSession, { id: customerSessionId ?? '' })

/** Refuses what the session was not opened for. */
export async function assertAllowed(
  em: EntityManager,
  caller: Caller,
  action: PortalAction,
  subscriptionId: string | null,
): Promise<void> {
  const { flow } = await sessionOf(caller, em)
  if (allowsAction(flow, action, subscriptionId)) return
  throw new Refusal('FORBIDDEN', `the customer session is for ${flow?.type ?? 'something else'} only`)
}

/** The customer's own subscription. Another customer's is refused like one that does not exist. */
export async function findOwnSubscription(em: EntityManager, caller: Caller, id: string): Promise<Subscription> {
  const row = await readRow(em, Subscription, { id, ...ownOf(caller) })
  if (!row) throw new Refusal('NOT_FOUND', 'no such subscription')
  return row
}

/** The customer's own subscription, which the session allows to be changed in this way. */
export async function findChangeable(em: EntityManager, caller: Caller, id: string, action: PortalAction) {
  const row = await findOwnSubscription(em, caller, id)
  await assertAllowed(em, caller, action, id)
  return row
}

/** A subscription as its customer sees it, as it stands now. */
export async function showOwnSubscription(em: EntityManager, id: string) {
  const fresh = em.fork()
  const row = await fresh.findOneOrFail(Subscription, { id })
  const present = await presenterOf(fresh, row.customerId, [row])
  return present(row)
}

/** Presents any of these subscriptions of a customer as they see it. */
export async function presenterOf(em: EntityManager, customerId: string, rows: Subscription[]) {
  const customer = await em.findOneOrFail(Customer, { id: customerId })
  const ids = rows.flatMap((row) => row.paymentMethodId ?? [])
  const cards = await em.find(SavedPaymentMethod, { id: { $in: ids }, detachedAt: null })
  const ahead = await readAhead(em, rows)
  return (row: Subscription) => {
    const card = cards.find(({ id }) => id === row.paymentMethodId) ?? null
    return presentPortalSubscription(row, customer, {
      card,
      ahead: ahead(row),
    })
  }
}
