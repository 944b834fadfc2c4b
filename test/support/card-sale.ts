import type { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { noChoice } from '../../api/checkout/payment-choice.ts'
import { PaymentRequest } from '../../db/checkout/payment.ts'
import { newId } from '../../domain/id.ts'
import { cards, type Merchant, sale } from './merchant.ts'
import type { Stack } from './stack.ts'

type Means = { deps: Stack['deps']; checkouts: Pick<ReturnType<typeof checkoutActivities>, 'attemptPayment'> }

/** A sale of 100.00, 96.80 of which settle, that is paid by card: its steps are taken here, and no process runs. */
export async function payStepByStep({ deps, checkouts }: Means, merchant: Merchant, body: Record<string, unknown>) {
  const at = Date.now()
  const { checkout_id: checkoutId } = await merchant.createCheckout({ ...sale, amount: '100.00', ...body })
  const vault = deps.rails.in('sandbox').vaultOf('USD_CARD')
  const railToken = await vault.keepCard({ number: cards.success, exp_month: 12, exp_year: 2040, cvc: '1' })
  const paymentId = newId('pay', at)
  const choice = { ...noChoice, corridor: 'USD_CARD' as const, railToken, encryptedReturnUrl: null }
  const em = deps.database.orm.em.fork()
  await em.insert(PaymentRequest, { ...choice, id: paymentId, checkoutId, createdAt: new Date(at) })
  await checkouts.attemptPayment(checkoutId, paymentId, true, at)
  return { paymentId, checkoutId, at }
}
