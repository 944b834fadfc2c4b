import { openPage, openSources } from '../../commands/open-rows.ts'
import { purgeUnattached } from '../../db/catalogue/upload.ts'
import type { Database, EntityManager } from '../../db/core/database.ts'
import { addLongLists, countHours } from '../../db/core/counted-hours.ts'
import { mergeShards } from '../../db/core/merge-shards.ts'
import { noteOverloaded } from '../../db/core/overloaded-account.ts'
import { type Purge, purgeOldest, purges } from '../../db/core/purge.ts'
import { backlogSources, queueSources } from '../../db/sight/figures.ts'
import { lastItem } from '../../db/sight/happenings.ts'
import { lastSequence, readEventsInOrder, readNewEvents } from '../../db/webhook/event-feed.ts'
import { dayMs } from '../../domain/duration.ts'
import { createOutboxClaimer } from '../../engine/outbox-claim.ts'
import type { SizedMerchant } from './merchant.ts'

/** What the service reads by itself, of all merchants, and what follows new events. Nothing that it does is kept. */
export type BackgroundRead = {
  name: string
  /** Prepared statements are not for transactions; they only read. */
  isPrepared?: true
  run: (em: EntityManager, at: number, of: { database: Database; merchant: SizedMerchant }) => Promise<unknown>
}

const BATCH = 500
const PAGE = 200

const feed: BackgroundRead[] = [
  { name: 'events.stream: the last sequence number', run: (em) => lastSequence(em) },
  {
    name: 'events.stream: new events',
    run: async (em, _, { merchant }) => {
      const after = (await lastSequence(em)) - PAGE
      await readNewEvents(em, { after, followed: [merchant.accountId], limit: PAGE })
    },
  },
  {
    name: 'events.stream: what a listener has missed',
    run: async (em, at, { merchant: { accountId } }) => {
      const upTo = await lastSequence(em)
      const after = upTo - upTo / 2
      const wanted = {
        accountId,
        environment: 'sandbox',
        types: null,
        after,
        upTo,
        createdAfter: at - 90 * dayMs,
      } as const
      await readEventsInOrder(em, { ...wanted, limit: PAGE })
    },
  },
  {
    name: 'events.stream: what a listener to one rare type has missed',
    run: async (em, at, { merchant: { accountId } }) => {
      const upTo = await lastSequence(em)
      const of = {
        accountId,
        environment: 'sandbox',
        after: upTo / 2,
        upTo,
        createdAfter: at - 90 * dayMs,
      } as const
      await readEventsInOrder(em, { ...of, types: ['payout.failed'], limit: PAGE })
    },
  },
]

const ofEvents = ({ table }: Purge) => table === 'events'
const isLarge = ({ table }: Purge) => ['events', 'deliveries', 'request_logs', 'idempotency_records'].includes(table)

export const backgroundReads: readonly BackgroundRead[] = [
  ...feed.map((read) => ({ ...read, isPrepared: true as const })),
  ...purges.map((purge): BackgroundRead => ({
    name: `housekeeping: ${purge.name ?? purge.table}, nothing due`,
    run: (em, at) => purgeOldest(em, purge, at - 20 * dayMs, BATCH),
  })),
  ...purges.filter(isLarge).map((purge): BackgroundRead => ({
    name: `housekeeping: ${purge.name ?? purge.table}, some due`,
    // The events of a day are due, of eighty. Deliveries are kept until their events are purged.
    async run(em, at) {
      const due = at + 11 * dayMs
      if (purge.table === 'deliveries')
        for (const first of purges.filter(ofEvents)) await purgeOldest(em, first, due, BATCH)
      await purgeOldest(em, purge, due, BATCH)
    },
  })),
  { name: 'housekeeping: uploads', run: (em, at) => purgeUnattached(em, new Date(at), 50) },
  { name: 'housekeeping: shards of counters', run: (em, at) => mergeShards(em, new Date(at)) },
  { name: 'housekeeping: lists that have become long', run: (em) => addLongLists(em) },
  { name: 'housekeeping: hours that are over, none to count', run: (em) => countHours(em) },
  ...openSources.map(({ process }, source): BackgroundRead => ({
    name: `supervisor: open rows ${source + 1}, of ${process}`,
    run: (em, at) => openPage(em, { source, key: '', id: '' }, PAGE, at),
  })),
  { name: 'outbox: a claim', run: (_em, _at, { database }) => createOutboxClaimer(database)([]) },
  { name: 'outbox: overloaded accounts', run: (em) => noteOverloaded(em) },
  ...Object.entries({ ...queueSources, ...backlogSources }).map(([source, read]): BackgroundRead => ({
    name: `metrics: ${source}`,
    run: (em, at) => read(em, at, 2_000),
  })),
  { name: 'sandbox: the last change', run: (em) => lastItem(em) },
]
