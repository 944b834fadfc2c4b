import { showStatus } from './search-attributes.ts'
import type { Wait } from './wait-until.ts'

/** Answers of a rail that do not end an order. After `not_found` the order is sent again, under the same id. */
export type NoEnd = 'unknown' | 'not_found'

/** The steps of an order at a rail, by which its process is run. */
export type RailOrderSteps<Answer extends string, End extends string> = {
  /**
   * Sends the order to the rail, unless staff hold it. Sent again, it is the same order. `askAgainAt` is when the rail
   * is asked again if it does not decide now, in milliseconds since the epoch.
   */
  submit: (at: number, askAgainAt: number) => Promise<Answer | 'on_hold'>
  lookUp: (askAgainAt: number) => Promise<Answer>
  /** Posts the end and returns the resource's state. What has already ended stays as it is. */
  close: (answer: Exclude<Answer, NoEnd>, at: number) => Promise<End>
  /** Carries out what staff have ordered. `not_found`: the order is to be sent again. */
  carryOut: (actionId: string, at: number) => Promise<End | 'on_hold' | 'not_found'>
  /** Continues in a new run, which sends the order again unless it is on hold, and asks about the news. */
  continueRun: (hasNews: boolean) => Promise<never>
  /** Whether the previous run received news that the rail has not answered for. */
  hasNews: boolean
}

/** What operators read while an order waits for its rail. */
export const orderAtRail = {
  for: 'rail',
  helps: 'If it takes too long, retry, hold or mark it in the review desk (/ops).',
  next: 'the rail is asked again',
} as const satisfies Partial<Wait>

/** What operators read while a payment waits for its rail. Nothing is sent for it, so there is nothing to hold. */
export const paymentAtRail = {
  ...orderAtRail,
  helps: 'If it takes too long, retry or mark the payment in the review desk (/ops).',
} as const satisfies Partial<Wait>

/** What staff read while the rail is asked about an order that has ended, which is for days if it is away. */
export const endedDetails =
  'The order has ended, and the rail has news about it, such as money that has come back. The rail is being asked. ' +
  'While it is away, it is asked again at least every 5 minutes.'

/** Shows an order that has not ended in the engine's list. */
export const showOrder = (isOnHold: boolean): void =>
  isOnHold ? showStatus('on_hold', 'operator') : showStatus('processing', 'rail')

/** Whether a rail's answer ends an order. */
export const isEnd = <Answer extends string>(answer: Answer): answer is Exclude<Answer, NoEnd> =>
  answer !== 'unknown' && answer !== 'not_found'
