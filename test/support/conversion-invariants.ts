import { endedBy } from './action-invariants.ts'

/** What must hold for quotes and conversions; each query returns the rows that break it. */
export const rules: Record<string, string> = {
  'a conversion has used its quote in time, and has its amounts': `
    select c.id, c.quote_id from conversions c left join conversion_quotes q on q.id = c.quote_id
    where q.used_at is null or q.used_at <> c.created_at or q.used_at >= q.expires_at
      or (q.account_id, q.environment, q.from_amount, q.from_currency, q.to_amount, q.to_currency, q.rate, q.fee)
        <> (c.account_id, c.environment, c.from_amount, c.from_currency, c.to_amount, c.to_currency, c.rate, c.fee)`,
  'a quote is used at most once': `
    select quote_id from (select quote_id from conversions union all
      select quote_id from payouts where quote_id is not null) used group by 1 having count(*) > 1`,
  'a conversion has one hold, and then is done or released once': `
    select c.id, c.status from conversions c left join ledger_transactions t on t.source_id = c.id group by c.id
    having count(*) filter (where t.kind = 'conversion_hold') <> 1
        or count(*) filter (where t.kind = 'conversion_done') <> case c.status when 'completed' then 1 else 0 end
        or count(*) filter (where t.kind = 'conversion_released') <> case c.status when 'failed' then 1 else 0 end`,
  'a conversion takes what is sold, gives what is bought and keeps its fee, or moves nothing': `
    select c.id, c.status, e.book, e.currency, sum(e.amount) from conversions c
    join ledger_transactions t on t.source_id = c.id join ledger_entries e on e.transaction_id = t.id
    where c.status in ('completed', 'failed') group by c.id, e.book, e.currency
    having sum(e.amount) <> case
      when c.status = 'failed' or e.book = 'reserved' then 0
      when e.book = 'fees' then c.fee
      when e.book = 'merchant' then case e.currency when c.from_currency then -c.from_amount else c.to_amount end
      else case e.currency when c.from_currency then c.from_amount - c.fee else -c.to_amount end end`,
  'the exchange and conversions agree one to one': `
    select coalesce(c.id, s.conversion_id), c.status, s.status, s.executions from conversions c
    full join simulated_conversions s on s.conversion_id = c.id
    where c.id is null or s.executions <> case s.status when 'completed' then 1 else 0 end
       or (c.status = 'failed' and s.status = 'completed') or (c.status = 'pending' and s.status is not null)
       or (s.status is not null and (s.sold_amount, s.sold_currency, s.bought_amount, s.bought_currency)
         <> (c.from_amount - c.fee, c.from_currency, c.to_amount, c.to_currency))
       or (c.status = 'completed' and s.status is distinct from 'completed' and not ${endedBy('c', 'mark_settled')})`,
  'a conversion has the event of its end': `
    select c.id, c.status from conversions c left join events e on e.resource_id = c.id group by c.id
    having count(*) filter (where e.type = 'conversion.completed') <> case c.status when 'completed' then 1 else 0 end
        or count(*) filter (where e.type = 'conversion.failed') <> case c.status when 'failed' then 1 else 0 end`,
}
