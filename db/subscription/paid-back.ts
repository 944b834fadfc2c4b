import type { PaidBack, Return, Withheld } from '../../domain/subscription/proration.ts'
import type { EntityManager } from '../core/database.ts'
import type { Subscription } from './subscription.ts'

type Charged = Pick<Subscription, 'id' | 'chargedFrom' | 'withheld'>

// Without those of periods that never began (`takeBackAhead`).
const paidInvoices = `invoices i join payments p on p.id = i.payment_id
  where i.subscription_id = ? and i.status = 'paid' and i.period_start <= ? and i.period_end > ?
    and i.id not in (select jsonb_object_keys(?::jsonb))`
const valuesOf = ({ id, chargedFrom, withheld }: Charged) => [id, chargedFrom, chargedFrom, JSON.stringify(withheld)]

// Each with the part of its payment that it returns, if it stands.
const returns = `select id, created_at, requested_amount / nullif(i.received - i.fee, 0) as part,
    status <> 'failed' as stands from refunds where charge_id = i.payment_id
  union all select id, created_at, amount / nullif(i.received, 0),
    status in ('needs_response', 'under_review', 'lost') from disputes where payment_id = i.payment_id`

/**
 * What refunds and disputes have returned of the payments that cover the time of a subscription's current charge; in
 * its currency, and of each payment no more than all. What an earlier change has taken into account is left out: of a
 * dispute that has grown since, or a refund that has taken the place of a failed one, that is a part.
 */
export async function paidBackOf(em: EntityManager, subscription: Charged): Promise<PaidBack[]> {
  const sql = `select r.id, i.total * (least(1, r.sum) - least(1, r.sum - r.part)) as amount,
      least(1, r.sum) - least(1, r.sum - r.part) as part, i.period_start as start, i.period_end as "end"
    from (
      select i.period_start, i.period_end, i.total, i.payment_id, p.amount_received as received, p.fee
      from ${paidInvoices}
    ) i cross join lateral (
      select id, part, created_at, sum(part) over (order by created_at, id) as sum from (
        select id, created_at, part - coalesce((counted ->> (id || '/part'))::numeric,
          case when jsonb_exists(counted, id) then part else 0 end) as part
        from (${returns}) each, (select ?::jsonb as counted) w where stands
      ) uncounted where part > 0
    ) r order by r.created_at, r.id`
  const rows = await em.execute<(Omit<PaidBack, 'period'> & { start: Date; end: Date })[]>(sql, [
    ...valuesOf(subscription),
    JSON.stringify(subscription.withheld),
  ])
  return rows.map(({ start, end, ...back }) => ({
    ...back,
    period: { start: new Date(start).getTime(), end: new Date(end).getTime() },
  }))
}

/** Locks the payments that cover the time of a subscription's charge, so that none of them is refunded meanwhile. */
export const lockPaymentsOfCharge = (em: EntityManager, subscription: Charged): Promise<unknown> =>
  em.execute(`select p.id from ${paidInvoices} order by p.id for update of p`, valuesOf(subscription))

/** The refunds and disputes of the payments of which refunds have failed, or disputes were won, that are withheld. */
export async function returnsOfUndone(em: EntityManager, withheld: Withheld): Promise<Return[]> {
  const ids = Object.keys(withheld)
  if (ids.length === 0) return []
  const sql = `select r.id, i.payment_id as "paymentId", r.part, r.stands
    from (
      select id as payment_id, amount_received as received, fee from payments where id in (
        select charge_id from refunds where status = 'failed' and id in (?)
        union select payment_id from disputes where status = 'won' and id in (?))
    ) i cross join lateral (${returns}) r where r.part > 0 order by r.created_at, r.id`
  return em.execute<Return[]>(sql, [ids, ids])
}
