import { firstOfOurs } from '../../domain/language.ts'
import { Checkout } from '../checkout/checkout.ts'
import type { EntityManager } from '../core/database.ts'
import { readRow } from '../core/prepared-statement.ts'
import { Customer } from '../customer/customer.ts'
import { Subscription } from './subscription.ts'

type Sold = Pick<Subscription, 'customerId' | 'checkoutId'>

/**
 * The language for what a customer reads about a subscription, such as `fr-CI`: their own, else the `locale` of the
 * checkout session that began it. Null if neither names one.
 */
export async function localeOfSale(em: EntityManager, { customerId, checkoutId }: Sold): Promise<string | null> {
  const customer = await em.findOne(Customer, { id: customerId }) // as this transaction has changed them
  const session = await readRow(em, Checkout, { id: checkoutId })
  return firstOfOurs(customer?.locale ?? null, session?.locale ?? null)
}

type Owner = Pick<Subscription, 'accountId' | 'environment' | 'customerId'>

/** The language of a customer: their own, else that in which they began their newest subscription; null for none. */
export async function localeOfCustomer(em: EntityManager, owner: Owner): Promise<string | null> {
  const newest = await em.findOne(Subscription, { ...owner }, { orderBy: { createdAt: 'desc', id: 'desc' } })
  if (newest) return localeOfSale(em, newest)
  const customer = await em.findOne(Customer, { id: owner.customerId })
  return customer?.locale ?? null
}
