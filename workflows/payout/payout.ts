import { allHandlersFinished, condition, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow'
import type { PayoutSnapshot } from '../../activities/payout/snapshot.ts'
import type { PayoutActivities } from '../../activities/payout/payout.ts'
import type { PayoutStaffActivities } from '../../activities/payout/staff.ts'
import { isPayoutEnded } from '../../domain/payout/payout.ts'
import { continueInNewRun, isContinued, shouldContinueAsNew } from '../continue-as-new.ts'
import { firstStep } from '../first-step.ts'
import { holdForReview } from './in-review.ts'
import type { Inbox } from './inbox.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { validateId } from '../id-validator.ts'
import { showOutcome } from './details.ts'
import { ledgerPolicy, mailPolicy, railPolicy } from '../policies.ts'
import { keepRailOrderNews } from '../rail-order/news.ts'
import { proxyRailSteps } from '../rail-steps.ts'
import { endedDetails } from '../rail-order/words.ts'
import { patiently } from './steps.ts'
import { followPayout } from './with-rail.ts'
import { followOperatorActions } from '../operator-actions.ts'
import { followTestClock } from '../test-clock.ts'
import { now } from '../wait-until.ts'
import { signalOf, updateOf } from '../messages.ts'

const { assessPayout } = proxyLocalSteps<PayoutActivities>(ledgerPolicy('Check whether review is required'))
const { decidePayout } = proxyLocalSteps<PayoutStaffActivities>(ledgerPolicy('Apply the reviewer’s decision'))
const { remindPayoutReviewers } = proxyActivities<PayoutStaffActivities>(mailPolicy('Remind staff of the open review'))
const { carryOutAction } = proxyRailSteps<PayoutStaffActivities>(
  railPolicy('Carry out what staff ordered, if the rail agrees'),
)

const decide = updateOf('payout', 'decide')
const railAnswered = signalOf('payout', 'railAnswered')

/**
 * One payout: held for a reviewer if necessary, sent to the rail, and asked about until the rail knows its end.
 * `hasNews`: the previous run received news that the rail has not answered for.
 */
export async function payout(id: string, hasNews = false): Promise<string> {
  followTestClock()
  const { applySnapshot, current } = keepLatestSnapshot<PayoutSnapshot>()
  const status = () => current().status
  const assess = firstStep(() => assessPayout(id, now()))
  const news = keepRailOrderNews(railAnswered, hasNews)
  const inbox: Inbox = { news, isOrderDue: false, actionsCarriedOut: 0 }
  setHandler(decide, async (decisionId) => applySnapshot(await decidePayout(id, decisionId, now())), {
    validator: validateId('rvd'),
  })
  followOperatorActions(['retry', 'hold', 'release', 'markSettled', 'markFailed'], async (actionId) => {
    const snapshot = await carryOutAction(actionId, now(), id)
    inbox.actionsCarriedOut += 1
    if (snapshot.isOrderDue) inbox.isOrderDue = true
    applySnapshot(snapshot)
  })

  applySnapshot(await assess())
  // Started again, after the engine lost its data or after a run that had become too long: the order is sent again
  // under the same id.
  if (status() === 'processing') inbox.isOrderDue = true
  for (let isShown = isContinued(); !isPayoutEnded(status()); isShown = false) {
    const isOver = () => status() !== 'pending' || shouldContinueAsNew()
    if (shouldContinueAsNew()) return continueRun()
    if (isOver()) await followPayout({ id, inbox, applySnapshot, current })
    else await holdForReview(current(), { isShown, isOver, remind: (at) => remindPayoutReviewers(id, at) })
  }

  const lookUpNews = async () => {
    news.noteAsked()
    setCurrentDetails(endedDetails)
    applySnapshot(await patiently.lookUpPayout(id, now()))
  }
  // A return by the bank, or an answer of the rail after the end, starts this process again although the payout has
  // ended.
  while (news.isDue() && !shouldContinueAsNew()) await lookUpNews()
  await condition(allHandlersFinished)
  // News that came during the last step, or while staff were being answered, is looked up too.
  for (; news.isDue() && !shouldContinueAsNew(); await condition(allHandlersFinished)) await lookUpNews()
  return news.isDue() && shouldContinueAsNew() ? continueRun() : showOutcome(current())

  function continueRun(): Promise<never> {
    return continueInNewRun<typeof payout>(id, news.isDue())
  }
}
