/** The decimals of the currency of a payment `p`, and its promise in that currency at its rate. */
const digits = `case when p.currency in ('RWF', 'UGX', 'XAF', 'XOF') then 0 else 2 end`
const smallestUnit = `power(10::numeric, -(${digits}))`
const promised = `round(coalesce(p.platform_fee, p.transfer_amount) * coalesce(p.rate, 1), ${digits})`

/**
 * What the merchant has got of a payment of which a part was accepted. The ledger has the part that has settled: what
 * left the buyer's account, less the fee. What a refund had held of the buyer's account, and gave to the merchant when
 * it failed, is a part of the sale as well.
 */
const gotOfPart = `((select -sum(e.amount) from ledger_transactions x
    join ledger_entries e on e.transaction_id = x.id where x.source_id = p.id and x.kind = 'settlement'
      and e.book in ('buyer', 'fees'))
  + coalesce((select -sum(e.amount) from refunds f
    join ledger_transactions x on x.source_id = f.id and x.kind = 'refund_hold'
    join ledger_entries e on e.transaction_id = x.id and e.book = 'buyer'
    join ledger_transactions back on back.source_id = f.id and back.kind = 'refund_released'
    where f.charge_id = p.id
      and not exists (select from ledger_entries b where b.transaction_id = back.id and b.book = 'buyer')), 0))`
const settlesWhole = 'nullif(p.amount - coalesce(p.quoted_fee, p.fee), 0)'

/** What such a payment promises of that part, before it is rounded. */
const promisedOfPart = `${promised} * least(${gotOfPart}, ${settlesWhole}) / ${settlesWhole}`

/** The part of a sale that its refunds return, once they have returned what nothing was passed on of. */
const refundedOfSale = `least(
  (select coalesce(sum(f.requested_amount), 0) from refunds f
    where f.charge_id = p.id and f.takes_back_share and f.status <> 'failed'),
  greatest(p.refund_claimed - (p.amount_received - p.fee - t.settled_amount), 0))`

/** What must hold of transfers and platform fees, once all work is done. */
export const rules: Record<string, string> = {
  'what accounts of a platform pass on to each other adds up to nothing': `
    select coalesce(a.owner_id, e.account_id), e.environment, e.currency, sum(e.amount) from ledger_entries e
    left join accounts a on a.id = e.account_id where e.book = 'intercompany'
    group by 1, 2, 3 having sum(e.amount) <> 0`,
  'the books of each account balance by themselves': `
    select account_id, transaction_id, currency from ledger_entries group by account_id, environment, transaction_id,
      currency having sum(amount) <> 0`,
  'a transfer is posted once, from its sender to its receiver, in full': `
    select t.id from transfers t left join ledger_transactions x on x.source_id = t.id and x.kind = t.kind
    where x.id is null
      or t.amount <> coalesce((select -sum(e.amount) from ledger_entries e where e.transaction_id = x.id
        and e.account_id = t.from_account_id and e.amount < 0 and e.book in ('merchant', 'owed')), 0)
      or t.amount <> coalesce((select sum(e.amount) from ledger_entries e where e.transaction_id = x.id
        and e.account_id = t.to_account_id and e.amount > 0 and e.book = 'merchant'), 0)`,
  'what has gone back of a transfer is the sum of its reversals that stand, each posted': `
    select t.id from transfers t left join transfer_reversals r on r.transfer_id = t.id
    group by t.id having t.reversed_amount <> coalesce(sum(r.amount) filter (where r.canceled_at is null), 0)
    union all select r.id from transfer_reversals r join transfers t on t.id = r.transfer_id
    where (r.account_id, r.environment, r.currency) <> (t.account_id, t.environment, t.currency)
      or r.amount <> coalesce((select sum(e.amount) from ledger_transactions x join ledger_entries e
        on e.transaction_id = x.id where x.source_id = r.id
        and x.kind = case t.kind when 'transfer' then 'transfer_reversed' else 'platform_fee_refunded' end
        and e.account_id = t.from_account_id and e.amount > 0 and e.book = 'merchant'), 0)
      or (r.canceled_at is not null) <> exists (select from ledger_transactions x where x.source_id = r.id
        and x.kind in ('transfer_restored', 'platform_fee_restored'))`,
  'a sale that has settled has passed on what it promises, and no other has passed on anything': `
    select p.id from payments p left join transfers t on t.payment_id = p.id
    where (t.id is not null and (p.status <> 'succeeded' or p.duplicate or t.environment <> p.environment
        or t.currency <> p.currency or t.from_account_id <> p.account_id
        or t.kind <> case when p.platform_fee is null then 'transfer' else 'platform_fee' end))
      or (t.id is null and p.status = 'succeeded' and not p.duplicate
        and ${promised} > 0
        and not (p.partial and p.platform_fee is null and ${promisedOfPart} < ${smallestUnit})
        and p.completed_at > (select executed_at from migrations where name = '0049-transfers'))`,
  'of a sale that was accepted in part, the same part of the share is passed on': `
    select t.id from transfers t join payments p on p.id = t.payment_id
    where p.partial and abs(t.amount - ${promisedOfPart}) >= ${smallestUnit}`,
  // What a refund that has failed, or a surplus that came later, has left too much is not passed on again.
  'refunds take back no more of a share than their part of what has settled of the sale': `
    select t.id from transfers t join payments p on p.id = t.payment_id
      join transfer_reversals r on r.transfer_id = t.id and r.refund_id is not null and r.canceled_at is null
    where not exists (select from refunds f where f.charge_id = p.id and f.status = 'failed')
    group by t.id, p.id having sum(r.amount) >= ${smallestUnit} + t.amount * ${refundedOfSale} / t.settled_amount
      and not exists (select from ledger_transactions x where x.kind = 'surplus'
        and (x.source_id = p.id or x.source_id like p.id || '/%') and x.created_at > min(r.created_at))`,
  'a reversal belongs to a refund of its own sale, and stands as long as that has not failed': `
    select r.id from transfer_reversals r join transfers t on t.id = r.transfer_id join refunds f on f.id = r.refund_id
    where f.charge_id is distinct from t.payment_id or (r.canceled_at is not null) <> (f.status = 'failed')`,
  'nobody gets more of a sale than has settled': `
    select t.id from transfers t join payments p on p.id = t.payment_id where t.amount > p.amount_received - p.fee`,
}
