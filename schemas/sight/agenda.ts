import Type, { type Static } from 'typebox'
import type { Wait } from '../../db/sight/agenda.ts'
import { agendaResources, waitingOns, wakeReasons } from '../../domain/sight/agenda.ts'
import { iso, isoOrNull, nullable, Timestamp } from '../common.ts'

export const AgendaItem = Type.Object(
  {
    resource: Type.Enum([...agendaResources]),
    resource_id: Type.String(),
    waiting_on: Type.Enum([...waitingOns]),
    reason: Type.Enum([...wakeReasons], {
      description: 'What happens at `wakes_at`, if nothing ends the wait before.',
    }),
    waiting_since: Timestamp,
    wakes_at: nullable(Timestamp),
    expected_by: nullable(Timestamp),
  },
  { $id: 'AgendaItem' },
)

export const presentWait = (wait: Wait): Static<typeof AgendaItem> => ({
  resource: wait.resource,
  resource_id: wait.id,
  waiting_on: wait.waitingOn,
  reason: wait.reason,
  waiting_since: iso(wait.since),
  wakes_at: isoOrNull(wait.wakesAt),
  expected_by: isoOrNull(wait.expectedBy),
})
