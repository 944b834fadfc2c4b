/** Whether staff have ended the row `alias` in this way, because its rail had no result. */
export const endedBy = (alias: string, action: 'mark_settled' | 'mark_failed'): string =>
  `exists (select from operator_actions a
    where a.resource_id = ${alias}.id and a.action = '${action}' and a.state = 'executed')`

/** What must hold for what staff have ordered, in any database once all work is done. */
export const rules: Record<string, string> = {
  'nobody approves their own proposal, and every approved operator action is executed': `
    select id, state from operator_actions where approved_by = proposed_by
      or (state = 'approved' and updated_at < now() - interval '10 minutes')`,
  'what is on hold has not ended': `
    select id, status from payouts where on_hold_since is not null and status not in ('approved', 'processing')
    union all select id, status from refunds where on_hold_since is not null and status not in ('pending', 'processing')
    union all select id, status from conversions
      where on_hold_since is not null and status not in ('pending', 'processing')`,
  'an executed mark has ended its resource, and no other one has': `
    select a.id, a.action, r.status from operator_actions a join (
      select id, status from payouts union all select id, status from refunds union all
      select id, status from conversions union all select id, status from payments union all
      select id, status from disputes) r on r.id = a.resource_id
    where a.state = 'executed' and a.action in ('mark_settled', 'mark_failed')
      and r.status not in ('succeeded', 'completed', 'failed', 'won', 'lost')`,
}
