import { showStatus } from '../search-attributes.ts'
import type { Wait } from '../wait-until.ts'

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

/** What operators read of a sale or a subscription that has ended, while its rail is still called. */
export const endedAtRail = {
  ...orderAtRail,
  helps:
    'Nothing to do: it has ended. Its rail is called until it has canceled what was given up, or has told its news. ' +
    'If that takes too long, check the provider and the workers.',
} as const satisfies Partial<Wait>

/** What staff read while the rail is asked about an order that has ended, which is for days if it is unavailable. */
export const endedDetails =
  'The order has ended, and the rail has news about it, such as money that has come back. The rail is being asked. ' +
  'While it is unavailable, it is asked again at least every 5 minutes.'

/** Shows an order that has not ended in the engine's list. */
export const showOrder = (isOnHold: boolean): void =>
  isOnHold ? showStatus('on_hold', 'operator') : showStatus('processing', 'rail')
