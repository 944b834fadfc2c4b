import type { PaidBack } from '../../domain/subscription/proration.ts'
import type { EntityManager } from '../core/database.ts'
import type { Subscription } from './subscription.ts'

type Charged = Pick<Subscription, 'id' | 'chargedFrom'>

const paidInvoices = `invoices i join payments p on p.id = i.payment_id
  where i.subscription_id = ? and i.status = 'paid' and i.period_start <= ? and i.period_end > ?`

/**
 * What refunds and disputes have returned of the payments that cover the time of a subscription's current charge; in
 * its currency. Of a payment for time before that charge, what was returned earlier was taken into account by it. The
 * payment of the charge itself may have been made ahead, and returned before its period began.
 */
export async function paidBackOf(em: EntityManager, { id, chargedFrom: from }: Charged): Promise<PaidBack[]> {
  const sql = `select r.amount, i.period_start as start, i.period_end as "end" from (
      select i.period_start, i.period_end, i.total, p.id, p.amount_received as received, p.fee,
        case when i.period_start < ? then ?::timestamptz else '-infinity' end as since from ${paidInvoices}
    ) i cross join lateral (select i.total * least(1,
      coalesce((select sum(requested_amount) from refunds where charge_id = i.id and status <> 'failed'
        and created_at >= i.since) / nullif(i.received - i.fee, 0), 0)
      + coalesce((select sum(amount) from disputes where payment_id = i.id
        and status in ('needs_response', 'under_review', 'lost') and created_at >= i.since) / nullif(i.received, 0), 0)
      ) as amount) r where r.amount > 0`
  const rows = await em.execute<{ amount: string; start: Date; end: Date }[]>(sql, [from, from, id, from, from])
  return rows.map(({ amount, start, end }) => ({
    amount,
    period: { start: new Date(start).getTime(), end: new Date(end).getTime() },
  }))
}

/** Locks the payments that cover the time of a subscription's charge, so that none of them is refunded meanwhile. */
export const lockPaymentsOfCharge = (em: EntityManager, { id, chargedFrom }: Charged): Promise<unknown> =>
  em.execute(`select p.id from ${paidInvoices} order by p.id for update of p`, [id, chargedFrom, chargedFrom])
