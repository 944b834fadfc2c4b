import { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Customer } from '../../db/customer/customer.ts'
import { localeOfSale } from '../../db/subscription/sale-locale.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { firstOfOurs } from '../../domain/language.ts'

/**
 * The language for what a buyer reads about a payment, such as `fr-CI`: that of the customer, else the `locale` of the
 * payment's checkout session, and of a renewal that of the session that began the subscription. Null if none of them
 * names one.
 */
export async function localeOfPayment(
  em: EntityManager,
  { customerId, checkoutId, subscriptionId }: Pick<Payment, 'customerId' | 'checkoutId' | 'subscriptionId'>,
): Promise<string | null> {
  const customer = customerId === null ? null : await readRow(em, Customer, { id: customerId })
  const session = checkoutId === null ? null : await readRow(em, Checkout, { id: checkoutId })
  const own = firstOfOurs(customer?.locale ?? null, session?.locale ?? null)
  if (own !== null || subscriptionId === null) return own
  return localeOfSale(em, await em.findOneOrFail(Subscription, { id: subscriptionId }))
}
