import Type, { type Static } from 'typebox'
import { readAhead } from '../../commands/subscription/ahead.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Customer } from '../../db/customer/customer.ts'
import { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { validateMetadata } from '../../domain/metadata.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import { type ChangeRequests, trialEndsNow } from '../../domain/subscription/change.ts'
import { mergeSubscriptionMetadata } from '../../domain/subscription/metadata.ts'
import { subscriptionStatuses } from '../../domain/subscription/subscription.ts'
import { ChangedMetadata, idParameter, Moment, nullable, page, pageQuery } from '../../schemas/common.ts'
import { presentSubscription, Subscription } from '../../schemas/subscription/subscription.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { assertValid } from '../http/validate.ts'
import { askFor, hasAsked } from './ask.ts'

export const SubscriptionId = Type.Object({ subscription_id: idParameter('sub') })

/** What every operation on a subscription has in common. */
export const onSubscription = { tag: 'Subscriptions', auth: ['apiKey'], params: SubscriptionId } as const

/** The caller's own subscription. Another account's is refused like one that does not exist. */
export async function findSubscription(em: EntityManager, caller: Caller, id: string): Promise<SubscriptionRow> {
  const { accountId, environment } = caller
  const row = await readRow(em, SubscriptionRow, { id, accountId, environment })
  if (!row) throw new Refusal('NOT_FOUND', 'no such subscription')
  return row
}

/** A subscription as merchants see it, as it stands now. */
export async function showSubscription(em: EntityManager, id: string): Promise<Static<typeof Subscription>> {
  const fresh = em.fork()
  return presentOne(fresh, await fresh.findOneOrFail(SubscriptionRow, { id }))
}

async function presentOne(em: EntityManager, row: SubscriptionRow): Promise<Static<typeof Subscription>> {
  const customer = await em.findOneOrFail(Customer, { id: row.customerId })
  return presentSubscription(row, customer, (await readAhead(em, [row]))(row))
}

export const getSubscription = operation({
  ...onSubscription,
  method: 'get',
  path: '/v1/subscriptions/{subscription_id}',
  summary: 'Read a subscription',
  scope: 'subscriptions:read',
  returns: [200, Subscription],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    return presentOne(em, await findSubscription(em, caller, params.subscription_id))
  },
})

const ListSubscriptions = Type.Object({
  ...pageQuery,
  ...createdRange,
  status: Type.Optional(Type.Enum([...subscriptionStatuses])),
  customer_id: Type.Optional(Type.String({ maxLength: 64 })),
  product_id: Type.Optional(Type.String({ maxLength: 64 })),
})

export const listSubscriptions = operation({
  method: 'get',
  path: '/v1/subscriptions',
  summary: 'List subscriptions, newest first',
  tag: 'Subscriptions',
  auth: ['apiKey'],
  scope: 'subscriptions:read',
  query: ListSubscriptions,
  returns: [200, page(Subscription)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const matching = whereMatching(caller, query, { status: 'status', customer_id: 'customerId' })
    const { product_id: product } = query
    const sold = product === undefined ? {} : { lineItems: { $contains: [{ product_id: product }] } }
    const where = { ...matching, ...sold }
    const { rows, pagination } = await listPage({ em, services }, SubscriptionRow, where, query)
    return { items: await presentAll(em, rows), pagination }
  },
})

/** Subscriptions with their customers, in their order. */
export async function presentAll(em: EntityManager, rows: SubscriptionRow[]) {
  const customers = await em.find(Customer, { id: { $in: rows.map(({ customerId }) => customerId) } })
  const ahead = await readAhead(em, rows)
  return rows.flatMap((row) => {
    const customer = customers.find(({ id }) => id === row.customerId)
    return customer ? [presentSubscription(row, customer, ahead(row))] : []
  })
}

/**
 * Refuses a moment that is not in the future. By a test clock the subscription's process decides: its time may have
 * moved on.
 */
function assertFuture(row: SubscriptionRow, field: string, moment: string | null | undefined, now: number): void {
  if (row.clockId || typeof moment !== 'string' || !(Date.parse(moment) <= now)) return
  throw invalid(field, 'must be in the future', 'value_error.range')
}

const EditSubscription = Type.Object(
  {
    metadata: Type.Optional(ChangedMetadata),
    payment_method_id: Type.Optional(idParameter('pm')),
    trial_end: Type.Optional(
      Type.Union([Moment, Type.Literal(trialEndsNow)], { description: 'Another end of the trial, or `now`.' }),
    ),
  },
  { $id: 'EditSubscription' },
)

