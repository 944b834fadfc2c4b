import { Checkout } from '../checkout/checkout.ts'
import type { EntityManager } from '../core/database.ts'
import { readRow } from '../core/prepared-statement.ts'
import { Subscription } from './subscription.ts'

/** The `locale` of the checkout session that began a subscription, such as `fr-CI`; null if it named none. */
export async function localeOfSale(em: EntityManager, { checkoutId }: Pick<Subscription, 'checkoutId'>) {
  const session = await readRow(em, Checkout, { id: checkoutId })
  return session?.locale ?? null
}

type Owner = Pick<Subscription, 'accountId' | 'environment' | 'customerId'>

/** The language in which a customer has bought: that of their newest subscription; null if it named none. */
export async function localeOfCustomer(em: EntityManager, owner: Owner): Promise<string | null> {
  const newest = await em.findOne(Subscription, { ...owner }, { orderBy: { createdAt: 'desc', id: 'desc' } })
  return newest && localeOfSale(em, newest)
}
