import type { Change, Step } from '../../domain/sight/timeline.ts'
import type { EntityManager } from '../core/database.ts'
import { type Delivery, DeliveryAttempt } from '../webhook/endpoint.ts'
import { TimelineItem } from './timeline-item.ts'
import type { Tracked } from './tracked.ts'
import { stepsOf } from '../../domain/sight/timeline.ts'

/** A row of a tracked resource, as far as its timeline needs it. */
export type TrackedRow = { id: string; createdAt: Date; pollCount?: number }

/** The steps of resources of one kind, those of each resource in their order. */
export async function readSteps<T extends TrackedRow>(
  em: EntityManager,
  tracked: Tracked<T>,
  rows: readonly T[],
): Promise<Step[]> {
  const items = await em.find(TimelineItem, { resourceId: rows.map(({ id }) => id) }, { orderBy: { id: 'asc' } })
  return rows.flatMap((row) => {
    const own = items.filter(({ resourceId }) => resourceId === row.id)
    const first = tracked.creatorOf ? [creationOf(row, tracked.initial, tracked.creatorOf(row))] : []
    return stepsOf([...first, ...own], { ends: tracked.ends, pollCount: row.pollCount ?? 0 })
  })
}

const creationOf = ({ id: resourceId, createdAt: at }: TrackedRow, status: string, actor: Change['actor']): Change => ({
  resourceId,
  status,
  at,
  actor,
  userId: null,
  errorCode: null,
  pollCount: 0,
  eventIds: [],
  ledgerTransactionIds: [],
})

/** The steps of a webhook delivery are its attempts, and the one that it waits for. */
export async function readDeliverySteps(
  em: EntityManager,
  delivery: Delivery,
): Promise<(Step & { details: object })[]> {
  const { id: resourceId, status, nextAttemptAt, completedAt, eventId } = delivery
  const common = { resourceId, userId: null, eventIds: [eventId], ledgerTransactionIds: [] }
  const attempts = await em.find(DeliveryAttempt, { deliveryId: resourceId }, { orderBy: { number: 'asc' } })
  const made = attempts.map(({ at, durationMs, error, number, responseStatus }) => ({
    ...common,
    step: 'attempt',
    status: error === null ? ('done' as const) : ('failed' as const),
    at,
    endedAt: new Date(at.getTime() + durationMs),
    attempts: 1,
    lastError: error,
    actor: 'system' as const,
    details: { number, response_status: responseStatus, duration_ms: durationMs },
  }))
  const next = { ...common, attempts: 0, lastError: null, actor: 'system' as const, details: {} }
  if (status === 'pending' && nextAttemptAt)
    return [...made, { ...next, step: 'attempt', status: 'running', at: nextAttemptAt, endedAt: null }]
  if (status === 'skipped' && completedAt)
    return [...made, { ...next, step: 'skipped', status: 'skipped', at: completedAt, endedAt: completedAt }]
  return made
}

/** What staff have done about a resource beside changing its status. Only staff read it. */
export type Note = { at: Date; step: string; userId: string | null; reason: string | null }

/** Each source of notes, with the resource's id as its one parameter. */
const notes = [
  `select created_at, 'review.opened', null, reason from reviews where resource_id = ?`,
  `select claimed_at, 'review.claimed', claimed_by, null from reviews where resource_id = ?`,
  `select reminded_at, 'review.reminded', null, null from reviews where resource_id = ?`,
  `select escalated_at, 'review.escalated', null, null from reviews where resource_id = ?`,
  `select decided_at, case decision when 'approve' then 'review.approved' when 'reject' then 'review.rejected'
     else 'review.asked_for_information' end, decided_by,
     decision_reason from reviews where resource_id = ?`,
  `select updated_at, 'review.withdrawn', null, null from reviews where state = 'withdrawn' and resource_id = ?`,
  `select created_at, action || '.proposed', proposed_by, reason from operator_actions where resource_id = ?`,
  `select updated_at, action || '.' || state, coalesce(approved_by, proposed_by), proof_ref from operator_actions
     where state in ('executed', 'refused') and resource_id = ?`,
]

const noteQuery = `
  select at, step, user_id as "userId", reason from (${notes.join(' union all ')}) as n (at, step, user_id, reason)
  where at is not null order by at, step`

export async function readNotes(em: EntityManager, id: string): Promise<Note[]> {
  const rows = await em.execute<Note[]>(
    noteQuery,
    notes.map(() => id),
  )
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}
