import type { Database } from '../../db/core/database.ts'

/** What must hold for money that has arrived and belongs to no completed sale. */
export const rules: Record<string, string> = {
  'the ledger account `buyer` holds the money of short payments that is not refunded': `
    select * from (
      select account_id, environment, currency, sum(amount) as booked from ledger_entries where book = 'buyer'
      group by 1, 2, 3) books
    full join (
      select account_id, environment, currency, sum(amount_received - refund_claimed) as held from payments
      where status = 'underpaid' group by 1, 2, 3) payments using (account_id, environment, currency)
    where coalesce(booked, 0) <> coalesce(held, 0)`,
  'after a sale is over its short payments are refunded, if that happens by itself': `
    select p.id from payments p join checkouts c on c.id = p.checkout_id join accounts a on a.id = p.account_id
      left join account_settings s on s.account_id = p.account_id and s.environment = p.environment
    where p.status = 'underpaid' and p.amount_received - p.refund_claimed > 500 and p.corridor <> 'CRYPTO'
      and (c.status = 'completed' or coalesce(s.late_payment_policy, a.late_payment_policy) = 'refund')
      and c.listens_until < now() - interval '8 hours'
      and not exists (select from refunds r where r.charge_id = p.id)`,
}

/**
 * A line for each account and currency with short payments that have waited for their merchant for over 80 hours since
 * the newest transfer was posted: the row itself changes whenever its rail is asked.
 */
export async function longHeld({ orm }: Database): Promise<string[]> {
  const rows = await orm.em.fork().execute<{ account_id: string; currency: string; count: string; held: string }[]>(
    `select account_id, currency, count(*), trim_scale(sum(amount_received - refund_claimed)) as held from payments p
     left join (select split_part(source_id, '/', 1) as payment_id, max(created_at) as posted_at
       from ledger_transactions where kind = 'deposit' group by 1) d on d.payment_id = p.id
     where status = 'underpaid' and amount_received > refund_claimed
       and coalesce(posted_at, p.created_at) < now() - interval '80 hours'
     group by 1, 2 order by 1, 2`,
  )
  return rows.map(
    ({ account_id, currency, count, held }) =>
      `${account_id}: ${count} short payments have held ${held} ${currency} for over 80 hours`,
  )
}