export const editSubscription = operation({
  ...onSubscription,
  method: 'patch',
  path: '/v1/subscriptions/{subscription_id}',
  summary: 'Change the metadata, the card or the end of the trial',
  scope: 'subscriptions:write',
  mode: 'process',
  body: EditSubscription,
  returns: [200, Subscription],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, callId, isRepeat, now, services }) {
    const row = await findSubscription(em, caller, params.subscription_id)
    const { metadata, payment_method_id: method, trial_end: trialEnd } = body
    if (!(await hasAsked(em, callId, isRepeat))) assertEditable(row, body, now)
    const what = {
      ...(metadata !== undefined && { metadata: metadata as Record<string, string> | '' }),
      ...(method !== undefined && { payment_method_id: method }),
      ...(trialEnd !== undefined && { trial_end: trialEnd }),
    }
    await askFor(services, row, { kind: 'edit', ...what }, { id: callId, by: 'merchant', at: now })
    return showSubscription(em, row.id)
  },
})

function assertEditable(row: SubscriptionRow, { metadata, trial_end }: Static<typeof EditSubscription>, now: number) {
  if (metadata !== undefined)
    assertValid(validateMetadata(mergeSubscriptionMetadata(row.metadata, metadata, row.checkoutId)))
  assertFuture(row, 'trial_end', trial_end, now)
}

const text = (maxLength: number) => Type.Optional(nullable(Type.String({ minLength: 1, maxLength })))

/** Why a subscription is canceled, in the words of whoever cancels it. */
export const cancellationWords = { reason: text(64), comment: text(500) }

const CancelSubscription = Type.Object(
  {
    at_period_end: Type.Optional(Type.Boolean({ description: 'Default true; false ends it now.' })),
    ...cancellationWords,
  },
  { $id: 'CancelSubscription' },
)

export const cancelSubscription = operation({
  ...onSubscription,
  method: 'post',
  path: '/v1/subscriptions/{subscription_id}/cancel',
  summary: 'Cancel a subscription, at the end of its period or now',
  scope: 'subscriptions:write',
  mode: 'process',
  body: CancelSubscription,
  returns: [200, Subscription],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, callId, now, services }) {
    const row = await findSubscription(em, caller, params.subscription_id)
    const { at_period_end = true, reason = null, comment = null } = body
    const what = { kind: 'cancel' as const, at_period_end, reason, comment }
    await askFor(services, row, what, { id: callId, by: 'merchant', at: now })
    return showSubscription(em, row.id)
  },
})

const PauseSubscription = Type.Object(
  {
    at_period_end: Type.Optional(Type.Boolean({ description: 'Default true; false pauses it now.' })),
    resumes_at: Type.Optional(nullable(Moment)),
  },
  { $id: 'PauseSubscription' },
)

export const pauseSubscription = operation({
  ...onSubscription,
  method: 'post',
  path: '/v1/subscriptions/{subscription_id}/pause',
  summary: 'Pause a subscription, at the end of its period or now',
  scope: 'subscriptions:write',
  mode: 'process',
  body: PauseSubscription,
  returns: [200, Subscription],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, callId, isRepeat, now, services }) {
    const row = await findSubscription(em, caller, params.subscription_id)
    const { at_period_end = true, resumes_at = null } = body
    if (!(await hasAsked(em, callId, isRepeat))) assertFuture(row, 'resumes_at', resumes_at, now)
    const what = { kind: 'pause' as const, at_period_end, resumes_at }
    await askFor(services, row, what, { id: callId, by: 'merchant', at: now })
    return showSubscription(em, row.id)
  },
})

/** An operation without a body: it asks for one thing. */
const ask = (
  kind: 'uncancel' | 'resume' | 'retryPayment',
  path: '/uncancel' | '/resume' | '/retry-payment',
  summary: string,
) =>
  operation({
    ...onSubscription,
    method: 'post',
    path: `/v1/subscriptions/{subscription_id}${path}`,
    summary,
    scope: 'subscriptions:write',
    mode: 'process',
    returns: [200, Subscription],
    refuses: ['NOT_FOUND', 'CONFLICT'],

    async handle({ params, caller, em, callId, now, services }) {
      const row = await findSubscription(em, caller, params.subscription_id)
      const what: ChangeRequests[typeof kind] = {}
      await askFor(services, row, { kind, ...what }, { id: callId, by: 'merchant', at: now })
      return showSubscription(em, row.id)
    },
  })

export const uncancelSubscription = ask('uncancel', '/uncancel', 'Take back a cancellation at the end of the period')
export const resumeSubscription = ask('resume', '/resume', 'Resume a paused subscription, or take a pause back')
export const retrySubscription = ask('retryPayment', '/retry-payment', 'Charge the open invoice now')
