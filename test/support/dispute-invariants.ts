/**
 * The movements of disputes. A dispute whose amount has grown has several that hold it, the later ones with their
 * number after its id.
 */
const movements = `(select id, kind, split_part(source_id, '/', 1) as dispute_id, source_id from ledger_transactions
  where kind in ('dispute_hold', 'dispute_fee_hold', 'dispute_paid', 'dispute_released', 'dispute_fee_paid'))`

/** What must hold of disputes, once all work is done; each query returns the rows that break it. */
export const rules: Record<string, string> = {
  'refunds and disputes of a charge never take more than its buyer has paid, and the payment counts the disputes': `
    select p.id, p.dispute_claimed from payments p left join disputes d on d.payment_id = p.id
    group by p.id having p.dispute_claimed
        <> coalesce(sum(d.amount) filter (where d.status in ('needs_response', 'under_review', 'lost')), 0)
      or (p.dispute_claimed > 0 and p.refund_claimed + p.dispute_claimed > p.amount_received)
      or p.disputed <> coalesce(bool_or(exists (select from ledger_transactions t
        where t.kind = 'dispute_hold' and t.source_id = d.id)), false)`,
  'a dispute holds its amount once, and pays or releases it once; a warning that was prevented holds nothing': `
    select d.id, d.status from disputes d left join ledger_transactions t on t.source_id = d.id
      and t.kind in ('dispute_hold', 'dispute_paid', 'dispute_released', 'dispute_fee_paid') group by d.id
    having count(*) filter (where t.kind = 'dispute_hold')
        <> case when d.status in ('early_warning', 'prevented') or (d.resolution = 'withdrawn' and d.fee = 0) then 0
          else 1 end
      or count(*) filter (where t.kind = 'dispute_paid') <> case d.status when 'lost' then 1 else 0 end
      or count(*) filter (where t.kind = 'dispute_released')
        <> case when d.status = 'won' and d.fee > 0 then 1 else 0 end
      or count(*) filter (where t.kind = 'dispute_fee_paid')
        <> case when d.status in ('won', 'lost') and d.fee > 0 then 1 else 0 end`,
  'an open dispute holds its amount and its fee': `
    select d.id, d.amount, sum(e.amount) from disputes d join ${movements} t on t.dispute_id = d.id
    join ledger_entries e on e.transaction_id = t.id and e.book = 'reserved'
    where d.status in ('needs_response', 'under_review') group by d.id having sum(e.amount) <> d.amount + d.fee`,
  'a dispute that was lost takes its amount and its fee, and one that was won only its fee': `
    select d.id, d.status, e.book, sum(e.amount) from disputes d
    join ${movements} t on t.dispute_id = d.id
    join (select transaction_id, amount, case book when 'owed' then 'merchant' else book end as book
      from ledger_entries) e on e.transaction_id = t.id
    where d.status in ('won', 'lost', 'prevented') group by d.id, e.book
    having sum(e.amount) <> case
      when e.book = 'reserved' then 0
      when e.book = 'fees' then d.fee
      when e.book = 'rail' then case d.status when 'lost' then d.amount else 0 end
      else -d.fee - case d.status when 'lost' then d.amount else 0 end end`,
  'a dispute takes back the shares of its sale in proportion, and gives them again only where it is won': `
    select r.id from transfer_reversals r join transfers t on t.id = r.transfer_id
    join disputes d on d.id = r.dispute_id
    where d.payment_id is distinct from t.payment_id or (r.canceled_at is not null) <> (d.status = 'won')`,
  'a dispute has the events of its life': `
    select d.id, d.status from disputes d left join events e on e.resource_id = d.id and not e.is_test group by d.id
    having count(*) filter (where e.type = 'dispute.created') <> 1
      or count(*) filter (where e.type = 'dispute.won') <> case d.status when 'won' then 1 else 0 end
      or count(*) filter (where e.type = 'dispute.lost') <> case d.status when 'lost' then 1 else 0 end
      or (d.reminded_at is not null) > bool_or(coalesce(e.type = 'dispute.evidence_due_soon', false))
      -- One for each deadline: a later one of the network is told by dispute.updated.
      or count(*) filter (where e.type = 'dispute.evidence_due_soon')
        > (d.reminded_at is not null)::int + count(*) filter (where e.type = 'dispute.updated')`,
  'evidence is submitted before its deadline, and a dispute is lost at the deadline and never before': `
    select id from disputes where submitted_at >= evidence_due_at
      or (resolution = 'expired' and resolved_at < evidence_due_at)
      or (resolution = 'expired' and (status <> 'lost' or submitted_at is not null))
      -- What was announced may be reviewed by its network already, by evidence that it was given elsewhere.
      or (status = 'lost' and submitted_at is null and resolution not in ('expired', 'accepted')
        and warns_until is null)`,
}
