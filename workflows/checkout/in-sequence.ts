import { allHandlersFinished, condition, proxyActivities } from '@temporalio/workflow'
import type { CheckoutActivities } from '../../activities/checkout/checkout.ts'
import { expiryGraceMs } from '../../domain/checkout/checkout.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { ledgerPolicy, railPolicy } from '../policies.ts'
import { railPolls } from '../rail-polls.ts'
import type { Sale } from './sale.ts'
import { showStatus } from '../search-attributes.ts'
import { now, waitUntil } from '../wait-until.ts'

const { expireCheckout } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('The time is up: expire the session'))
const { askRail } = proxyActivities<CheckoutActivities>(railPolicy('Ask the rail for the payment’s status'))

/**
 * The workflow of sales that began before 2026-11-23: each question to a rail delays what comes after it. It stays
 * unchanged for the histories of that time, and for sales of that time that are still open.
 */
export async function inSequence({ id, news, applySnapshot, current }: Sale): Promise<string> {
  const lookUpPayment = async (paymentId: string | null | undefined) =>
    paymentId && applySnapshot(await askRail(id, paymentId, now()))
  const hasNews = () => news.length > 0
  const isHeld = () => current().paymentStatus === 'processing'
  const standing = () => [current().status, isHeld(), current().newsDue?.at].join()
  let polls = railPolls()
  for (let held = false; current().status === 'open';) {
    if (held !== isHeld()) showStatus('open', isHeld() ? 'rail' : 'buyer')
    held = isHeld()
    if (!held) polls = railPolls()
    // A session does not expire while the rail processes its payment, up to a limit.
    const deadline = current().expiresAt + (held ? expiryGraceMs : 0)
    const { newsDue: due } = current()
    const nextLookUpAt = due?.at ?? (held ? now() + polls.next() : deadline)
    const before = standing()
    const unless = () => hasNews() || standing() !== before
    if (await waitUntil(Math.min(nextLookUpAt, deadline), { for: held ? 'rail' : 'buyer', unless }))
      await lookUpPayment(news.shift())
    else if (held || due) await lookUpPayment(due?.paymentId ?? current().pending)
    if (now() >= deadline) applySnapshot(await expireCheckout(id, now(), held))
  }
  showStatus(current().status, current().listensUntil === null ? 'nobody' : 'late money')
  // News about late money, about money that arrived during the end, or that has started this process again, is handled
  // before the process ends.
  const listensUntil = () => (now() < (current().listensUntil ?? 0) ? current().listensUntil : null)
  for (;;) {
    await condition(() => hasNews() || listensUntil() !== null || allHandlersFinished())
    const { newsDue: due } = current()
    const until = Math.min(due?.at ?? Infinity, listensUntil() ?? Infinity)
    if (until === Infinity && !hasNews()) return current().status
    const ended = until === Infinity || (await waitUntil(until, { for: due ? 'rail' : 'late money', unless: hasNews }))
    await lookUpPayment(ended ? news.shift() : due?.paymentId)
  }
}
