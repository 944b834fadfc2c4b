import { condition, setHandler } from '@temporalio/workflow'
import type { CheckoutActivities, CheckoutSnapshot } from '../../activities/checkout/checkout.ts'
import { firstStep } from '../first-step.ts'
import { whileListeningForLateMoney } from './late-money.ts'
import { resumeAtRails, whileOpen } from './open.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { validateId } from '../id-validator.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { ledgerPolicy, quickRailPolicy, railPolicy } from '../policies.ts'
import { followPaymentNews } from '../payment-news.ts'
import { hereFirst, keepProvider, proxyRailSteps } from '../rail-steps.ts'
import { createRailCalls } from '../rail-calls.ts'
import type { Sale } from './sale.ts'
import { lookingIfSlow } from '../slow-step.ts'
import { followTestClock } from '../test-clock.ts'
import { now } from '../wait-until.ts'
import { signalOf, updateOf } from '../messages.ts'
import { followOperatorActions } from '../operator-actions.ts'

const { readCheckout } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('Read the session'))
const { choosePayment } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('Apply the buyer’s choice'))
const { cancelCheckout } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('Cancel the session'))
const { acceptPayment } = proxyLocalSteps<CheckoutActivities>(ledgerPolicy('Settle the money that has arrived'))
const atTheRail = railPolicy('Make the payment at the rail')
const { attemptPayment } = proxyRailSteps<CheckoutActivities>(atTheRail)
const { attemptPayment: attemptHere } = proxyLocalSteps<CheckoutActivities>(quickRailPolicy(atTheRail))
const { carryOutOnPayment } = proxyRailSteps<CheckoutActivities>(
  railPolicy('Carry out what staff ordered, if the rail agrees'),
)
const { confirmAction } = proxyRailSteps<CheckoutActivities>(railPolicy('Send the buyer’s code to the rail'))

const pay = updateOf('checkout', 'pay')
const confirm = updateOf('checkout', 'confirm')
const cancel = updateOf('checkout', 'cancel')
const accept = updateOf('checkout', 'accept')
const railAnswered = signalOf('checkout', 'railAnswered')

/**
 * One sale: open until it is paid, cancelled or expired, then listening for money that is still on its way.
 * `pendingNews` lists the attempts about which the previous run had news but has not asked.
 */
export async function checkout(id: string, pendingNews: string[] = []): Promise<string> {
  followTestClock()
  const sale: Sale = { id, news: [...pendingNews], ...keepLatestSnapshot<CheckoutSnapshot>() }
  const { applySnapshot, current, news } = sale
  const read = firstStep(() => readCheckout(id))
  const look = async () => applySnapshot(await readCheckout(id))
  const attempt: typeof attemptPayment = (...args) => lookingIfSlow(attemptPayment(...args), look)
  const attemptQuickly = hereFirst(attemptHere, attempt)
  let hasBegun = false
  setHandler(pay, async (requestId, atOnce, provider, isQuick) => {
    keepProvider(provider)
    // An attempt made before the row is read would be looked up at once, as one that an earlier process has left.
    if (isQuick) await condition(() => hasBegun)
    const pays = isQuick ? attemptQuickly : attempt
    applySnapshot(atOnce ? await pays(id, requestId, true, now()) : await choosePayment(id, requestId, now()))
  })
  setHandler(confirm, async (subject, codeToken) => {
    const paid = codeToken
      ? lookingIfSlow(confirmAction(id, subject, codeToken, now()), look)
      : attempt(id, subject, false, now())
    applySnapshot(await paid)
  })
  setHandler(cancel, async () => applySnapshot(await cancelCheckout(id, now())))
  setHandler(accept, async (paymentId) => applySnapshot(await acceptPayment(id, paymentId, now())), {
    validator: validateId('pay'),
  })
  const askAbout = followPaymentNews(railAnswered, news)
  followOperatorActions(['retry', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      const after = await carryOutOnPayment(id, actionId, now())
      if (after.askAbout) askAbout(after.askAbout)
      applySnapshot(after.snapshot)
    } catch (error) {
      applySnapshot(await readCheckout(id)) // a refused mark has recorded what the rail says
      throw error
    }
  })

  applySnapshot(await read())
  // Rails are asked beside the waits, so that no deadline waits for an answer.
  const rails = createRailCalls(applySnapshot)
  resumeAtRails(sale, rails)
  hasBegun = true
  await whileOpen(sale, rails)
  await whileListeningForLateMoney(sale, rails)
  return current().status
}
