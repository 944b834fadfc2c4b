import type { SubscriptionSnapshot } from '../../activities/subscription/subscription.ts'
import { waitingOnOf } from '../../domain/subscription/process.ts'

/** The status, and whom it waits for, as operators search for them. */
export const statusOf = ({ status, paymentId, wakesFor }: SubscriptionSnapshot): string =>
  [status, paymentId ? 'rail' : waitingOnOf(status, wakesFor)].join('/')

/** Both parts of it. */
export const parted = (text: string): [status: string, waitingOn: string] => {
  const [status = '', waitingOn = ''] = text.split('/')
  return [status, waitingOn]
}
