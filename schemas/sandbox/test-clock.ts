import Type, { type Static } from 'typebox'
import type { TestClock as Row } from '../../db/core/test-clock.ts'
import type { TimelineItem as Item } from '../../db/sight/timeline-item.ts'
import { actors } from '../../domain/sight/timeline.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from '../common.ts'

const clock = {
  clock_id: id('clk'),
  name: Type.String(),
  frozen_time: Timestamp,
  status: Type.Enum(['ready', 'advancing']),
  advances_to: nullable(Timestamp),
  created_at: Timestamp,
}

export const TestClock = Type.Object(clock, { $id: 'TestClock' })

export const DeletedClock = Type.Object({ ...clock, deleted: Type.Literal(true) }, { $id: 'DeletedTestClock' })

export const presentClock = (row: Row): Static<typeof TestClock> => ({
  clock_id: row.id,
  name: row.name,
  frozen_time: iso(row.frozenTime),
  status: row.target ? 'advancing' : 'ready',
  advances_to: isoOrNull(row.target),
  created_at: iso(row.createdAt),
})

export const Happening = Type.Object(
  {
    at: Timestamp,
    resource_id: Type.String(),
    step: Type.String({
      description:
        'The status that the resource took (of a delivery `failed` or `skipped`), or `attempt`, `warned`, `disabled`.',
    }),
    actor: Type.Enum([...actors]),
    last_error: nullable(Type.String()),
    event_ids: Type.Array(id('evt')),
    ledger_transaction_ids: Type.Array(id('txn')),
  },
  { $id: 'ClockHappening' },
)

export const AdvancedClock = Type.Object(
  { ...clock, happened: Type.Array(Happening, { description: 'What the advance has caused, in order.' }) },
  { $id: 'AdvancedClock' },
)

/** Something that happened on a clock. */
export type Happened = Pick<Item, 'at' | 'resourceId' | 'status' | 'actor' | 'errorCode'> &
  Partial<Pick<Item, 'eventIds' | 'ledgerTransactionIds'>>

export const presentHappening = (item: Happened): Static<typeof Happening> => ({
  at: iso(item.at),
  resource_id: item.resourceId,
  step: item.status,
  actor: item.actor,
  last_error: item.errorCode,
  event_ids: item.eventIds ?? [],
  ledger_transaction_ids: item.ledgerTransactionIds ?? [],
})
