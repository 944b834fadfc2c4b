import { endedBy } from './action-invariants.ts'

/** What the books of the simulators and of Paystack say of payouts; a payout is in one of them. */
const books = `select payout_id, status, executions, orders, amount, currency from simulated_payouts
  union all select id, case
      when succeeded_at is not null then case answered when 'reversed' then 'returned' else 'completed' end
      when refused_at is not null or canceled_at is not null
        or answered in ('failed', 'reversed', 'abandoned', 'blocked', 'rejected') then 'failed'
      else 'processing' end,
    case when succeeded_at is null then 0 else 1 end, sends, amount, currency
  from paystack_orders where kind = 'payout'`

/** What must hold for payouts in any database once all work is done. */
export const rules: Record<string, string> = {
  'a payout has one hold, and then one payment or one release': `
    select p.id, p.status from payouts p left join ledger_transactions t on t.source_id = p.id group by p.id
    having count(*) filter (where t.kind = 'payout_hold') <> 1
        or count(*) filter (where t.kind = 'payout_paid') <> case p.status when 'completed' then 1 else 0 end
        or count(*) filter (where t.kind = 'payout_released')
           <> case when p.status in ('failed', 'rejected') then 1 else 0 end
        or count(*) filter (where t.kind = 'payout_returned') <> case when p.returned_at is null then 0 else 1 end`,
  'a payout takes its amount, sends it and keeps its fees, or takes nothing': `
    select p.id, p.status, e.book, sum(e.amount) from payouts p
    join ledger_transactions t on t.source_id = p.id join ledger_entries e on e.transaction_id = t.id
    where p.status in ('completed', 'failed', 'rejected') group by p.id, e.book
    having sum(e.amount) <> case
      when p.status <> 'completed' or e.book = 'reserved' then 0
      when e.book = 'fees' then p.fee + p.quote_fee
      when e.book = 'rail' then case when p.returned_at is null then p.source_amount - p.quote_fee else 0 end
      when p.returned_at is null then -p.source_amount - p.fee
      else -p.quote_fee - p.fee end`,
  'every hold and every order belongs to a payout': `
    select t.source_id from ledger_transactions t left join payouts p on p.id = t.source_id
    where t.kind like 'payout%' and p.id is null
    union all select s.payout_id from simulated_payouts s left join payouts p on p.id = s.payout_id
    where p.id is null or p.submitted_at is null`,
  'rails and payouts agree': `
    select p.id, p.status, s.status, s.executions from payouts p left join (${books}) s on s.payout_id = p.id
    where s.executions <> case when s.status in ('completed', 'returned') then 1 else 0 end
       or (s.orders > 0 and (s.amount, s.currency) <> (p.amount, p.currency))
       or (p.status = 'completed'
           and s.status is distinct from case when p.returned_at is null then 'completed' else 'returned' end
           and not ${endedBy('p', 'mark_settled')})
       or (p.status = 'failed' and s.status in ('completed', 'returned'))
       or (p.status = 'failed' and s.status = 'processing' and not ${endedBy('p', 'mark_failed')})
       or (p.status in ('requested', 'pending', 'approved', 'rejected') and s.payout_id is not null)`,
  'a payout has the events of its life': `
    select p.id, p.status from payouts p left join events e on e.resource_id = p.id group by p.id
    having count(*) filter (where e.type = 'payout.created') <> 1
        or count(*) filter (where e.type = 'payout.paid') <> case p.status when 'completed' then 1 else 0 end
        or count(*) filter (where e.type = 'payout.failed')
           <> case when p.status in ('failed', 'rejected') then 1 else 0 end
        or count(*) filter (where e.type = 'payout.returned') <> case when p.returned_at is null then 0 else 1 end`,
  'exactly the held payouts are in the queue of the review desk': `
    select p.id, r.resource_id from (select id from payouts where status = 'pending') p
    full join (select resource_id from reviews where type = 'payout' and state = 'open') r on r.resource_id = p.id
    where p.id is null or r.resource_id is null`,
  'a payout that uses a quote has its amounts, and nothing else has used it': `
    select p.id from payouts p left join conversion_quotes q on q.id = p.quote_id
    left join conversions c on c.quote_id = p.quote_id
    where p.quote_id is not null and (q.used_at is null or c.id is not null
      or (p.source_amount, p.source_currency, p.amount, p.currency, p.quote_fee) is distinct from
         (q.from_amount, q.from_currency, q.to_amount, q.to_currency, q.fee))`,
}
