import { continueAsNew } from '@temporalio/workflow'
import type { HousekeepingActivities } from '../activities/housekeeping.ts'
import { proxyLocalSteps } from './local-steps.ts'
import { ledgerPolicy } from './policies.ts'
import { now, waitUntil } from './wait-until.ts'
import { hourMs } from '../domain/duration.ts'

const { purgeUploads } = proxyLocalSteps<HousekeepingActivities>(ledgerPolicy('Delete unused uploads'))
const { purgeOldRows } = proxyLocalSteps<HousekeepingActivities>(ledgerPolicy('Delete expired rows'))
const { mergeShards } = proxyLocalSteps<HousekeepingActivities>(ledgerPolicy('Add up buffered counters'))

/** Steps of one run: a day of them where there is little to delete. Then a new run continues with an empty history. */
const stepsMax = 24

/** Every hour deletes rows whose retention has passed and merges shards. Never ends. */
export async function housekeeping(id: string): Promise<never> {
  for (let step = 0; step < stepsMax; step++) {
    const isMoreToPurge = await purgeUploads(now())
    const isMoreToMerge = await mergeShards(now())
    const isMoreToDelete = await purgeOldRows(now())
    const isMore = isMoreToPurge || isMoreToMerge || isMoreToDelete
    if (!isMore) await waitUntil(now() + hourMs, { for: 'next hour', unless: () => false })
  }
  return continueAsNew<typeof housekeeping>(id)
}
