import { inTransaction } from '../db/core/database.ts'
import { mergeShards } from '../db/core/merge-shards.ts'
import { purgeOldest, purges } from '../db/core/purge.ts'
import { purgeUnattached } from '../db/catalogue/upload.ts'
import { unattachedKeptMs } from '../domain/catalogue/upload.ts'
import type { Deps } from './deps.ts'

/** Uploads deleted in one transaction. Each is up to 10 MB, so this keeps the transaction short. */
const batchMax = 50
/** Rows of one kind deleted in one transaction, which then takes some hundredths of a second. */
const purgedMax = 500

/** The steps of the `housekeeping` process. */
export const housekeepingActivities = ({ database }: Deps) => ({
  /** Deletes uploads that nothing has used for a day; true when there may be more of them. Safe to repeat. */
  purgeUploads: (at: number): Promise<boolean> =>
    inTransaction(database, async (em) => {
      const purged = await purgeUnattached(em, new Date(at - unattachedKeptMs), batchMax)
      return purged === batchMax
    }),
  /**
   * Deletes some rows of each kind whose retention has passed, each kind in its own transaction. True when there may be
   * more to delete. Safe to repeat.
   */
  purgeOldRows: async (at: number): Promise<boolean> => {
    let isMore = false
    for (const purge of purges) {
      const purged = await inTransaction(database, (em) => purgeOldest(em, purge, at, purgedMax))
      isMore ||= purged === purgedMax
    }
    return isMore
  },
  /** Adds up the shards of counters. True when there may be more of them. Safe to repeat. */
  mergeShards: (at: number): Promise<boolean> => inTransaction(database, (em) => mergeShards(em, new Date(at))),
})

/** The types of the activities, for the process that calls them. */
export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
