import type { CheckoutActivities } from '../../activities/checkout/checkout.ts'
import { expiryGraceMs } from '../../domain/checkout/checkout.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { lookUpEveryAttempt, continueAsNewIfLong, lookUpOnceMore, waitForNews } from './news.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { ledgerPolicy, railPolicy } from '../policies.ts'
import { proxyRailSteps } from '../rail-steps.ts'
import { paymentAtRail } from '../rail-order/words.ts'
import type { Rails, Sale } from './sale.ts'
import { showStatus } from '../search-attributes.ts'
import { now } from '../wait-until.ts'

const { expireCheckout } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('The time is up: expire the session'))
const { attemptPayment } = proxyRailSteps<CheckoutActivities>(railPolicy('Make the payment at the rail'))
const { lookUpPayment } = proxyRailSteps<CheckoutActivities>(railPolicy('Ask the rail for the payment’s status'))

const buyer = { for: 'buyer', helps: 'Nothing to do: the buyer pays, or the session expires.' } as const

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
  const polls = pollsOf(sale, rails)
  let hasLooked = false
  for (let held = false; current().status === 'open';) {
    await continueAsNewIfLong(sale, rails)
    if (held !== isHeld()) {
      held = isHeld()
      hasLooked = false
      showStatus('open', held ? 'rail' : 'buyer')
      if (held) polls.begin()
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
      if (held) polls.askIfDue()
      const asksAt = held ? polls.nextAt() : Infinity
      const next = asksAt < deadline ? paymentAtRail.next : 'the session expires'
      await waitForNews(sale, rails, Math.min(asksAt, deadline), held ? { ...paymentAtRail, next } : { ...buyer, next })
    }
  }
}

/** The questions to the rail about an attempt that it holds. The attempt's row says when the next one is due. */
function pollsOf({ id, current }: Sale, rails: Rails) {
  let heldSince = 0
  let askedAt = 0
  // Snapshots in histories from before 2026-11-24 do not say when the rail is asked.
  const dueAt = () => current().pollAt ?? nextPollAt(heldSince, askedAt)
  const nextAt = () => {
    const { pending } = current()
    return pending ? rails.nextAt(pending, dueAt()) : Infinity
  }
  return {
    begin() {
      heldSince = now()
      askedAt = heldSince
    },
    nextAt,
    askIfDue() {
      const { pending } = current()
      if (!pending || nextAt() > now()) return
      askedAt = now()
      rails.start(pending, () => lookUpPayment(id, pending, askedAt))
    },
  }
}
