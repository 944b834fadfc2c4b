import Type from 'typebox'
import { ProductGroup } from '../../db/catalogue/product-group.ts'
import { Product } from '../../db/catalogue/product.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Flow } from '../../domain/subscription/customer-session.ts'
import { idParameter, nullable, page, pageQuery } from '../../schemas/common.ts'
import { OfferedProduct, offeredOf } from '../../schemas/checkout/line-item.ts'
import { type Caller, operation } from '../http/operation.ts'
import { pageOfAll } from '../http/pagination.ts'
import { applyAsked, askFor, hasAsked } from './ask.ts'
import { PlanPreview, previewPlan, readPlan } from './plan.ts'
import {
  changesSubscription,
  findChangeable,
  findOwnSubscription,
  onPortal,
  ownSubscriptionPath,
  sessionOf,
  showOwnSubscription,
} from './portal.ts'
import { SubscriptionId } from './subscription.ts'

/**
 * The products that a customer may change to: recurring, on sale, at a price of their own, in the same currency, and in
 * a product group with the present one. Empty for a subscription of several products.
 */
async function plansFor(em: EntityManager, row: SubscriptionRow, flow: Flow | null): Promise<Product[]> {
  const [current, ...others] = row.lineItems
  if (!current || others.length > 0 || row.status === 'canceled') return []
  const { accountId, environment, currency } = row
  const owner = { accountId, environment }
  const named = flow?.product_group_id ?? null
  const together = { ...owner, active: true, productIds: { $contains: [current.product_id] } }
  const groups = await em.find(ProductGroup, { ...together, ...(named !== null && { id: named }) })
  const ids = [...new Set(groups.flatMap(({ productIds }) => productIds))].filter((id) => id !== current.product_id)
  const sold = { ...owner, active: true, currency, priceType: { $ne: 'custom' as const } }
  const found = await em.find(Product, { id: { $in: ids }, ...sold, recurringInterval: { $ne: null } })
  return ids.flatMap((id) => found.find((product) => product.id === id) ?? [])
}

/**
 * The plan that a customer asks for, at the present quantity. A plan that is not offered is refused like a missing one.
 */
async function readOwnPlan(em: EntityManager, caller: Caller, row: SubscriptionRow, productId: string) {
  if (row.status === 'canceled') throw new Refusal('CONFLICT', 'the subscription is canceled')
  const plans = await plansFor(em, row, (await sessionOf(caller, em)).flow)
  if (!plans.some(({ id }) => id === productId)) throw new Refusal('NOT_FOUND', 'no such plan')
  const quantity = row.lineItems[0]?.quantity ?? 1
  // What is paid at once is charged to a card. A customer who pays invoices gets the new plan with the next one.
  const proration = row.collection === 'invoice' ? ('next_period' as const) : ('prorate' as const)
  return readPlan(em, row, { product_id: productId, quantity, proration })
}

const Plans = Type.Object(
  { ...page(OfferedProduct).properties, product_group_id: nullable(Type.String()) },
  { $id: 'PortalPlans' },
)

export const listPortalPlans = operation({
  ...onPortal,
  method: 'get',
  path: `${ownSubscriptionPath}/plans`,
  summary: 'List the plans that a subscription may change to',
  params: SubscriptionId,
  query: Type.Object(pageQuery),
  returns: [200, Plans],
  refuses: ['NOT_FOUND'],

  async handle({ params, query, caller, em, services }) {
    const row = await findOwnSubscription(em, caller, params.subscription_id)
    const { flow } = await sessionOf(caller, em)
    const products = (await plansFor(em, row, flow)).map((product, at) => ({ product, at }))
    const { rows, pagination } = pageOfAll('plans', products, ({ at }) => String(at).padStart(9, '0'), query, services)
    const items = rows.map(({ product }) => offeredOf(product))
    return { items, pagination, product_group_id: flow?.product_group_id ?? null }
  },
})

const PickPlan = Type.Object({ product_id: idParameter('prod') }, { $id: 'PickPlan' })

export const previewPortalPlan = operation({
  ...onPortal,
  method: 'post',
  path: `${ownSubscriptionPath}/preview-change`,
  summary: 'See what a change of plan costs, without changing anything',
  mode: 'read',
  params: SubscriptionId,
  body: PickPlan,
  returns: [200, PlanPreview],
  refuses: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    const row = await findChangeable(em, caller, params.subscription_id, 'plan')
    return previewPlan(em, row, await readOwnPlan(em, caller, row, body.product_id), now)
  },
})

export const changePortalPlan = operation({
  ...changesSubscription,
  path: `${ownSubscriptionPath}/change-plan`,
  summary: 'Change to another plan of the product group; the difference is charged now',
  body: PickPlan,

  async handle({ params, body, caller, em, callId, now, isRepeat, services }) {
    const row = await findChangeable(em, caller, params.subscription_id, 'plan')
    if (await hasAsked(em, callId, isRepeat)) await applyAsked(services, row, 'changePlan', callId)
    else {
      const { request } = await readOwnPlan(em, caller, row, body.product_id)
      await askFor(services, row, request, { id: callId, by: 'customer', at: now })
    }
    return showOwnSubscription(em, row.id)
  },
})
