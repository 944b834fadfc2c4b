import { inTransaction } from '../db/core/database.ts'
import { mergeShards } from '../db/core/merge-shards.ts'
import { purgeOldest, purges } from '../db/core/purge.ts'
import { purgeUnattached } from '../db/catalogue/upload.ts'
import { unattachedKeptMs } from '../domain/catalogue/upload.ts'
import type { Deps } from './deps.ts'

/** So many uploads of up to 10 MB at a time: a short transaction however much there is to delete. */
const batchMax = 50
/** So many rows of a kind at a time: some hundredths of a second in one transaction. */
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
   * Deletes some rows of each kind that has been kept for long enough, each kind in a transaction of its own; true when
   * there may be more of one. Safe to repeat.
   */
  purgeOldRows: async (at: number): Promise<boolean> => {
    let isMore = false
    for (const purge of purges) {
      const purged = await inTransaction(database, (em) => purgeOldest(em, purge, at, purgedMax))
      isMore ||= purged === purgedMax
    }
    return isMore
  },
  /** Adds up what connections have counted apart; true when there may be more of it. Safe to repeat. */
  mergeShards: (at: number): Promise<boolean> => inTransaction(database, (em) => mergeShards(em, new Date(at))),
})

/** The types of the activities, for the process that calls them. */
export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
