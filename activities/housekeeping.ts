import { addLongLists, countHours } from '../db/core/counted-hours.ts'
import { type Database, inTransaction } from '../db/core/database.ts'
import { mergeShards } from '../db/core/merge-shards.ts'
import { purgeOldest, purges } from '../db/core/purge.ts'
import { purgeUnattached } from '../db/catalogue/upload.ts'
import { unattachedKeptMs } from '../domain/catalogue/upload.ts'
import type { Clock } from '../domain/clock.ts'
import type { Deps } from './deps.ts'
import { hourMs } from '../domain/duration.ts'

/** Uploads deleted in one transaction. Each is up to 10 MB, so this keeps the transaction short. */
const batchMax = 50
/** Rows of one kind deleted in one transaction, which then takes some hundredths of a second. */
const purgedMax = 500
/** Transactions that count hours in one step. Each counts a few lists, as rows that come late wait for it. */
const countingTurnsMax = 20

/** The steps of the `housekeeping` process. `asked` is its time, in milliseconds since the epoch. */
export const housekeepingActivities = ({ database, clock }: Deps, hours = createHourCounter(database)) => ({
  /** Deletes uploads that nothing has used for a day; true when there may be more of them. Safe to repeat. */
  purgeUploads: (asked: number): Promise<boolean> =>
    inTransaction(database, async (em) => {
      const at = await noLaterThan(clock, asked)
      const purged = await purgeUnattached(em, new Date(at - unattachedKeptMs), batchMax)
      return purged === batchMax
    }),
  /**
   * Deletes some rows of each kind whose retention has passed, each kind in its own transaction. True when there may be
   * more to delete. Safe to repeat.
   */
  purgeOldRows: async (asked: number): Promise<boolean> => {
    const at = await noLaterThan(clock, asked)
    let isMore = false
    for (const purge of purges) {
      const purged = await inTransaction(database, (em) => purgeOldest(em, purge, at, purgedMax))
      isMore ||= purged === purgedMax
    }
    return isMore
  },
  /**
   * Adds up the shards of counters, and counts the rows of hours that are over. True when there may be more of them.
   * Safe to repeat.
   */
  mergeShards: async (at: number): Promise<boolean> => {
    const isMoreToMerge = await inTransaction(database, (em) => mergeShards(em, new Date(at)))
    const isMoreToCount = await hours.count(at)
    return isMoreToMerge || isMoreToCount
  },
})

/** Counts hours that are over. Long lists are looked for once an hour, however many steps there are in it. */
function createHourCounter(database: Database) {
  let looksAgainAt = 0
  return {
    /** True when there may be more to count. */
    async count(at: number): Promise<boolean> {
      if (at >= looksAgainAt) {
        await inTransaction(database, addLongLists)
        looksAgainAt = at + hourMs
      }
      for (let turn = 0; turn < countingTurnsMax; turn++) if (!(await inTransaction(database, countHours))) return false
      return true
    },
  }
}

/**
 * The process's time, but no later than the real time. Deleted rows cannot be restored, such as the answer to an
 * idempotency key. So an engine whose clock is ahead must not have them deleted early.
 */
const noLaterThan = async (clock: Clock, asked: number): Promise<number> => Math.min(asked, await clock.now())

/** The types of the activities, for the process that calls them. */
export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
