import { endedBy } from './action-invariants.ts'

/** What must hold between the book of the Stripe rail and our own rows. */
export const rules: Record<string, string> = {
  'every order at Stripe is one of ours, with its amount': `
    select o.order_id, o.kind from stripe_orders o
      left join payments p on p.id = o.order_id left join refunds r on r.id = o.order_id
      left join card_setups c on c.id = o.order_id left join disputes d on d.network_id = o.order_id
    where o.sent_at is not null and case o.kind
      when 'refund' then r.id is null or r.charge_id <> o.payment_id
      when 'setup' then c.id is null
      when 'dispute' then d.id is null
      else p.id is null or p.amount <> o.amount or p.currency <> o.currency end`,
  'what Stripe has refunded is posted, and nothing else': `
    select o.order_id, o.answered, r.status from stripe_orders o join refunds r on r.id = o.order_id
    where (o.answered = 'succeeded' and not exists (
        select from ledger_transactions t where t.source_id = r.id and t.kind = 'refund_paid'))
      or (o.answered is distinct from 'succeeded' and r.status = 'succeeded' and not ${endedBy('r', 'mark_settled')})`,
}
