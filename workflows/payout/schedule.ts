import { setHandler } from '@temporalio/workflow'
import type { PayoutScheduleActivities, ScheduleSnapshot } from '../../activities/payout/schedule.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { ledgerPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { followTestClock, keepTime } from '../test-clock.ts'
import { now, waitUntil } from '../wait-until.ts'
import { signalOf } from '../messages.ts'
import { continueInNewRun } from '../continue-as-new.ts'

const { readSchedule } = proxyLocalSteps<PayoutScheduleActivities>(ledgerPolicy('Read the schedule'))
const { runSchedule } = proxyLocalSteps<PayoutScheduleActivities>(
  ledgerPolicy('Create a payout of the available balance'),
)

const changed = signalOf('payout-schedule', 'changed')

/** Steps of one run: a month of daily payouts. Then a new run continues with an empty history. */
const stepsMax = 31

/**
 * Pays out a balance at each scheduled moment, as long as there is a next one. The process starts again when the
 * merchant changes the schedule.
 */
export async function payoutSchedule(scheduleId: string): Promise<string> {
  followTestClock()
  let news = false
  setHandler(changed, () => void (news = true))

  let plan = await readSchedule(scheduleId)
  keepTime(plan.clockTime)
  for (let steps = 0; plan.nextRunAt !== null || news; steps++) {
    if (steps === stepsMax) await continueInNewRun<typeof payoutSchedule>(scheduleId)
    const due = plan.nextRunAt
    const isDue =
      due !== null && !(await waitUntil(due, { for: 'next run', unless: () => news, helps: words(plan, due) }))
    news = false
    plan = isDue ? await runSchedule(scheduleId, due, now()) : await readSchedule(scheduleId)
    keepTime(plan.clockTime)
  }
  showStatus(plan.status, 'nobody')
  return plan.status
}

/** What operators read while the schedule waits for its next run. */
function words({ currency, minimumAmount }: ScheduleSnapshot, due: number): string {
  const when = new Date(due).toISOString()
  const enough = `if at least ${minimumAmount} ${currency} is available`
  return `Next payout of ${currency} on ${when} to the default destination, ${enough}.`
}
