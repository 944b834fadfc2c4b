import { defineSignal, defineUpdate, log, proxyActivities, setHandler } from '@temporalio/workflow'
import type { CheckoutActivities, Progress } from '../../activities/checkout/checkout.ts'
import { besideWaits } from './beside-waits.ts'
import { inSequence } from './in-sequence.ts'
import { newest } from '../newest.ts'
import { anId, isId } from '../only-ids.ts'
import { localSteps } from '../local-steps.ts'
import { ledger, rail } from '../policies.ts'
import type { Sale } from './sale.ts'
import { now } from '../wait-until.ts'

const { readCheckout } = localSteps<CheckoutActivities>(ledger('Read the session'))
const { choosePayment } = localSteps<CheckoutActivities>(ledger('Apply the buyer’s choice'))
const { cancelCheckout } = localSteps<CheckoutActivities>(ledger('Cancel the session'))
const { acceptPayment } = localSteps<CheckoutActivities>(ledger('Settle the money that has arrived'))
const { attemptPayment } = proxyActivities<CheckoutActivities>(rail('Make the payment at the rail'))
const { confirmAction } = proxyActivities<CheckoutActivities>(rail('Send the buyer’s code to the rail'))

/** A buyer chose how to pay; `atOnce` makes the payment without a further word of theirs. */
export const pay = defineUpdate<void, [requestId: string, atOnce: boolean]>('pay')
/** The buyer's word to go on (a request's id), or their one-time code as the vault's token for a payment. */
export const confirm = defineUpdate<void, [id: string, codeToken: string | null]>('confirm')
export const cancel = defineUpdate('cancel')
/** The merchant takes what has arrived of a short payment. */
export const accept = defineUpdate<void, [paymentId: string]>('accept')
/** The rail has news about a payment; the process asks it what, so that no news is taken on trust. */
export const railAnswered = defineSignal<[paymentId: string]>('railAnswered')

/**
 * One sale: open until it is paid, cancelled or expired, then listening for money that is still on its way. `unheard`
 * names the attempts about which the run before this one had news that it did not ask about.
 */
export async function checkout(id: string, unheard: string[] = []): Promise<string> {
  const sale: Sale = { id, news: [...unheard], ...newest<Progress>() }
  const { take, current, news } = sale
  setHandler(pay, async (requestId, atOnce) => {
    take(atOnce ? await attemptPayment(id, requestId, true, now()) : await choosePayment(id, requestId, now()))
  })
  setHandler(confirm, async (subject, codeToken) => {
    const paid = codeToken ? confirmAction(id, subject, codeToken, now()) : attemptPayment(id, subject, false, now())
    take(await paid)
  })
  setHandler(cancel, async () => take(await cancelCheckout(id, now())))
  setHandler(accept, async (paymentId) => take(await acceptPayment(id, paymentId, now())), { validator: anId('pay') })
  setHandler(railAnswered, (paymentId) => {
    if (!isId('pay', paymentId)) log.warn('news about what is no payment is ignored')
    else if (!news.includes(paymentId)) news.push(paymentId)
  })

  take(await readCheckout(id))
  return current().asksBesideWaits ? besideWaits(sale) : inSequence(sale)
}
