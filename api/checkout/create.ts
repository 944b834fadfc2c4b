import { aboutCheckout } from '../../domain/checkout/process.ts'
import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Checkout as CheckoutRow } from '../../db/checkout/checkout.ts'
import type { BuyerDetails } from '../../domain/customer.ts'
import { feePreferenceOf } from '../../db/checkout/settings.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { Customer, saveCustomer } from '../../db/customer/customer.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { startProcess } from '../../db/core/start-process.ts'
import { otherClockOf } from '../../db/core/test-clock.ts'
import { newId } from '../../domain/id.ts'
import { mergeMetadata } from '../../domain/metadata.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { type FieldError, invalid, Refusal } from '../../domain/refusal.ts'
import { CreatedCheckout, presentCheckout } from '../../schemas/checkout/checkout.ts'
import { Locale, singleLine, Metadata, nullable, WebAddress } from '../../schemas/common.ts'
import { CustomerDetails, presentCustomer } from '../../schemas/customer.ts'
import { hashToken } from '../../db/core/token-hash.ts'
import { validateSale, readSale, Sale, saleRefusals } from './sale.ts'
import { waitingOutside } from './quotes.ts'
import { type Caller, operation } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { minuteMs } from '../../domain/duration.ts'

const ReturnUrl = Type.String({ ...WebAddress, deprecated: true, description: 'The former name of success_url.' })

const KnownCustomer = Type.Object(
  { id: Type.String({ maxLength: 64 }) },
  { required: ['id'], $id: 'KnownCustomer', description: 'A customer who has a record already.' },
)

const CreateCheckout = Type.Object(
  {
    ...Sale,
    customer: Type.Optional(Type.Union([KnownCustomer, CustomerDetails])),
    customer_creation: Type.Optional(Type.Enum(['if_required', 'always'])),
    offer_saved_cards: Type.Optional(Type.Boolean()),
    success_url: Type.Optional(WebAddress),
    return_url: Type.Optional(ReturnUrl),
    cancel_url: Type.Optional(nullable(WebAddress)),
    reference: Type.Optional(nullable(singleLine(128))),
    metadata: Type.Optional(Metadata),
    expires_in_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, default: 60 })),
    locale: Type.Optional(nullable(Locale)),
  },
  { $id: 'CreateCheckoutSession' },
)

/** Rules that the schema cannot state: the form of the sale, and `success_url` or its former name `return_url`. */
function validateSession(body: Record<string, unknown>): FieldError[] {
  const { success_url: target, return_url: alias } = body
  const errors = [...validateSale(body), ...validateOfSaved(body)]
  if (target !== undefined || alias !== undefined) return errors
  return [...errors, { field: 'success_url', message: 'is required', type: 'value_error.missing' }]
}

/** Saved cards are offered to a customer whom the merchant knows, and only where something is paid with them. */
function validateOfSaved({ offer_saved_cards: offers, customer, setup }: Record<string, unknown>): FieldError[] {
  if (offers !== true) return []
  const error = (message: string) => [{ field: 'offer_saved_cards', message, type: 'value_error' }]
  if (setup === true) return error('is not possible in a session that saves a card')
  return fieldsOf(customer)['id'] === undefined ? error('needs a customer with an id') : []
}

export const createCheckout = operation({
  method: 'post',
  path: '/v1/checkout-sessions',
  summary: 'Create a checkout session',
  tag: 'Checkout sessions',
  auth: ['apiKey'],
  scope: 'payments:write',
  body: CreateCheckout,
  needs: 'sells',
  validate: validateSession,
  insertsOnly: ({ customer, product_cart: cart, product_group_id: group }) => !customer && !cart && !group,
  returns: [201, CreatedCheckout],
  refuses: [...saleRefusals, 'CUSTOMER_REQUIRED', 'BAD_GATEWAY'],

  async handle({ body, caller, em, now, services, askOutside }) {
    const sale = await readSale(em, body, caller, waitingOutside({ services, askOutside }))
    if (sale.recurring && !body.customer)
      throw new Refusal('CUSTOMER_REQUIRED', 'a checkout of recurring products names its customer')
    if (sale.recurring && body.offer_saved_cards)
      throw invalid('offer_saved_cards', 'is not possible with recurring products', 'value_error')
    const customer = body.customer ? await findCustomer(em, caller, body.customer, now) : null
    const { checkout, secret } = openSession(em, { ...newSession(body, caller, now), ...sale, ...customer }, now)
    return { ...presentCheckout(checkout, null), ...addressesOf(secret, services) }
  },
})

