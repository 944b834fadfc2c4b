import { allHandlersFinished, proxyActivities, setHandler } from '@temporalio/workflow'
import type { SubscriptionActivities, SubscriptionSnapshot } from '../../activities/subscription/subscription.ts'
import { subscriptionChanges } from '../../domain/subscription/process.ts'
import { continueInNewRun, isContinued, shouldContinueAsNew } from '../continue-as-new.ts'
import { firstStep } from '../first-step.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { signalOf, updateOf } from '../messages.ts'
import { ledgerPolicy, mailPolicy, railPolicy } from '../policies.ts'
import { followPaymentNews } from '../payment-news.ts'
import { proxyRailSteps } from '../rail-steps.ts'
import { createRailCalls } from '../rail-calls.ts'
import { showStatus } from '../search-attributes.ts'
import { followOperatorActions } from '../operator-actions.ts'
import { clockTime, followTestClock } from '../test-clock.ts'
import { now } from '../wait-until.ts'
import { parted, statusOf } from './status.ts'
import { waitForNext } from './wait.ts'

const { readSubscription } = proxyLocalSteps<SubscriptionActivities>(ledgerPolicy('Read the subscription'))
const { takeSubscriptionStep } = proxyLocalSteps<SubscriptionActivities>(ledgerPolicy('Do what is due'))
const { applySubscriptionChange } = proxyLocalSteps<SubscriptionActivities>(ledgerPolicy('Apply what was asked for'))
const { chargeSubscription } = proxyRailSteps<SubscriptionActivities>(railPolicy('Charge the saved card'))
const { lookUpSubscriptionPayment } = proxyRailSteps<SubscriptionActivities>(
  railPolicy('Ask the rail for the payment’s status'),
)
const { sendSubscriptionMails } = proxyActivities<SubscriptionActivities>(mailPolicy('Send the customer a mail'))
const { carryOutOnSubscription } = proxyRailSteps<SubscriptionActivities>(
  railPolicy('Carry out what staff ordered, if the rail agrees'),
)

/**
 * A subscription, from its first period or its trial to its end: it renews, is charged, pauses and ends by its row,
 * which says what comes next and when. Each period is a run of its own. Cards are charged and mails are sent beside the
 * waits, so that no deadline waits for an answer.
 */
export async function subscription(id: string, shown = ''): Promise<string> {
  followTestClock()
  const { applySnapshot, current } = keepLatestSnapshot<SubscriptionSnapshot>()
  const read = firstStep(() => readSubscription(id, now()))
  const news: string[] = []
  let isPaid = false
  for (const name of subscriptionChanges) {
    setHandler(updateOf('subscription', name), async (changeId) => {
      applySnapshot(await applySubscriptionChange(id, changeId, now()))
    })
  }
  const askAbout = followPaymentNews(signalOf('subscription', 'railAnswered'), news)
  setHandler(signalOf('subscription', 'invoicePaid'), () => void (isPaid = true))
  followOperatorActions(['retry', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      const after = await carryOutOnSubscription(id, actionId, now())
      if (after.askAbout) askAbout(after.askAbout)
      applySnapshot(after.snapshot)
    } catch (error) {
      applySnapshot(await readSubscription(id, now())) // a refused mark has recorded what the rail says
      throw error
    }
  })

  applySnapshot(await read())
  const calls = createRailCalls(applySnapshot)
  const { periodStart } = current()
  const isIdle = () => calls.isIdle() && allHandlersFinished()
  const isDone = () => isIdle() && news.length === 0
  // One that joins a clock, or leaves it, does what is due at another moment: its row says when.
  const isOnClock = () => clockTime() !== null
  let wasOnClock = isOnClock()
  const isCalled = () => isPaid || wasOnClock !== isOnClock() || news.some(calls.mayStart)
  let status = isContinued() ? shown : ''
  for (;;) {
    if (statusOf(current()) !== status) showStatus(...parted((status = statusOf(current()))))
    startCalls()
    const { wakesAt, isMailDue, paymentId, polls } = current()
    const isNew = current().periodStart !== periodStart || shouldContinueAsNew()
    if (wakesAt !== null && wakesAt <= now()) applySnapshot(await takeSubscriptionStep(id, now()))
    else if (isPaid || wasOnClock !== isOnClock()) {
      isPaid = false
      wasOnClock = isOnClock()
      applySnapshot(await readSubscription(id, now()))
    } else if (current().status === 'canceled' && !paymentId && polls.length === 0 && !isMailDue && isDone())
      return 'canceled'
    else if (isNew && isDone()) await continueInNewRun<typeof subscription>(id, status)
    else await waitForNext({ calls, current, news, isCalled, isIdle })
  }

  /** Starts what is done beside the wait: a charge, a question to the rail, a mail. */
  function startCalls(): void {
    const { isChargeDue, isMailDue, polls } = current()
    const due = polls.filter(({ at }) => at <= now()).map(({ paymentId }) => paymentId)
    for (const known of new Set([...news, ...due].filter(calls.mayStart))) {
      if (news.includes(known)) news.splice(news.indexOf(known), 1)
      calls.start(known, () => lookUpSubscriptionPayment(id, known, now()))
    }
    if (isChargeDue && calls.mayStart('charge')) calls.start('charge', () => chargeSubscription(id, now()))
    if (isMailDue && calls.mayStart('mail')) calls.start('mail', () => sendSubscriptionMails(id, now()))
  }
}
