import type { SubscriptionSnapshot } from '../../activities/subscription/subscription.ts'
import { waitingOnOf } from '../../domain/subscription/process.ts'
import { slowRailsAreShown } from '../versions.ts'

/** The status, and whom it waits for, as operators search for them. */
export const statusOf = (snapshot: SubscriptionSnapshot): string =>
  [snapshot.status, isAtRail(snapshot) ? 'rail' : waitingOnOf(snapshot.status, snapshot.wakesFor)].join('/')

/**
 * Whether a rail works on a payment, its card is being charged (the rail may have the payment already), or it has ended
 * while a rail is still asked about what staff have marked as failed.
 */
function isAtRail({ status, paymentId, isChargeDue, polls }: SubscriptionSnapshot): boolean {
  const isAsked = status === 'canceled' && polls.length > 0
  return paymentId !== null || ((isChargeDue || isAsked) && slowRailsAreShown())
}

/** Both parts of it. */
export const parted = (text: string): [status: string, waitingOn: string] => {
  const [status = '', waitingOn = ''] = text.split('/')
  return [status, waitingOn]
}
