import type { PaidBack, Withheld } from '../../domain/subscription/proration.ts'
import type { EntityManager } from '../core/database.ts'
import type { Subscription } from './subscription.ts'

type Charged = Pick<Subscription, 'id' | 'chargedFrom' | 'withheld'>

// Without those of periods that never began (`takeBackAhead`).
const paidInvoices = `invoices i join payments p on p.id = i.payment_id
  where i.subscription_id = ? and i.status = 'paid' and i.period_start <= ? and i.period_end > ?
    and i.id not in (select jsonb_object_keys(?::jsonb))`
const valuesOf = ({ id, chargedFrom, withheld }: Charged) => [id, chargedFrom, chargedFrom, JSON.stringify(withheld)]

// Each with the part of its payment that it has returned.
const returned = `select id, created_at, requested_amount / nullif(i.received - i.fee, 0) as part
    from refunds where charge_id = i.payment_id and status <> 'failed'
  union all select id, created_at, amount / nullif(i.received, 0)
    from disputes where payment_id = i.payment_id and status in ('needs_response', 'under_review', 'lost')`

/**
 * What refunds and disputes have returned of the payments that cover the time of a subscription's current charge; in
 * its currency, and of each payment no more than all. Those that an earlier change has taken into account are left out.
 */
export async function paidBackOf(em: EntityManager, subscription: Subscription): Promise<PaidBack[]> {
  const sql = `select r.id, i.total * (least(1, r.sum) - least(1, r.sum - r.part)) as amount,
      i.period_start as start, i.period_end as "end"
    from (
      select i.period_start, i.period_end, i.total, i.payment_id, p.amount_received as received, p.fee
      from ${paidInvoices}
    ) i cross join lateral (
      select id, part, created_at, sum(part) over (order by created_at, id) as sum from (${returned}) each
      where id not in (select jsonb_object_keys(?::jsonb))
    ) r where r.part > 0 order by r.created_at, r.id`
  const rows = await em.execute<{ id: string; amount: string; start: Date; end: Date }[]>(sql, [
    ...valuesOf(subscription),
    JSON.stringify(subscription.withheld),
  ])
  return rows.map(({ id: source, amount, start, end }) => ({
    id: source,
    amount,
    period: { start: new Date(start).getTime(), end: new Date(end).getTime() },
  }))
}

/** Locks the payments that cover the time of a subscription's charge, so that none of them is refunded meanwhile. */
export const lockPaymentsOfCharge = (em: EntityManager, subscription: Charged): Promise<unknown> =>
  em.execute(`select p.id from ${paidInvoices} order by p.id for update of p`, valuesOf(subscription))

/** Those of the refunds and disputes that have returned nothing after all: refunds that failed, and disputes won. */
export async function returnedNothing(em: EntityManager, withheld: Withheld): Promise<string[]> {
  const ids = JSON.stringify(withheld)
  if (ids === '{}') return []
  // Where a dispute holds or has taken money of the payment, it may have returned what the refund did not.
  const sql = `select r.id from refunds r where r.status = 'failed' and r.id in (select jsonb_object_keys(?::jsonb))
      and not exists (select from disputes d where d.payment_id = r.charge_id
        and d.status in ('needs_response', 'under_review', 'lost'))
    union all select id from disputes where status = 'won' and id in (select jsonb_object_keys(?::jsonb))`
  return (await em.execute<{ id: string }[]>(sql, [ids, ids])).map(({ id }) => id)
}
