import { endedBy } from './action-invariants.ts'

/** Whether staff have ended the dispute `d`, because its network had not answered: it may decide later, or never. */
const isMarked = `(${endedBy('d', 'mark_settled')} or ${endedBy('d', 'mark_failed')})`

/** What must hold of disputes and the simulated network’s book, once all work is done. */
export const rules: Record<string, string> = {
  'the network and disputes agree, and evidence was received once': `
    select d.id, d.status, s.status, s.submissions from disputes d
    full join simulated_disputes s on s.network_id = d.network_id and s.payment_id = d.payment_id
    where (d.environment = 'sandbox' and s.network_id is null) or s.submissions > 1
      or (d.rail_due is null and not ${isMarked} and coalesce(d.resolution, 'evidence') = 'evidence'
        and (s.submissions = 1) <> (d.submitted_at is not null))
      or (${isMarked} and (d.status, s.status) in (('won', 'lost'), ('won', 'closed'), ('lost', 'won'),
        ('lost', 'withdrawn')))
      or (d.rail_due is null and not ${isMarked} and (d.status, s.status) not in (('early_warning', 'early_warning'),
        ('needs_response', 'needs_response'), ('under_review', 'under_review'), ('won', 'won'), ('won', 'withdrawn'),
        ('lost', 'lost'), ('lost', 'closed'), ('lost', 'needs_response'), ('prevented', 'closed'))
        and not (d.status = 'prevented' and s.status = 'needs_response' and exists (
          select from payments p where p.id = d.payment_id
            and p.refund_claimed + p.dispute_claimed >= p.amount_received)))`,
}
