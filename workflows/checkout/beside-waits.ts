import { patched, proxyActivities } from '@temporalio/workflow'
import type { CheckoutActivities } from '../../activities/checkout/checkout.ts'
import { expiryGraceMs } from '../../domain/checkout/checkout.ts'
import { askAboutNews, askEverything, beginAnewWhereLong, isQuiet, lookOnceMore, waitForNews } from './news.ts'
import { localSteps } from '../local-steps.ts'
import { ledger, rail } from '../policies.ts'
import { railPolls } from '../rail-polls.ts'
import { questions } from '../rail-questions.ts'
import type { Rails, Sale } from './sale.ts'
import { showStatus } from '../search-attributes.ts'
import { now } from '../wait-until.ts'

const { expireCheckout } = localSteps<CheckoutActivities>(ledger('The time is up: expire the session'))
const { returnShortPayments } = localSteps<CheckoutActivities>(ledger('Refund the short payment'))
const { attemptPayment } = proxyActivities<CheckoutActivities>(rail('Make the payment at the rail'))
const { askRail } = proxyActivities<CheckoutActivities>(rail('Ask the rail for the payment’s status'))

/** A sale from its begin to the last money that may come for it. Rails are asked beside the waits. */
export async function besideWaits(sale: Sale): Promise<string> {
  const { id, take, current } = sale
  const rails = questions(take)
  const { pending, paymentStatus } = current()
  // A process that begins while a rail has the order makes it again: the one before it may have died on the way.
  if (pending && paymentStatus === 'processing') rails.ask(pending, () => attemptPayment(id, pending, false, now()))
  // And news about money that a buyer has sent may have been lost with it.
  if (current().awaitsMoney && patched('looks-as-it-begins')) askEverything(sale, rails)
  await untilEnded(sale, rails)
  showStatus(current().status, current().listensUntil === null ? 'nobody' : 'late money')
  await untilNothingMayCome(sale, rails)
  return current().status
}

async function untilEnded(sale: Sale, rails: Rails): Promise<void> {
  const { id, take, current } = sale
  const isHeld = () => current().paymentStatus === 'processing'
  let [polls, pollAt] = [railPolls(), Infinity]
  let hasLooked = false
  for (let held = false; current().status === 'open';) {
    await beginAnewWhereLong(sale, rails)
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
      if (current().awaitsMoney && !hasLooked) await lookOnceMore(sale, rails)
      else take(await expireCheckout(id, now(), held))
      hasLooked = true
    } else {
      const { pending } = current()
      if (now() >= pollAt) {
        pollAt = now() + polls.next()
        if (pending && rails.mayAsk(pending)) rails.ask(pending, () => askRail(id, pending, now()))
      }
      await waitForNews(sale, rails, Math.min(pollAt, deadline), held ? 'rail' : 'buyer')
    }
  }
}

/** Takes up money that is late, has crossed with the end, or has started this process anew. */
async function untilNothingMayCome(sale: Sale, rails: Rails): Promise<void> {
  const { id, take, current } = sale
  let hasLooked = false
  let returnedAt = -1
  for (;;) {
    await beginAnewWhereLong(sale, rails)
    askAboutNews(sale, rails)
    const { listensUntil, awaitsMoney, newsDue, cancelDue, isShort, revision } = current()
    if (listensUntil !== null && now() < listensUntil) {
      await waitForNews(sale, rails, listensUntil, newsDue ? 'rail' : 'late money')
    } else if (listensUntil !== null && awaitsMoney && !hasLooked) {
      hasLooked = true
      await lookOnceMore(sale, rails)
    } else if (isShort && revision !== returnedAt) {
      take(await returnShortPayments(id, now()))
      returnedAt = current().revision
    } else if (newsDue || cancelDue || !isQuiet(sale, rails)) await waitForNews(sale, rails, Infinity, 'rail')
    else return
  }
}
