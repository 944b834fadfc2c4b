import Type, { type Static } from 'typebox'
import { readSettings } from '../../db/platform/account-settings.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { timeOfAccount } from '../../db/core/test-clock.ts'
import { PaymentLink } from '../../db/checkout/payment-link.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { sessionMetadata, stateOf } from '../../domain/checkout/payment-link.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Email, iso, singleLine } from '../../schemas/common.ts'
import { presentBrand } from '../../schemas/checkout/merchant-brand.ts'
import { OpenedCheckout, PublicPaymentLink } from '../../schemas/checkout/payment-link.ts'
import { addressesOf, openSession, newSession } from './create.ts'
import { operation } from '../http/operation.ts'
import { toDetails } from './payment-choice.ts'
import { requestedAmountOf, readLinkSale } from './payment-link-sale.ts'
import { waitingOutside } from './quotes.ts'
import { Name } from '../catalogue/product.ts'

const Slug = Type.Object({ slug: Type.String({ maxLength: 64, description: 'The last part of the link’s `url`.' }) })
const tag = 'Payment links'

async function findLink(em: EntityManager, slug: string): Promise<Readonly<PaymentLink>> {
  const link = await readRow(em, PaymentLink, { slug })
  if (!link) throw new Refusal('NOT_FOUND', 'no such payment link')
  return link
}

export const getPublicPaymentLink = operation({
  method: 'get',
  path: '/v1/payment-links/{slug}/public',
  summary: 'Read what a buyer may see of a link',
  tag,
  auth: ['none'],
  scope: null,
  params: Slug,
  returns: [200, PublicPaymentLink],
  refuses: ['NOT_FOUND'],

  async handle({ params, em, now, services }) {
    const link = await findLink(em, params.slug)
    const merchant = await readSettings(em, link)
    return {
      name: link.name,
      merchant_name: merchant.displayName,
      merchant: presentBrand(merchant, services.config.publicUrl),
      environment: link.environment,
      status: stateOf(link, await timeOfAccount(em, link, now)),
      inactive_message: link.inactiveMessage,
      asked_amount: await requestedAmountOf(em, link, link),
    }
  },
})

const OpenLink = Type.Object(
  {
    amount: Type.Optional(
      Type.String({ examples: ['25.00'], description: 'Where the buyer decides the amount; ignored otherwise.' }),
    ),
    customer_email: Type.Optional(Email),
    customer_name: Type.Optional(Name),
    reference: Type.Optional(singleLine(128, { minLength: 1 })),
    utm: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Where the buyer comes from, such as `{"utm_source":"mail"}`. Copied into the session’s metadata.',
      }),
    ),
  },
  { $id: 'OpenPaymentLink' },
)

export const openPaymentLink = operation({
  method: 'post',
  path: '/v1/payment-links/{slug}/sessions',
  summary: 'Open a link: a new checkout session of what it sells',
  tag,
  auth: ['none'],
  scope: null,
  params: Slug,
  body: OpenLink,
  returns: [201, OpenedCheckout],
  refuses: ['NOT_FOUND', 'CONFLICT', 'BAD_GATEWAY'],

  async handle({ params, body, em, now, services, askOutside, assertMaySell }) {
    const link = await findLink(em, params.slug)
    assertMaySell(link.accountId)
    const at = await timeOfAccount(em, link, now)
    const state = stateOf(link, at)
    if (state !== 'open') throw new Refusal('CONFLICT', `the payment link is ${state}`)
    const context = { em, services: waitingOutside({ services, askOutside }) }
    const sale = await readLinkSale(context, link, body.amount)
    const session = { ...newSession(settingsOf(link, body), link, at), ...detailsOf(body), ...sale }
    const source = { sourceType: 'PAYMENT_LINK', paymentLinkId: link.id }
    const { checkout, secret } = openSession(em, { ...session, ...source }, at)
    return { checkout_id: checkout.id, ...addressesOf(secret, services), expires_at: iso(checkout.expiresAt) }
  },
})

type Opening = Static<typeof OpenLink>

/**
 * The settings a new session takes from its link. For a price without a product, the link's name is the description.
 */
const settingsOf = (link: PaymentLink, { reference, utm = {} }: Opening) => ({
  success_url: link.successUrl,
  customer_creation: link.customerCreation,
  metadata: sessionMetadata(link.metadata, utm),
  ...(reference !== undefined && { reference }),
  ...(link.price && { description: link.name }),
})

/** An email in the address is not verified, so it makes no customer. It is a detail that the buyer can still change. */
const detailsOf = ({ customer_email: email, customer_name: name }: Opening) =>
  email === undefined ? {} : { customerDetails: toDetails({ email, ...(name !== undefined && { name }) }) }