/** The columns of a new session; without a `feePreference` the account's own applies. */
type NewSession = ReturnType<typeof newSession> &
  Awaited<ReturnType<typeof readSale>> &
  Partial<Pick<CheckoutRow, 'feePreference' | 'invoiceId' | 'subscriptionId'>>

/** The client secret of a session, by its id and its secret part. */
export const clientSecretOf = (id: string, part: string): string => `${id}_secret_${part}`

const randomSecret = (): string => randomBytes(24).toString('base64url')

/**
 * Creates a session and, in the same commit, the outbox row that starts its process. The secret is not stored.
 * `secretOf` makes its last part, for a session whose secret has to be found again.
 */
export function openSession(
  em: EntityManager,
  session: NewSession,
  now: number,
  secretOf: (id: string) => string = randomSecret,
) {
  const id = newId('chk', now)
  const secret = clientSecretOf(id, secretOf(id))
  const { feePreference = feePreferenceOf(session) } = session
  const fixed = { id, feePreference, clientSecretHash: hashToken(secret) }
  const checkout = em.create(CheckoutRow, { ...session, ...fixed })
  startProcess(em, 'checkout', id, aboutCheckout(checkout))
  return { checkout, secret }
}

/** The hosted page for the buyer, and the client secret for a page of the merchant's own. */
export const addressesOf = (secret: string, services: Services) => ({
  checkout_url: checkoutPageUrl(secret, services),
  client_secret: secret,
})

/** The hosted page of the session that this secret opens. */
export const checkoutPageUrl = (secret: string, { config }: Services): string =>
  `${config.publicUrl}/checkout/${secret}`

type CreateBody = Static<typeof CreateCheckout>

/** The columns of a new session, without those of its sale. */
export function newSession(body: CreateBody, { accountId, environment }: Tenant, now: number) {
  return {
    accountId,
    environment,
    // One of them is there: validateSession has checked it.
    successUrl: body.success_url ?? body.return_url ?? '',
    sourceType: 'CHECKOUT_SESSION',
    paymentLinkId: null as string | null,
    description: body.description ?? null,
    reference: body.reference ?? null,
    customerId: null as string | null,
    customerDetails: null as BuyerDetails | null,
    customerCreation: body.customer_creation ?? 'if_required',
    offersSavedCards: body.offer_saved_cards ?? false,
    cancelUrl: body.cancel_url ?? null,
    locale: body.locale ?? null,
    metadata: mergeMetadata({}, body.metadata),
    requestId: null,
    paymentId: null,
    corridor: null,
    rate: null,
    quotedAmount: null,
    quotedFee: null,
    lastFailureCode: null,
    listensUntil: null,
    createdAt: new Date(now),
    updatedAt: new Date(now),
    expiresAt: new Date(now + (body.expires_in_minutes ?? 60) * minuteMs),
    completedAt: null,
  }
}

/** The merchant's customer, found by id or by email. A customer with a new email is created. */
async function findCustomer(em: EntityManager, caller: Caller, sent: NonNullable<CreateBody['customer']>, now: number) {
  const { accountId, environment } = caller
  const owner = { accountId, environment }
  const customer =
    'id' in sent
      ? await em.findOne(Customer, { ...owner, id: sent.id })
      : await saveStatedCustomer(em, owner, { ...sent, name: sent.name ?? null }, now)
  if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
  return sessionCustomer(customer)
}

/** The columns of a session whose customer the merchant knows. */
export const sessionCustomer = ({ id, email, name, phoneNumber }: Customer) => ({
  customerId: id,
  customerDetails: { email, name, phone_number: phoneNumber },
})

async function saveStatedCustomer(
  em: EntityManager,
  owner: Tenant,
  details: BuyerDetails,
  now: number,
): Promise<Customer> {
  const { customer, change } = await saveCustomer(em, owner, details, 'merchant', now)
  if (!change) return customer
  const event = { type: change, resourceId: customer.id, data: presentCustomer(customer) }
  await recordEvent(em, owner, event, now, await otherClockOf(em, customer))
  return customer
}
