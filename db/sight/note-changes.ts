import { type ChangeSet, ChangeSetType, type EventSubscriber, type FlushEventArgs } from '@mikro-orm/core'
import type { Polled } from '../../domain/rail-polls.ts'
import { commitStateOf, type EntityManager, joinClock } from '../core/database.ts'
import type { OnClock } from '../core/test-clock.ts'
import type { Tenant } from '../core/columns.ts'
import { LedgerTransaction } from '../ledger/tables.ts'
import { Event } from '../webhook/event.ts'
import { TimelineItem } from './timeline-item.ts'
import { type Tracked, trackedResources } from './tracked.ts'

type Resource = Tenant & OnClock & { id: string; createdAt: Date; updatedAt: Date } & Partial<Polled>
type Change = { row: Resource; from: string | null; status: string; error: string | null; pollCount: number }

/** What a transaction has changed so far, and what it has recorded and posted, by the resource that it is about. */
type Noted = { changes: Change[]; events: [about: string, id: string][]; movements: [about: string, id: string][] }

/** By their classes. The list does not know the type of each row (`track`); all have what `Resource` names. */
const byClass = new Map<unknown, Tracked<Resource>>(
  trackedResources.map((tracked) => [tracked.entity, tracked as unknown as Tracked<Resource>]),
)

/**
 * Writes an item of the timeline for every change of a resource's status, in the transaction that changes it, and so
 * that no code can forget it. A transaction may flush several times. The items are written by its last flush, which
 * knows all events and ledger transactions.
 */
export class NoteChanges implements EventSubscriber {
  readonly #noted = new WeakMap<object, Noted>()

  onFlush({ em, uow }: FlushEventArgs): void {
    const noted = this.#noted.get(em) ?? { changes: [], events: [], movements: [] }
    for (const changeSet of uow.getChangeSets()) {
      const { type, entity, payload } = changeSet
      const [joined] = type === ChangeSetType.CREATE ? joinClock(em as EntityManager, [entity]) : []
      if (joined) Object.assign(payload, { clockId: (joined as OnClock).clockId })
      note(noted, changeSet)
    }
    this.#noted.set(em, noted)
    const { isEnding, actor, userId, appended } = commitStateOf(em as EntityManager)
    if (!isEnding) return
    for (const row of appended) noteRow(noted, row)
    for (const { row, from, status, error, pollCount } of noted.changes.splice(0)) {
      const idsAbout = (all: [string, string][]) => all.filter(([about]) => about === row.id).map(([, id]) => id)
      const item = em.create(
        TimelineItem,
        {
          accountId: row.accountId,
          environment: row.environment,
          clockId: row.clockId ?? null,
          resourceId: row.id,
          fromStatus: from,
          status,
          pollCount,
          at: from === null ? row.createdAt : row.updatedAt,
          // What our rules make of a rail's answer, such as the refund of late money, is made by the rules.
          actor: from === null && actor === 'rail' ? 'system' : actor,
          userId,
          errorCode: error,
          eventIds: idsAbout(noted.events),
          ledgerTransactionIds: idsAbout(noted.movements),
        },
        { persist: false },
      )
      // They go with what else this commit writes down, or with the flush where that is nothing.
      if (appended.length > 0) appended.push(item)
      else uow.computeChangeSet(item)
    }
  }
}

function noteRow(noted: Noted, row: object): void {
  if (row instanceof Event) noted.events.push([row.resourceId, row.id])
  if (row instanceof LedgerTransaction) noted.movements.push([row.sourceId, row.id])
}

function note(noted: Noted, { entity, type, originalEntity }: ChangeSet<object>): void {
  const isNew = type === ChangeSetType.CREATE
  if (isNew) noteRow(noted, entity)
  const tracked = byClass.get(entity.constructor)
  if (!tracked || (isNew && tracked.creatorOf)) return
  const row = entity as Resource
  const status = tracked.statusOf(row)
  const before = { ...row, ...originalEntity }
  const from = isNew ? null : tracked.statusOf(before)
  if (from === status) return
  // The order itself is asked in the status that it begins.
  const { pollCount = 0 } = from === 'processing' ? row : before
  noted.changes.push({ row, from, status, error: tracked.errorOf(row), pollCount: isNew ? 0 : pollCount })
}
