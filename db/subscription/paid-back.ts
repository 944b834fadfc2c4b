import {
  paidBackOf,
  type PaidPart,
  type Return,
  uncountedOf,
  type Withheld,
} from '../../domain/subscription/returns.ts'
import type { PaidBack } from '../../domain/subscription/proration.ts'
import type { EntityManager } from '../core/database.ts'
import type { Subscription } from './subscription.ts'

type Charged = Pick<Subscription, 'id' | 'chargedFrom' | 'withheld'>

// Without those of periods that never began (`takeBackAhead`).
const paidInvoices = `invoices i join payments p on p.id = i.payment_id
  where i.subscription_id = ? and i.status = 'paid' and i.period_start <= ? and i.period_end > ?
    and i.id not in (select jsonb_object_keys(?::jsonb))`
const valuesOf = ({ id, chargedFrom, withheld }: Charged) => [id, chargedFrom, chargedFrom, JSON.stringify(withheld)]

/** What refunds and disputes have returned of the payments that cover the time of a subscription's current charge. */
export async function readPaidBack(em: EntityManager, subscription: Charged): Promise<PaidBack[]> {
  const sql = `select p.id as "paymentId", i.total as amount, i.period_start as start, i.period_end as "end"
    from ${paidInvoices} order by p.id`
  type Row = Omit<PaidPart, 'period'> & { start: Date; end: Date }
  const rows = await em.execute<Row[]>(sql, valuesOf(subscription))
  const paid = rows.map(({ start, end, ...part }) => ({
    ...part,
    period: { start: new Date(start).getTime(), end: new Date(end).getTime() },
  }))
  const returns = await returnsOf(
    em,
    paid.map(({ paymentId }) => paymentId),
  )
  return paidBackOf(paid, uncountedOf(returns, subscription.withheld))
}

/** Locks the payments that cover the time of a subscription's charge, so that none of them is refunded meanwhile. */
export const lockPaymentsOfCharge = (em: EntityManager, subscription: Charged): Promise<unknown> =>
  em.execute(`select p.id from ${paidInvoices} order by p.id for update of p`, valuesOf(subscription))

/** The refunds and disputes of the payments of which refunds have failed, or disputes were won, that are withheld. */
export async function returnsOfUndone(em: EntityManager, withheld: Withheld): Promise<Return[]> {
  const ids = Object.keys(withheld)
  if (ids.length === 0) return []
  const sql = `select charge_id as id from refunds where status = 'failed' and id in (?)
    union select payment_id from disputes where status = 'won' and id in (?)`
  const payments = await em.execute<{ id: string }[]>(sql, [ids, ids])
  return returnsOf(
    em,
    payments.map(({ id }) => id),
  )
}

/**
 * The refunds and disputes of some payments, each with the part of its payment that it returns, if it stands. Refunds
 * return a surplus first: it has paid for no time.
 */
async function returnsOf(em: EntityManager, paymentIds: readonly string[]): Promise<Return[]> {
  if (paymentIds.length === 0) return []
  const sql = `select r.id, p.id as "paymentId", r.part, r.stands from (
      select id, amount_received as received, amount_received - least(amount_received, amount) as surplus,
        nullif(least(amount_received, amount) - fee, 0) as settled from payments
    ) p cross join lateral (
      select id, created_at, stands, case when stands
        then greatest(sum - p.surplus, 0) - greatest(sum - amount - p.surplus, 0) else amount end / p.settled as part
      from (
        select id, created_at, requested_amount as amount, status <> 'failed' as stands,
          sum(requested_amount) filter (where status <> 'failed') over (order by created_at, id) as sum
        from refunds where charge_id = p.id
      ) each
      union all select id, created_at, status in ('needs_response', 'under_review', 'lost'),
        amount / nullif(p.received, 0) from disputes where payment_id = p.id
    ) r where p.id in (?) and r.part > 0 order by r.created_at, r.id`
  return em.execute<Return[]>(sql, [paymentIds])
}
