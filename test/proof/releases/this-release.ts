// The workflows of today with a change of payouts, which workers of the older release know and do not take yet
// (test/proof/releases/older-worker.ts). Bundled by test/proof/side-by-side.ts.
import { patched, sleep } from '@temporalio/workflow'
import { payout as payoutToday } from '../../../workflows/payout/payout.ts'
import { declareBehaviours } from '../../../workflows/behaviours.ts'

export * from '../../../workflows/main.ts'

/** A further step at the begin of a payout, and another one at its end: so also payouts under way get one. */
export async function payout(id: string, hasNews?: boolean): Promise<string> {
  const ending = payoutToday(id, hasNews)
  if (patched('waits-at-the-begin')) await Promise.all([sleep(1), ending])
  const end = await ending
  if (patched('waits-at-the-end')) await sleep(1)
  return end
}

declareBehaviours({ payout })
