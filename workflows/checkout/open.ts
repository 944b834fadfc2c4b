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

/** Repeats at the rails what the previous process of this sale may have left undone when it stopped. */
export function resumeAtRails(sale: Sale, rails: Rails): void {
  const { id, current } = sale
  const { pending, paymentStatus } = current()
  // The order may not have reached the rail. It is sent again, and the rail recognizes it by its id.
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
    // A session does not expire while the rail processes its payment, up to a limit.
    const deadline = current().expiresAt + (held ? expiryGraceMs : 0)
    if (now() >= deadline) {
      // The rail is asked once more before the end, so that a lost callback does not lose the sale. A rail that does
      // not answer delays the end only a little.
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
