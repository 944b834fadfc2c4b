import { log, proxyActivities, setHandler } from '@temporalio/workflow'
import type { CheckoutActivities, CheckoutSnapshot } from '../../activities/checkout/checkout.ts'
import { inSequence } from './in-sequence.ts'
import { whileListeningForLateMoney } from './late-money.ts'
import { resumeAtRails, whileOpen } from './open.ts'
import { newest } from '../newest.ts'
import { anId, isId } from '../only-ids.ts'
import { localSteps } from '../local-steps.ts'
import { ledger, rail } from '../policies.ts'
import { questions } from '../rail-questions.ts'
import type { Sale } from './sale.ts'
import { now } from '../wait-until.ts'
import { signalOf, updateOf } from '../messages.ts'

const { readCheckout } = localSteps<CheckoutActivities>(ledger('Read the session'))
const { choosePayment } = localSteps<CheckoutActivities>(ledger('Apply the buyer’s choice'))
const { cancelCheckout } = localSteps<CheckoutActivities>(ledger('Cancel the session'))
const { acceptPayment } = localSteps<CheckoutActivities>(ledger('Settle the money that has arrived'))
const { attemptPayment } = proxyActivities<CheckoutActivities>(rail('Make the payment at the rail'))
const { confirmAction } = proxyActivities<CheckoutActivities>(rail('Send the buyer’s code to the rail'))

const pay = updateOf('checkout', 'pay')
const confirm = updateOf('checkout', 'confirm')
const cancel = updateOf('checkout', 'cancel')
const accept = updateOf('checkout', 'accept')
const railAnswered = signalOf('checkout', 'railAnswered')

/**
 * One sale: open until it is paid, cancelled or expired, then listening for money that is still on its way. `unheard`
 * names the attempts about which the run before this one had news that it did not ask about.
 */
export async function checkout(id: string, unheard: string[] = []): Promise<string> {
  const sale: Sale = { id, news: [...unheard], ...newest<CheckoutSnapshot>() }
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
  if (!current().asksBesideWaits) return inSequence(sale)
  // Rails are asked beside the waits, so that no deadline waits for an answer.
  const rails = questions(take)
  resumeAtRails(sale, rails)
  await whileOpen(sale, rails)
  await whileListeningForLateMoney(sale, rails)
  return current().status
}
