import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { PayoutSnapshot } from '../../activities/payout/answer.ts'
import type { PayoutActivities } from '../../activities/payout/payout.ts'
import type { PayoutStaffActivities } from '../../activities/payout/staff.ts'
import { hasEnded } from '../../domain/payout/payout.ts'
import { goesOn, isTooLong } from '../continue-anew.ts'
import { decided } from './held-payout.ts'
import { localSteps } from '../local-steps.ts'
import { newest } from '../newest.ts'
import { anId } from '../only-ids.ts'
import { showEnd } from './words.ts'
import { ledger, mail, rail } from '../policies.ts'
import { askAtLast, type Heard, sent } from './sent-payout.ts'
import { now } from '../wait-until.ts'
import { signalOf, updateOf } from '../messages.ts'

const { assessPayout } = localSteps<PayoutActivities>(ledger('Check whether review is required'))
const { decidePayout } = localSteps<PayoutStaffActivities>(ledger('Apply the reviewer’s decision'))
const { nudgePayoutReview } = proxyActivities<PayoutStaffActivities>(mail('Remind staff of the open review'))
const { carryOut } = proxyActivities<PayoutStaffActivities>(rail('Carry out what staff ordered, if the rail agrees'))

const decide = updateOf('payout', 'decide')
const retry = updateOf('payout', 'retry')
const markSettled = updateOf('payout', 'markSettled')
const markFailed = updateOf('payout', 'markFailed')
const railAnswered = signalOf('payout', 'railAnswered')

/**
 * One payout: held for a reviewer if need be, handed to the rail, and asked about until the rail knows its end.
 * `hasNews`: the run before this one has heard of news that nobody has asked about yet.
 */
export async function payout(id: string, hasNews = false): Promise<string> {
  const heard: Heard = { news: hasNews, isOrderDue: false }
  const { take, current } = newest<PayoutSnapshot>()
  const stands = () => current().status
  setHandler(railAnswered, () => void (heard.news = true))
  setHandler(decide, async (said) => take(await decidePayout(id, said, now())), { validator: anId('rvd') })
  const obey = async (actionId: string) => {
    const snapshot = await carryOut(actionId, now())
    if (snapshot.isOrderDue) heard.isOrderDue = true
    take(snapshot)
  }
  for (const order of [retry, markSettled, markFailed]) setHandler(order, obey, { validator: anId('opa') })

  take(await assessPayout(id, now()))
  // Begun anew, after the engine's loss or a run that had become too long: the order is given again under the same id.
  if (stands() === 'processing' && patched('order-again')) heard.isOrderDue = true
  for (let isShown = goesOn(); !hasEnded(stands()); isShown = false) {
    const isOver = () => stands() !== 'pending' || isTooLong()
    if (isTooLong()) return continueAnew()
    if (isOver()) await sent({ id, heard, take, current })
    else await decided(current(), { isShown, isOver, nudge: (at) => nudgePayoutReview(id, at) })
  }

  const askAboutNews = async () => {
    heard.news = false
    take(await askAtLast(id, now()))
  }
  // A bank's return, and a word of the rail that came too late, start this process anew when it has ended.
  while (heard.news && !isTooLong()) await askAboutNews()
  await condition(allHandlersFinished)
  // And so does what came while the last step ran, or while staff were being answered.
  for (; heard.news && !isTooLong() && patched('last-look'); await condition(allHandlersFinished)) await askAboutNews()
  return heard.news && isTooLong() ? continueAnew() : showEnd(current())

  function continueAnew(): Promise<never> {
    return continueAsNew<typeof payout>(id, heard.news)
  }
}
