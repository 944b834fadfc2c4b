import { allHandlersFinished, continueAsNew, log, proxyActivities, setHandler } from '@temporalio/workflow'
import type { SubscriptionActivities, SubscriptionSnapshot } from '../../activities/subscription/subscription.ts'
import { subscriptionProcess, type SubscriptionUpdate, waitingOnOf } from '../../domain/subscription/process.ts'
import { isContinued, shouldContinueAsNew } from '../continue-as-new.ts'
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
  const isCalled = () => isPaid || news.some(calls.mayStart)
  let status = isContinued() ? shown : ''
  for (;;) {
    if (statusOf(current()) !== status) showStatus(...parted((status = statusOf(current()))))
    startCalls()
    const { wakesAt, isMailDue, paymentId } = current()
    const isNew = current().periodStart !== periodStart || shouldContinueAsNew()
    if (wakesAt !== null && wakesAt <= now()) applySnapshot(await takeSubscriptionStep(id, now()))
    else if (isPaid) {
      isPaid = false
      applySnapshot(await readSubscription(id, now()))
    } else if (current().status === 'canceled' && !paymentId && !isMailDue && isIdle()) return 'canceled'
    else if (isNew && isIdle()) await continueAsNew<typeof subscription>(id, status)
    else await waitForNext({ calls, current, isCalled, isIdle })
  }

  /** Starts what is done beside the wait: a charge, a question to the rail, a mail. */
  function startCalls(): void {
    const { isChargeDue, isMailDue, paymentId, pollAt } = current()
    for (const known of news.filter(calls.mayStart)) {
      news.splice(news.indexOf(known), 1)
      calls.start(known, () => lookUpSubscriptionPayment(id, known, now()))
    }
    if (isChargeDue && calls.mayStart('charge')) calls.start('charge', () => chargeSubscription(id, now()))
    if (paymentId && pollAt !== null && pollAt <= now() && calls.mayStart(paymentId))
      calls.start(paymentId, () => lookUpSubscriptionPayment(id, paymentId, now()))
    if (isMailDue && calls.mayStart('mail')) calls.start('mail', () => sendSubscriptionMails(id, now()))
  }
}

/** The status, and whom it waits for, as operators search for them. */
const statusOf = ({ status, paymentId, wakesFor }: SubscriptionSnapshot): string =>
  [status, paymentId ? 'rail' : waitingOnOf(status, wakesFor)].join('/')

const parted = (text: string): [status: string, waitingOn: string] => {
  const [status = '', waitingOn = ''] = text.split('/')
  return [status, waitingOn]
}
