import type { EntityManager } from './database.ts'

/** One thing that has happened to a payout or a destination; `by` is a person of the staff. */
export type TimelineEntry = { at: Date; what: string; by: string | null; reason: string | null }

/** Each source of entries, with the resource's id as its one parameter. `by` is a user's id. */
const sources = [
  `select created_at, type, null as by, null as reason from events where resource_id = ?`,
  `select created_at, 'destination.registered', null, null from payout_destinations where id = ?`,
  `select deactivated_at, 'destination.deactivated', null, null from payout_destinations where id = ?`,
  `select submitted_at, 'payout.submitted', null, null from payouts where id = ?`,
  `select created_at, 'review.opened', null, reason from reviews where resource_id = ?`,
  `select claimed_at, 'review.claimed', claimed_by, null from reviews where resource_id = ?`,
  `select reminded_at, 'review.reminded', null, null from reviews where resource_id = ?`,
  `select escalated_at, 'review.escalated', null, null from reviews where resource_id = ?`,
  `select decided_at, case decision when 'approve' then 'review.approved' else 'review.rejected' end, decided_by,
     decision_reason from reviews where resource_id = ?`,
  `select updated_at, 'review.withdrawn', null, null from reviews where state = 'withdrawn' and resource_id = ?`,
  `select created_at, action || '.proposed', proposed_by, reason from operator_actions where payout_id = ?`,
  `select updated_at, action || '.' || state, coalesce(approved_by, proposed_by), proof_ref from operator_actions
     where state in ('executed', 'refused') and payout_id = ?`,
]

const query = `
  select h.at, h.what, u.full_name as by, h.reason
  from (${sources.join(' union all ')}) as h (at, what, by, reason) left join users u on u.id = h.by
  where h.at is not null order by h.at, h.what`

/** All that has happened to a payout or a destination, oldest first. */
export async function timelineOf(em: EntityManager, id: string): Promise<TimelineEntry[]> {
  const rows = await em.execute<TimelineEntry[]>(
    query,
    sources.map(() => id),
  )
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}
