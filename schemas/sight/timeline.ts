import Type, { type Static, type TSchema } from 'typebox'
import { environments } from '../../domain/access/scope.ts'
import type { Wait } from '../../db/sight/agenda.ts'
import type { OperatorAction } from '../../db/core/operator-action.ts'
import { operatorActions } from '../../domain/operator-action.ts'
import { shownResources, waitingOns, wakeReasons } from '../../domain/sight/agenda.ts'
import { actors, type Step, stepStatuses } from '../../domain/sight/timeline.ts'
import { CurrencyCode, id, iso, isoOrNull, Money, nullable, Timestamp } from '../common.ts'

const item = {
  resource_id: Type.String({
    description: 'The resource itself, or what belongs to it: its payments, invoices, disputes.',
  }),
  step: Type.String({ description: 'The status that the resource took, or `attempt`.', examples: ['processing'] }),
  status: Type.Enum([...stepStatuses]),
  at: Timestamp,
  ended_at: nullable(Timestamp),
  attempts: Type.Integer({ description: 'How often the rail or the receiver was asked in this step.' }),
  last_error: nullable(
    Type.String({ description: 'Why the step has failed, as a code.', examples: ['card_declined'] }),
  ),
  actor: Type.Enum([...actors]),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
  ledger_transaction_ids: Type.Array(id('txn')),
  event_ids: Type.Array(id('evt')),
}

const TimelineItem = Type.Object(item, { $id: 'TimelineItem' })

const Person = Type.Object({ id: Type.String(), name: Type.String() })

/** An item as staff see it: also what staff have done, who did it, and why. */
export const StaffTimelineItem = Type.Object(
  {
    ...item,
    user: nullable(Person),
    reason: nullable(Type.String()),
  },
  { $id: 'StaffTimelineItem' },
)

const timelineOf = <T extends TSchema>(items: T) => ({
  resource: Type.Enum([...shownResources]),
  resource_id: Type.String(),
  status: Type.String(),
  as_of: Timestamp,
  waiting_on: nullable(Type.Enum([...waitingOns])),
  waiting_since: nullable(Timestamp),
  wakes_at: nullable(Timestamp),
  wake_reason: nullable(
    Type.Enum([...wakeReasons], { description: 'What happens at `wakes_at`, if nothing ends the wait before.' }),
  ),
  expected_by: nullable(Timestamp),
  items: Type.Array(items, { description: 'What has happened, oldest first.' }),
})

export const Timeline = Type.Object(timelineOf(TimelineItem), { $id: 'Timeline' })

const ActionProposal = Type.Object(
  {
    operator_action_id: id('opa'),
    action: Type.Enum([...operatorActions]),
    reason: Type.String(),
    proof_ref: nullable(Type.String()),
    user: Person,
    is_own: Type.Boolean({ description: 'Proposed by the caller, who cannot approve it.' }),
    created_at: Timestamp,
  },
  { $id: 'ActionProposal' },
)

/** `user` is who has proposed it; `userId` is who reads it. */
export const presentProposal = (
  row: OperatorAction,
  user: Static<typeof Person>,
  userId: string,
): Static<typeof ActionProposal> => ({
  operator_action_id: row.id,
  action: row.action,
  reason: row.reason,
  proof_ref: row.proofRef,
  user,
  is_own: row.proposedBy === userId,
  created_at: iso(row.createdAt),
})

export const StaffTimeline = Type.Object(
  {
    ...timelineOf(StaffTimelineItem),
    account_id: id('acct'),
    environment: Type.Enum([...environments]),
    amount: nullable(Money),
    currency: nullable(CurrencyCode),
    actions: Type.Array(Type.Enum([...operatorActions]), { description: 'What staff can order now.' }),
    on_hold_since: nullable(Timestamp),
    helps: nullable(Type.String({ description: 'What helps; null while nothing is late.' })),
    proposals: Type.Array(ActionProposal, { description: 'Actions that wait for a second person.' }),
    process: Type.Object({
      workflow_id: Type.String(),
      url: nullable(
        Type.String({ description: 'Its page in the Temporal UI; null if that address is not configured.' }),
      ),
    }),
  },
  { $id: 'StaffTimeline' },
)

/** A step with details of its kind. */
export type ShownStep = Step & { details?: object }

export const presentStep = (step: ShownStep): Static<typeof TimelineItem> => ({
  resource_id: step.resourceId,
  step: step.step,
  status: step.status,
  at: iso(step.at),
  ended_at: isoOrNull(step.endedAt),
  attempts: step.attempts,
  last_error: step.lastError,
  actor: step.actor,
  details: { ...step.details },
  ledger_transaction_ids: step.ledgerTransactionIds,
  event_ids: step.eventIds,
})

/** What a resource waits for now. Money that becomes available is awaited by its owner, and not by the resource. */
export function presentStanding(steps: readonly ShownStep[], waits: readonly Wait[]) {
  const wait = waits.find(({ waitingOn }) => waitingOn !== 'maturity')
  // The step that runs began when the wait began; the next attempt of a delivery is still to come. A hold has begun
  // within a step.
  const isRunning = ({ status, step }: ShownStep) => status === 'running' && step !== 'attempt'
  const running = wait?.waitingOn === 'operator' ? null : steps.findLast(isRunning)
  const promised = waits.find((other) => other.waitingOn === wait?.waitingOn && other.expectedBy !== null)
  return {
    waiting_on: wait?.waitingOn ?? null,
    waiting_since: wait ? iso(running?.at ?? wait.since) : null,
    wakes_at: isoOrNull(wait?.wakesAt ?? null),
    wake_reason: wait?.reason ?? null,
    expected_by: isoOrNull(wait?.expectedBy ?? promised?.expectedBy ?? null),
  }
}
