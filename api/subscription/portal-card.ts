import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod as SavedRow } from '../../db/checkout/payment-method.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Customer } from '../../db/customer/customer.ts'
import { localeOfCustomer, localeOfSale } from '../../db/subscription/sale-locale.ts'
import { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import { presentSavedPaymentMethod, SavedPaymentMethod } from '../../schemas/checkout/payment-method.ts'
import { OpenedCheckout } from '../../schemas/checkout/payment-link.ts'
import { id, idParameter, iso, page, pageQuery } from '../../schemas/common.ts'
import { addressesOf, newSession, openSession, sessionCustomer } from '../checkout/create.ts'
import { readSale, saleRefusals } from '../checkout/sale.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { assertAllowed, findOwnSubscription, onPortal, ownOf, portalPath } from './portal.ts'

const path = `${portalPath}/payment-methods`

export const listPortalCards = operation({
  ...onPortal,
  method: 'get',
  path,
  summary: 'List the customer’s saved cards, newest first',
  query: Type.Object(pageQuery),
  returns: [200, page(SavedPaymentMethod)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = { ...ownOf(caller), detachedAt: null }
    const { rows, pagination } = await listPage({ em, services }, SavedRow, where, query)
    return { items: rows.map(presentSavedPaymentMethod), pagination }
  },
})

export const removePortalCard = operation({
  ...onPortal,
  method: 'delete',
  path: `${path}/{payment_method_id}`,
  summary: 'Remove a saved card that no subscription charges',
  params: Type.Object({ payment_method_id: idParameter('pm') }),
  returns: [
    200,
    Type.Object({ payment_method_id: id('pm'), deleted: Type.Literal(true) }, { $id: 'RemovedPaymentMethod' }),
  ],
  refuses: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],

  async handle({ params, caller, em, now }) {
    const where = { id: params.payment_method_id, ...ownOf(caller), detachedAt: null }
    // Locked, so that no subscription begins to use it meanwhile: that takes a lock of the card too.
    const saved = await em.findOne(SavedRow, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!saved) throw new Refusal('NOT_FOUND', 'no such payment method')
    await assertAllowed(em, caller, 'cards', null)
    await assertUnused(em, saved)
    saved.detachedAt = new Date(now)
    return { payment_method_id: saved.id, deleted: true as const }
  },
})

/** Refuses with `CONFLICT` where a subscription charges a card, or has begun to. The card is locked. */
async function assertUnused(em: EntityManager, { id: cardId, accountId, environment }: SavedRow): Promise<void> {
  const using = { paymentMethodId: cardId, status: { $ne: 'canceled' as const } }
  if ((await em.count(SubscriptionRow, using)) > 0)
    throw new Refusal('CONFLICT', 'a subscription charges this card: choose another one for it first')
  // A charge that is under way goes by the card that it has begun with, and may be ordered hours later.
  const underWay = { accountId, environment, savedMethodId: cardId, checkoutId: null, status: 'processing' as const }
  if ((await em.count(Payment, underWay)) > 0)
    throw new Refusal('CONFLICT', 'a payment by this card is being processed: remove it after that')
}

const AddCard = Type.Object(
  {
    subscription_id: Type.Optional({
      ...idParameter('sub'),
      description: 'The subscription that the card is for: the portal then offers to charge it there.',
    }),
  },
  { $id: 'AddPaymentMethod' },
)

export const addPortalCard = operation({
  ...onPortal,
  method: 'post',
  path,
  summary: 'Begin to save a card: opens a checkout session that charges nothing',
  body: AddCard,
  needs: 'sells',
  returns: [201, OpenedCheckout],
  refuses: ['FORBIDDEN', ...saleRefusals],

  async handle({ body, caller, em, now, services }) {
    const wanted = body.subscription_id
    const subscription = wanted === undefined ? null : await findOwnSubscription(em, caller, wanted)
    await assertAllowed(em, caller, 'cards', subscription?.id ?? null)
    const customer = await em.findOneOrFail(Customer, { id: ownOf(caller).customerId })
    const sale = await readSale(em, { setup: true }, caller, services)
    const portal = `${services.config.publicUrl}/portal`
    const place = subscription ? `${portal}/subscriptions/${subscription.id}/card` : `${portal}/cards`
    const locale = subscription ? await localeOfSale(em, subscription) : await localeOfCustomer(em, ownOf(caller))
    const places = { success_url: `${place}?added=1`, cancel_url: place }
    const session = newSession({ ...places, ...(locale && { locale }) }, caller, now)
    const source = { ...sessionCustomer(customer), sourceType: 'CUSTOMER_PORTAL' }
    const { checkout, secret } = openSession(em, { ...session, ...sale, ...source }, now)
    return { checkout_id: checkout.id, ...addressesOf(secret, services), expires_at: iso(checkout.expiresAt) }
  },
})
