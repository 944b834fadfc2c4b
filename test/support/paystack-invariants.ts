import { endedBy } from './action-invariants.ts'

/** What must hold between the book of the Paystack rail and our own rows. */
export const rules: Record<string, string> = {
  'what Paystack has refunded is posted, and nothing else': `
    select o.id, o.answered, r.status from paystack_orders o left join refunds r on r.id = o.id
    where o.kind = 'refund' and (r.id is null or r.charge_id <> o.payment_id
      or (o.succeeded_at is not null and not exists (
        select from ledger_transactions t where t.source_id = r.id and t.kind = 'refund_paid'))
      or (o.succeeded_at is null and r.status = 'succeeded' and not ${endedBy('r', 'mark_settled')}))`,
  'a live virtual account at Paystack has the number that its book has': `
    select v.id from virtual_accounts v
      join paystack_accounts a on a.id = coalesce(v.customer_id, v.account_id)
    where v.environment = 'live' and v.account_number is distinct from a.account_number`,
}
