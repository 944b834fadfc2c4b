import { createAccessTokens } from '../../api/access/access-token.ts'
import { Account } from '../../db/core/account.ts'
import { newId } from '../../domain/id.ts'
import { systemClock } from '../../engine/clock.ts'
import type { Deployment } from '../../test/proof/deployment.ts'
import { leftOpen, register } from '../../test/support/destination.ts'
import type { Merchant } from '../../test/support/merchant.ts'
import { buyer, sale } from '../../test/support/merchant.ts'
import { openPortal } from '../../test/support/portal.ts'
import { createLink, slugOf } from '../../test/support/payment-link.ts'
import { addUser } from '../../test/support/user.ts'
import { openAccount } from '../../test/support/virtual-account.ts'

/** What the calls need: ids of existing resources, by the name of the path's parameter, and credentials for them. */
export type Fixtures = {
  ids: Record<string, string>
  apiKey: string
  clientSecret: string
  /** The token of the session's customer. */
  customerToken: string
  /** Access tokens by role. There are many, as a user may make only 100 calls a minute. */
  people: Record<'owner' | 'reviewer' | 'leaving', string[]>
}

const PEOPLE_MAX = 40

/** Creates one of each resource, as merchants do, and signs in owners and reviewers. */
export async function prepareFixtures(deployment: Deployment, merchant: Merchant): Promise<Fixtures> {
  const { sql } = deployment
  const made = async (path: string, body: object) => (await merchant.call('POST', path, body)).body
  const session = await merchant.createCheckout({ ...sale, customer: buyer })
  const { customer } = (await merchant.getCheckout(session.checkout_id)) as { customer: { id: string } }
  const charge = await merchant.chargeByCard({ ...sale, amount: '900.00' })
  const link = await createLink(merchant)
  const product = await made('/v1/products', { name: 'Plan', price_type: 'fixed', amount: '5.00', currency: 'USD' })
  const group = await made('/v1/product-groups', { name: 'Plans', products: [product['product_id']] })
  const quote = await made('/v1/conversions/quotes', { from_currency: 'USD', to_currency: 'NGN', from_amount: '1.00' })
  const destination = await register(merchant, 'NGN', leftOpen)
  const [review] = await sql<{ id: string }>('select id from reviews where resource_id = ?', [destination.id])
  const ids = {
    checkout_id: session.checkout_id,
    payment_id: charge,
    charge_id: charge,
    refund_id: (await merchant.refund(charge, { amount: 1 })).refund_id,
    payment_link_id: link.payment_link_id,
    slug: slugOf(link),
    product_id: product['product_id'],
    product_group_id: group['product_group_id'],
    quote_id: quote['quote_id'],
    destination_id: destination.id,
    review_id: review?.id,
    customer_id: customer.id,
    virtual_account_id: (await openAccount(merchant, 'ada@example.com')).virtual_account_id,
  }
  return {
    ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])),
    apiKey: merchant.apiKey,
    clientSecret: session.client_secret,
    customerToken: (await openPortal(merchant, customer.id)).token,
    people: await logInPeople(deployment),
  }
}

/** Signs in owners of another organization, so that they cannot revoke the API key that the calls use. */
async function logInPeople({ database, encrypter }: Deployment): Promise<Fixtures['people']> {
  const services = { accessTokens: createAccessTokens(database, encrypter), clock: systemClock }
  const accountId = newId('acct', Date.now())
  const account = { id: accountId, name: 'Another Organization', createdAt: new Date() }
  await database.orm.em.fork().insert(Account, account)
  const logIn = (role: 'owner' | 'reviewer', howMany = PEOPLE_MAX) =>
    Promise.all(
      Array.from({ length: howMany }, async () => (await addUser({ database, services }, { accountId, role })).token()),
    )
  return { owner: await logIn('owner'), reviewer: await logIn('reviewer'), leaving: await logIn('owner', 1) }
}
