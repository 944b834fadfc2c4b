import { allHandlersFinished, condition } from '@temporalio/workflow'
import type { CheckoutActivities } from '../../activities/checkout/checkout.ts'
import { continueInNewRun, shouldContinueAsNew } from '../continue-as-new.ts'
import { railPolicy } from '../policies.ts'
import { proxyRailSteps } from '../rail-steps.ts'
import type { Rails, Sale } from './sale.ts'
import { paymentAtRail } from '../rail-order/words.ts'
import { longSalesContinue, salesHearEachAnswer } from '../versions.ts'
import { now, type Wait, waitFor, waitUntil } from '../wait-until.ts'

const { lookUpPayment } = proxyRailSteps<CheckoutActivities>(railPolicy('Ask the rail for the payment’s status'))
const { lookUpOpenAttempts } = proxyRailSteps<CheckoutActivities>(railPolicy('Ask once more for late money'))
const { cancelReplaced } = proxyRailSteps<CheckoutActivities>(railPolicy('Cancel the replaced attempt at the rail'))

/** The last question before a deadline delays the deadline by at most this long, in milliseconds. */
const lastLookMs = 30_000
/**
 * Subjects of the last questions and of the cancelling, among the questions to rails. The subjects of other questions
 * are attempt ids.
 */
const everything = 'every attempt'
const replaced = 'what was replaced'

/** Whether no question to a rail is under way and no message is being handled. */
const isIdle = (rails: Rails): boolean => rails.isIdle() && allHandlersFinished()

/** Whether nothing is under way and no news is left to ask about. */
export const isQuiet = ({ news }: Sale, rails: Rails): boolean => isIdle(rails) && news.length === 0

/** Asks rails about the attempts that they have news of, and asks them to cancel replaced attempts. */
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

/** What operators read while a sale waits: for whom, and what happens at the deadline. */
type Shown = Omit<Wait, 'unless'> & { next: string }

/**
 * Asks rails about their news, and waits until a deadline or until there is something else to do, whichever is first.
 */
export async function waitForNews(sale: Sale, rails: Rails, until: number, shown: Shown): Promise<void> {
  lookUpNews(sale, rails)
  const { newsDue, cancelDue, paymentStatus } = sale.current()
  const newsAt = newsDue ? rails.nextAt(newsDue.paymentId, newsDue.at) : Infinity
  const cancelAt = cancelDue ? rails.nextAt(replaced, now()) : Infinity
  const hears = paymentStatus === 'processing' && salesHearEachAnswer()
  const seen = standing(sale, rails, hears)
  const isTooLong = () => shouldContinueAsNew() && isIdle(rails) && longSalesContinue()
  const unless = () => sale.news.some(rails.mayStart) || standing(sale, rails, hears) !== seen || isTooLong()
  const wakesAt = Math.min(until, newsAt, cancelAt)
  const next = wakesAt < until ? paymentAtRail.next : shown.next
  if (wakesAt < Infinity) await waitUntil(wakesAt, { ...shown, next, unless })
  else await waitFor({ ...shown, unless: () => unless() || isQuiet(sale, rails) })
}

const standing = ({ current }: Sale, rails: Rails, hears: boolean): string => {
  const { status, paymentStatus, pending, pollAt, newsDue, cancelDue, isShort } = current()
  const held = paymentStatus === 'processing'
  return [
    status,
    held,
    // The time of the next question is known only once the rail has answered the current one.
    held && pollAt,
    hears && pending && rails.mayStart(pending),
    newsDue?.at,
    newsDue && rails.mayStart(newsDue.paymentId),
    cancelDue,
    cancelDue && rails.mayStart(replaced),
    isShort,
    rails.changes(),
  ].join()
}

/** Asks about every attempt for which money may still arrive. */
export function lookUpEveryAttempt({ id }: Sale, rails: Rails): void {
  if (rails.mayStart(everything)) rails.start(everything, () => lookUpOpenAttempts(id, now()))
}

/** Asks about every attempt for which money may still arrive, and waits a short time for the answers. */
export async function lookUpOnceMore(sale: Sale, rails: Rails): Promise<void> {
  lookUpEveryAttempt(sale, rails)
  await condition(() => rails.mayStart(everything), lastLookMs)
}

/**
 * Continues in a new run with an empty history once this history is long. The row has the state of the sale; the news
 * that nobody has asked about yet is passed on.
 */
export async function continueAsNewIfLong({ id, news }: Sale, rails: Rails): Promise<void> {
  if (!shouldContinueAsNew()) return
  if (await condition(() => isIdle(rails), lastLookMs))
    await continueInNewRun<(id: string, news: string[]) => Promise<string>>(id, news)
}
