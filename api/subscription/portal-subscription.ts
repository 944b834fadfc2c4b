import Type from 'typebox'
import { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import type { ChangeRequests } from '../../domain/subscription/change.ts'
import type { PortalAction } from '../../domain/subscription/customer-session.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { PortalSubscription } from '../../schemas/subscription/portal.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { askFor } from './ask.ts'
import {
  changesSubscription,
  findChangeable,
  findOwnSubscription,
  onPortal,
  ownOf,
  ownSubscriptionPath,
  portalPath,
  presenterOf,
  showOwnSubscription,
} from './portal.ts'
import { cancellationWords, SubscriptionId } from './subscription.ts'

export const listPortalSubscriptions = operation({
  ...onPortal,
  method: 'get',
  path: `${portalPath}/subscriptions`,
  summary: 'List the customer’s subscriptions, newest first',
  query: Type.Object(pageQuery),
  returns: [200, page(PortalSubscription)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const { rows, pagination } = await listPage({ em, services }, SubscriptionRow, ownOf(caller), query)
    const present = await presenterOf(em, ownOf(caller).customerId, rows)
    return { items: rows.map(present), pagination }
  },
})

export const getPortalSubscription = operation({
  ...onPortal,
  method: 'get',
  path: ownSubscriptionPath,
  summary: 'Read a subscription of the customer',
  params: SubscriptionId,
  returns: [200, PortalSubscription],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    return showOwnSubscription(em, (await findOwnSubscription(em, caller, params.subscription_id)).id)
  },
})

const CancelOwn = Type.Object(cancellationWords, { $id: 'CancelOwnSubscription' })

export const cancelPortalSubscription = operation({
  ...changesSubscription,
  path: `${ownSubscriptionPath}/cancel`,
  summary: 'Cancel a subscription at the end of its period',
  body: CancelOwn,

  async handle({ params, body: { reason = null, comment = null }, caller, em, callId, now, services }) {
    const row = await findChangeable(em, caller, params.subscription_id, 'cancel')
    const what = { kind: 'cancel' as const, at_period_end: true, reason, comment }
    await askFor(services, row, what, { id: callId, by: 'customer', at: now })
    return showOwnSubscription(em, row.id)
  },
})

/** How often a card may be tried in a minute. A customer who corrects something needs no more. */
const retriesMax = 5

/** `callsMax`: how often it may be called for a subscription in a minute; left out: only the usual limits apply. */
type Asked = { action: PortalAction; path: '/uncancel' | '/retry-payment'; summary: string; callsMax?: number }

/** An operation without a body, which asks the subscription's process for one kind of change. */
const askForChange = (kind: 'uncancel' | 'retryPayment', { action, path: last, summary, callsMax }: Asked) =>
  operation({
    ...changesSubscription,
    path: `${ownSubscriptionPath}${last}`,
    summary,

    async handle({ params, caller, em, callId, now, services, count }) {
      const row = await findChangeable(em, caller, params.subscription_id, action)
      if (callsMax !== undefined) await count(`${kind}/${row.id}`, callsMax)
      const what: ChangeRequests[typeof kind] = {}
      await askFor(services, row, { kind, ...what }, { id: callId, by: 'customer', at: now })
      return showOwnSubscription(em, row.id)
    },
  })

export const uncancelPortalSubscription = askForChange('uncancel', {
  action: 'cancel',
  path: '/uncancel',
  summary: 'Take back the customer’s own cancellation',
})

export const retryPortalSubscription = askForChange('retryPayment', {
  action: 'payment',
  path: '/retry-payment',
  summary: 'Charge the open invoice now',
  callsMax: retriesMax,
})

const PickCard = Type.Object({ payment_method_id: idParameter('pm') }, { $id: 'PickPaymentMethod' })

export const changePortalCard = operation({
  ...changesSubscription,
  path: `${ownSubscriptionPath}/payment-method`,
  summary: 'Charge another saved card; what is open is charged to it at once',
  body: PickCard,

  async handle({ params, body, caller, em, callId, now, services, count }) {
    const row = await findChangeable(em, caller, params.subscription_id, 'cards')
    await count(`retryPayment/${row.id}`, retriesMax)
    const what = { kind: 'edit' as const, payment_method_id: body.payment_method_id }
    await askFor(services, row, what, { id: callId, by: 'customer', at: now })
    return showOwnSubscription(em, row.id)
  },
})
