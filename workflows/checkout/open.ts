import { proxyActivities } from '@temporalio/workflow'
import type { CheckoutActivities } from '../../activities/checkout/checkout.ts'
import { expiryGraceMs } from '../../domain/checkout/checkout.ts'
import { lookUpEveryAttempt, continueAsNewIfLong, lookUpOnceMore, waitForNews } from './news.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { ledgerPolicy, railPolicy } from '../policies.ts'
import { railPolls } from '../rail-polls.ts'
import type { Rails, Sale } from './sale.ts'
import { showStatus } from '../search-attributes.ts'
import { now } from '../wait-until.ts'

const { expireCheckout } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('The time is up: expire the session'))
const { attemptPayment } = proxyActivities<CheckoutActivities>(railPolicy('Make the payment at the rail'))
const { lookUpPayment } = proxyActivities<CheckoutActivities>(railPolicy('Ask the rail for the payment’s status'))

/** Takes up at the rails what the process before this one may have left undone when it stopped. */
export function resumeAtRails(sale: Sale, rails: Rails): void {
  const { id, current } = sale
  const { pending, paymentStatus } = current()
  // The order may not have reached the rail: it is given again, and the rail knows it by its id.
  if (pending && paymentStatus === 'processing') rails.start(pending, () => attemptPayment(id, pending, false, now()))
  // News about money that a buyer has sent may have been lost.
  if (current().awaitsMoney) lookUpEveryAttempt(sale, rails)
}

/** The first phase: the session is open until it is paid, cancelled or expired. */
export async function whileOpen(sale: Sale, rails: Rails): Promise<void> {
  const { id, applySnapshot, current } = sale
  const isHeld = () => current().paymentStatus === 'processing'
  let [polls, pollAt] = [railPolls(), Infinity]
  let hasLooked = false
  for (let held = false; current().status === 'open';) {
    await continueAsNewIfLong(sale, rails)
    if (held !== isHeld()) {
      held = isHeld()
      hasLooked = false
      showStatus('open', held ? 'rail' : 'buyer')
      polls = railPolls()
      pollAt = held ? now() + polls.next() : Infinity
    }
    // A sale that the rail holds does not expire under it, though not for ever.
    const deadline = current().expiresAt + (held ? expiryGraceMs : 0)
    if (now() >= deadline) {
      // A callback that was lost costs time and not the sale; a rail that does not answer holds nothing up.
      if (current().awaitsMoney && !hasLooked) await lookUpOnceMore(sale, rails)
      else applySnapshot(await expireCheckout(id, now(), held))
      hasLooked = true
    } else {
      const { pending } = current()
      if (now() >= pollAt) {
        pollAt = now() + polls.next()
        if (pending && rails.mayStart(pending)) rails.start(pending, () => lookUpPayment(id, pending, now()))
      }
      await waitForNews(sale, rails, Math.min(pollAt, deadline), held ? 'rail' : 'buyer')
    }
  }
}
