import { allHandlersFinished, continueAsNew, log, proxyActivities, setHandler } from '@temporalio/workflow'
import type { SubscriptionActivities, SubscriptionSnapshot } from '../../activities/subscription/subscription.ts'
import { subscriptionProcess, type SubscriptionUpdate, waitingOnOf } from '../../domain/subscription/process.ts'
import { isContinued } from '../continue-as-new.ts'
import { isId } from '../id-validator.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { signalOf, updateOf } from '../messages.ts'
import { ledgerPolicy, mailPolicy, railPolicy } from '../policies.ts'
import { createRailCalls } from '../rail-calls.ts'
import { showStatus } from '../search-attributes.ts'
import { followTestClock } from '../test-clock.ts'
import { now } from '../wait-until.ts'
import { waitForNext } from './wait.ts'

const { readSubscription } = proxyLocalSteps<SubscriptionActivities>(ledgerPolicy('Read the subscription'))
const { takeSubscriptionStep } = proxyLocalSteps<SubscriptionActivities>(ledgerPolicy('Do what is due'))
const { applySubscriptionChange } = proxyLocalSteps<SubscriptionActivities>(ledgerPolicy('Apply what was asked for'))
const { chargeSubscription } = proxyActivities<SubscriptionActivities>(railPolicy('Charge the saved card'))
const { lookUpSubscriptionPayment } = proxyActivities<SubscriptionActivities>(
  railPolicy('Ask the rail for the payment’s status'),
)
const { sendSubscriptionMails } = proxyActivities<SubscriptionActivities>(mailPolicy('Send the customer a mail'))

const updates = Object.keys(subscriptionProcess.updates) as SubscriptionUpdate[]

/**
 * A subscription, from its first period or its trial to its end: it renews, is charged, pauses and ends by its row,
 * which says what comes next and when. Each period is a run of its own. Cards are charged and mails are sent beside the
 * waits, so that no deadline waits for an answer.
 */
export async function subscription(id: string, shown = ''): Promise<string> {
  followTestClock()
  const { applySnapshot, current } = keepLatestSnapshot<SubscriptionSnapshot>()
  const news: string[] = []
  let isPaid = false
  for (const name of updates) {
    setHandler(updateOf('subscription', name), async (changeId) => {
      applySnapshot(await applySubscriptionChange(id, changeId, now()))
    })
  }
  setHandler(signalOf('subscription', 'railAnswered'), (paymentId) => {
    if (!isId('pay', paymentId)) log.warn('news about what is no payment is ignored')
    else if (!news.includes(paymentId)) news.push(paymentId)
  })
  setHandler(signalOf('subscription', 'invoicePaid'), () => void (isPaid = true))

  applySnapshot(await readSubscription(id, now()))
  const calls = createRailCalls(applySnapshot)
  const { periodStart } = current()
  const isIdle = () => calls.isIdle() && allHandlersFinished()
  let status = isContinued() ? shown : ''
  for (;;) {
    const { wakesAt, wakesFor, paymentId, isChargeDue, isMailDue, pollAt } = current()
    if (statusOf(current()) !== status) {
      status = statusOf(current())
      showStatus(current().status, paymentId ? 'rail' : waitingOnOf(wakesFor))
    }
    const asked = paymentId !== null && ((pollAt !== null && pollAt <= now()) || news.includes(paymentId))
    for (const known of news.splice(0)) {
      if (known !== paymentId) calls.start(known, () => lookUpSubscriptionPayment(id, known, now()))
    }
    if (wakesAt !== null && wakesAt <= now()) applySnapshot(await takeSubscriptionStep(id, now()))
    else if (isPaid) {
      isPaid = false
      applySnapshot(await readSubscription(id, now()))
    } else if (isChargeDue && calls.mayStart('charge')) calls.start('charge', () => chargeSubscription(id, now()))
    else if (paymentId && asked && calls.mayStart(paymentId))
      calls.start(paymentId, () => lookUpSubscriptionPayment(id, paymentId, now()))
    else if (isMailDue && calls.mayStart('mail')) calls.start('mail', () => sendSubscriptionMails(id, now()))
    else if (current().status === 'canceled' && !paymentId && isIdle() && !isMailDue) return 'canceled'
    else if (current().periodStart !== periodStart && isIdle()) {
      await continueAsNew<typeof subscription>(id, status)
    } else await waitForNext({ calls, current, isCalled: () => news.length > 0 || isPaid, isIdle })
  }
}

const statusOf = ({ status, paymentId, wakesFor }: SubscriptionSnapshot): string =>
  [status, paymentId ? 'rail' : waitingOnOf(wakesFor)].join()
