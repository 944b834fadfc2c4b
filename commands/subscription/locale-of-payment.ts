import { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { localeOfSale } from '../../db/subscription/sale-locale.ts'
import { Subscription } from '../../db/subscription/subscription.ts'

/**
 * The language in which the buyer of a payment has bought, such as `fr-CI`: the `locale` of its checkout session, and
 * of a renewal that of the session that began the subscription. Null if the session named none, or if there is no
 * session.
 */
export async function localeOfPayment(
  em: EntityManager,
  { checkoutId, subscriptionId }: Pick<Payment, 'checkoutId' | 'subscriptionId'>,
): Promise<string | null> {
  const session = checkoutId === null ? null : await readRow(em, Checkout, { id: checkoutId })
  if (session?.locale || subscriptionId === null) return session?.locale ?? null
  return localeOfSale(em, await em.findOneOrFail(Subscription, { id: subscriptionId }))
}
