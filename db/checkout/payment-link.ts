import { defineEntity, p } from '@mikro-orm/core'
import { type Corridor, corridorKeys, corridorOf, type MethodOptions } from '../../domain/corridor.ts'
import type { PickedProduct } from '../../domain/checkout/line-item.ts'
import type { NextAction } from '../../domain/checkout/payment.ts'
import type { LinkPrice } from '../../domain/checkout/payment-link.ts'
import { oneSplit } from './checkout.ts'
import { currencyCode, moment, money, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

const schema = defineEntity({
  name: 'PaymentLink',
  tableName: 'payment_links',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // The last part of its public address.
    slug: p.string().length(32).unique(),
    name: p.string().length(255),
    active: p.boolean().default(true),
    // What the link sells: one of these three. Prices of products are read when a session is opened.
    productCart: p.json<PickedProduct[]>().strictNullable(),
    productGroupId: p.string().strictNullable(),
    price: p.json<LinkPrice>().strictNullable(),
    // The index of the cart's line whose price the buyer decides.
    openLine: p.smallint().strictNullable(),
    successUrl: p.string().length(2048),
    customerCreation: p.enum(['if_required', 'always']).default('if_required'),
    methodOptions: p.json<MethodOptions>().strictNullable(),
    // The platform's fee or the seller's share, at most one of them, as in a session.
    platformFee: money().strictNullable(),
    transferAmount: money().strictNullable(),
    transferDestination: p.string().strictNullable(),
    // The currency of the sale's amounts.
    currency: currencyCode(),
    // Null: no limit.
    maxCompletions: p.integer().strictNullable().check('max_completions >= 1'),
    // Counted in the transaction that completes a session. The last check below keeps it within the limit.
    completedCount: p.integer().default(0).check('completed_count >= 0'),
    expiresAt: moment().strictNullable(),
    inactiveMessage: p.string().length(500).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    {
      name: 'payment_links_one_sale_check',
      expression: 'num_nonnulls(product_cart, product_group_id, price) = 1',
    },
    { name: 'payment_links_open_line_check', expression: 'open_line is null or product_cart is not null' },
    { name: 'payment_links_one_split_check', expression: oneSplit },
    // A comparison with null is null, which a check lets pass.
    { name: 'payment_links_limit_check', expression: 'completed_count <= max_completions' },
  ],
  indexes: [{ name: 'payment_links_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] }],
})
/** An address that can be shared. Each visit opens a new session, which sells what the link says. */
export class PaymentLink extends schema.class {}
schema.setClass(PaymentLink)

// A buyer who was only shown where to send money does not count against the link's limit: the money may never arrive.
// A mobile money wallet is asked for it, so its buyer counts before the rail has said that it asks.
const sendsMoney = (key: Corridor) => corridorOf(key).push && corridorOf(key).method !== 'mobile_money'
const sendingCorridors = corridorKeys.filter(sendsMoney)

// What a buyer agrees to without us: on the bank's page, or on their phone. They are charged as soon as they agree, so
// such a payment counts from the moment they are asked. A code comes through us, and is refused when there is no room.
const agreedElsewhere: readonly NextAction['type'][] = ['redirect', 'phone_prompt']

const marks = (values: readonly string[]) => values.map(() => '?').join(', ')

type OfLink = { id: string; paymentLinkId: string | null }

/**
 * Counts a session that is about to complete, in its transaction. False when its link has reached its limit: then the
 * session must not complete. Always true for a session without a link.
 */
export async function countCompletion(em: EntityManager, { paymentLinkId }: OfLink): Promise<boolean> {
  if (paymentLinkId === null) return true
  const counted = await em.execute<object[]>(
    `update payment_links set completed_count = completed_count + 1
     where id = ? and (max_completions is null or completed_count < max_completions) returning id`,
    [paymentLinkId],
  )
  return counted.length > 0
}

/**
 * Whether a payment of this session may begin. The link's completed sales and the payments of its other sessions that
 * rails are processing, or that their buyers may agree to elsewhere, count against its limit; so do those that were
 * given up and that their rail has not cancelled. A link with a limit stays locked until the transaction ends, so that
 * two sessions do not take one place.
 */
export async function hasRoom(em: EntityManager, { id, paymentLinkId }: OfLink): Promise<boolean> {
  if (paymentLinkId === null) return true
  const [link] = await em.execute<{ left: number }[]>(
    `select max_completions - completed_count as left from payment_links
     where id = ? and max_completions is not null for no key update`,
    [paymentLinkId],
  )
  if (!link) return true
  const [held] = await em.execute<{ count: string }[]>(
    `select count(distinct c.id) from checkouts c join payments p on p.checkout_id = c.id
     where c.payment_link_id = ? and c.status = 'open' and c.id <> ?
       and (p.id = c.payment_id and c.payment_status = 'processing'
           and (p.next_action is not null or p.corridor not in (${marks(sendingCorridors)}))
         or p.next_action->>'type' in (${marks(agreedElsewhere)})
           and (p.id = c.payment_id and c.payment_status = 'requires_action'
             or p.status = 'canceled' and p.cancelling is distinct from 'done'))`,
    [paymentLinkId, id, ...sendingCorridors, ...agreedElsewhere],
  )
  return Number(held?.count) < link.left
}
