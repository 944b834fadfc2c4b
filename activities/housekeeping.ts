import { inTransaction } from '../db/database.ts'
import { mergeSlots } from '../db/merge-slots.ts'
import { purgeUnattached } from '../db/upload.ts'
import { unattachedKeptMs } from '../domain/upload.ts'
import type { Deps } from './deps.ts'

/** So many uploads of up to 10 MB at a time: a short transaction however much there is to delete. */
const batchMax = 50

/** The steps of the `housekeeping` process. */
export const housekeepingActivities = ({ database }: Deps) => ({
  /** Deletes uploads that nothing has used for a day; true when there may be more of them. Safe to repeat. */
  purgeUploads: (at: number): Promise<boolean> =>
    inTransaction(database, async (em) => {
      const purged = await purgeUnattached(em, new Date(at - unattachedKeptMs), batchMax)
      return purged === batchMax
    }),
  /** Adds up what connections have counted apart; true when there may be more of it. Safe to repeat. */
  mergeCounts: (at: number): Promise<boolean> => inTransaction(database, (em) => mergeSlots(em, new Date(at))),
})

/** The types of the activities, for the process that calls them. */
export type HousekeepingActivities = ReturnType<typeof housekeepingActivities>
