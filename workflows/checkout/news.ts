import { allHandlersFinished, condition, continueAsNew, proxyActivities } from '@temporalio/workflow'
import type { CheckoutActivities } from '../../activities/checkout/checkout.ts'
import { shouldContinueAsNew } from '../continue-as-new.ts'
import { railPolicy } from '../policies.ts'
import type { Rails, Sale } from './sale.ts'
import { now, waitUntil, type WaitingOn } from '../wait-until.ts'

const { lookUpPayment } = proxyActivities<CheckoutActivities>(railPolicy('Ask the rail for the payment’s status'))
const { lookUpOpenAttempts } = proxyActivities<CheckoutActivities>(railPolicy('Ask once more for late money'))
const { cancelReplaced } = proxyActivities<CheckoutActivities>(railPolicy('Cancel the replaced attempt at the rail'))

/** The last question before a deadline holds that up for so long at most, in milliseconds. */
const lastLookMs = 30_000
/** What the last questions and the cancelling are known by among the questions to rails; attempts have ids. */
const everything = 'every attempt'
const replaced = 'what was replaced'

/** Whether no question and no message is being answered. */
const isIdle = (rails: Rails): boolean => rails.isIdle() && allHandlersFinished()

/** Whether nothing is under way and nothing is left to be asked. */
export const isQuiet = ({ news }: Sale, rails: Rails): boolean => isIdle(rails) && news.length === 0

/** Asks rails about what they have news of, and to cancel what was replaced. */
export function lookUpNews({ id, news, current }: Sale, rails: Rails): void {
  const { newsDue, cancelDue } = current()
  const isDue = newsDue && newsDue.at <= now() && rails.mayStart(newsDue.paymentId)
  if (isDue && !news.includes(newsDue.paymentId)) news.push(newsDue.paymentId)
  for (const paymentId of news.filter(rails.mayStart)) {
    news.splice(news.indexOf(paymentId), 1)
    rails.start(paymentId, () => lookUpPayment(id, paymentId, now()))
  }
  if (cancelDue && rails.mayStart(replaced)) rails.start(replaced, () => cancelReplaced(id, now()))
}

/** Asks about news, and waits for a moment or until there is something else to do, whichever is first. */
export async function waitForNews(sale: Sale, rails: Rails, until: number, waitingOn: WaitingOn): Promise<void> {
  lookUpNews(sale, rails)
  const { news, current } = sale
  const { newsDue, cancelDue } = current()
  const newsAt = newsDue ? rails.nextAt(newsDue.paymentId, newsDue.at) : Infinity
  const cancelAt = cancelDue ? rails.nextAt(replaced, now()) : Infinity
  const seen = standing(sale, rails)
  const unless = () => news.some(rails.mayStart) || standing(sale, rails) !== seen
  const wakesAt = Math.min(until, newsAt, cancelAt)
  if (wakesAt < Infinity) await waitUntil(wakesAt, { for: waitingOn, unless })
  else await condition(() => unless() || isQuiet(sale, rails))
}

const standing = ({ current }: Sale, rails: Rails): string => {
  const { status, paymentStatus, newsDue, cancelDue, isShort } = current()
  // Until a rail has answered nobody knows when it is to be asked next.
  const isUnderWay = newsDue && !rails.mayStart(newsDue.paymentId)
  const isCancelling = cancelDue && !rails.mayStart(replaced)
  const held = paymentStatus === 'processing'
  return [status, held, newsDue?.at, isUnderWay, cancelDue, isCancelling, isShort, rails.failures()].join()
}

/** Asks about every attempt for which money may still come. */
export function lookUpEveryAttempt({ id }: Sale, rails: Rails): void {
  if (rails.mayStart(everything)) rails.start(everything, () => lookUpOpenAttempts(id, now()))
}

/** The same, and waits for the answers, but not for long. */
export async function lookUpOnceMore(sale: Sale, rails: Rails): Promise<void> {
  lookUpEveryAttempt(sale, rails)
  await condition(() => rails.mayStart(everything), lastLookMs)
}

/**
 * Goes on in a new run with an empty history where this one has become long; the row says how the sale stands, and the
 * news that nobody has asked about yet goes along.
 */
export async function continueAsNewIfLong({ id, news }: Sale, rails: Rails): Promise<void> {
  if (!shouldContinueAsNew()) return
  if (await condition(() => isIdle(rails), lastLookMs))
    await continueAsNew<(id: string, news: string[]) => Promise<string>>(id, news)
}
