import {
  allHandlersFinished,
  condition,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { CheckoutActivities, Progress } from '../activities/checkout.ts'
import { expiryGraceMs } from '../domain/checkout.ts'
import { localSteps } from './local-steps.ts'
import { newest } from './newest.ts'
import { ledger, rail } from './policies.ts'
import { railPolls } from './rail-polls.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitUntil } from './wait-until.ts'

const { readCheckout } = localSteps<CheckoutActivities>(ledger('Read the session'))
const { choosePayment } = localSteps<CheckoutActivities>(ledger('Take up what the buyer chose'))
const { expireCheckout } = localSteps<CheckoutActivities>(ledger('The time is up: expire the session'))
const { cancelCheckout } = localSteps<CheckoutActivities>(ledger('Cancel the session'))
const { attemptPayment } = proxyActivities<CheckoutActivities>(rail('Make the payment at the rail'))
const { confirmAction } = proxyActivities<CheckoutActivities>(rail('Hand the buyer’s code to the rail'))
const { askRail } = proxyActivities<CheckoutActivities>(rail('Ask the rail how the payment stands'))

/** A buyer chose how to pay; `atOnce` makes the payment without a further word of theirs. */
export const pay = defineUpdate<void, [requestId: string, atOnce: boolean]>('pay')
/** The buyer's word to go on (a request's id), or their one-time code as the vault's token for a payment. */
export const confirm = defineUpdate<void, [id: string, codeToken: string | null]>('confirm')
export const cancel = defineUpdate('cancel')
/** The rail has news about a payment; the process asks it what, so that no news is taken on trust. */
export const railAnswered = defineSignal<[paymentId: string]>('railAnswered')

/** One sale: open until it is paid, cancelled or expired, then listening for money that is still on its way. */
export async function checkout(id: string): Promise<string> {
  const news: string[] = []
  const { take, current } = newest<Progress>()
  setHandler(pay, async (requestId, atOnce) => {
    take(atOnce ? await attemptPayment(id, requestId, true, now()) : await choosePayment(id, requestId, now()))
  })
  setHandler(confirm, async (subject, codeToken) => {
    const paid = codeToken ? confirmAction(id, subject, codeToken, now()) : attemptPayment(id, subject, false, now())
    take(await paid)
  })
  setHandler(cancel, async () => take(await cancelCheckout(id, now())))
  setHandler(railAnswered, (paymentId) => void news.push(paymentId))

  take(await readCheckout(id))
  const hear = async (paymentId: string | null | undefined) => paymentId && take(await askRail(id, paymentId, now()))

  const isTold = () => news.length > 0
  const isHeld = () => current().paymentStatus === 'processing'
  const standing = () => [current().status, isHeld(), current().newsDue?.at].join()
  let polls = railPolls()
  for (let held = false; current().status === 'open';) {
    if (held !== isHeld()) showStatus('open', isHeld() ? 'rail' : 'buyer')
    held = isHeld()
    if (!held) polls = railPolls()
    // A sale that the rail holds does not expire under it, though not for ever.
    const deadline = current().expiresAt + (held ? expiryGraceMs : 0)
    const { newsDue: due } = current()
    const asksAt = due?.at ?? (held ? now() + polls.next() : deadline)
    const before = standing()
    const unless = () => isTold() || standing() !== before
    if (await waitUntil(Math.min(asksAt, deadline), { for: held ? 'rail' : 'buyer', unless })) await hear(news.shift())
    else if (held || due) await hear(due?.paymentId ?? current().pending)
    if (now() >= deadline) take(await expireCheckout(id, now(), held))
  }
  showStatus(current().status, current().listensUntil === null ? 'nobody' : 'late money')
  // Money that is late, or crossed with the end, or has started this process anew, is taken up before it ends.
  const listensUntil = () => (now() < (current().listensUntil ?? 0) ? current().listensUntil : null)
  for (;;) {
    await condition(() => isTold() || listensUntil() !== null || allHandlersFinished())
    const { newsDue: due } = current()
    const until = Math.min(due?.at ?? Infinity, listensUntil() ?? Infinity)
    if (until === Infinity && !isTold()) return current().status
    const ended = until === Infinity || (await waitUntil(until, { for: due ? 'rail' : 'late money', unless: isTold }))
    await hear(ended ? news.shift() : due?.paymentId)
  }
}
