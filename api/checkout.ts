import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Checkout as CheckoutRow, type BuyerDetails } from '../db/checkout.ts'
import { feePreferenceOf, readStanding } from '../db/checkout-settings.ts'
import { Customer, saveCustomer } from '../db/customer.ts'
import type { Tenant } from '../db/columns.ts'
import type { EntityManager } from '../db/database.ts'
import { Payment } from '../db/payment.ts'
import { readRow } from '../db/planned.ts'
import { recordEvent } from '../db/record-event.ts'
import { startProcess } from '../db/start-process.ts'
import { checkoutStatuses, paymentStatuses } from '../domain/checkout.ts'
import { type MethodOptions, methods, offeredCorridors } from '../domain/corridor.ts'
import { currencyCodes, type Currency, isCurrency } from '../domain/currency.ts'
import { newId } from '../domain/id.ts'
import { assertAvailable } from '../domain/method-settings.ts'
import { amountFault, isZero, parseAmount } from '../domain/money.ts'
import { type ErrorCode, type FieldFault, Refusal } from '../domain/refusal.ts'
import { Checkout, CreatedCheckout, presentCheckout } from '../schemas/checkout.ts'
import { idParameter, Metadata, nullable, page, pageQuery, WebAddress } from '../schemas/common.ts'
import { CustomerDetails, presentCustomer } from '../schemas/customer.ts'
import { hashSecret } from './authenticate.ts'
import { aboutCheckout } from './checkout-process.ts'
import { createdRange, matching } from './filters.ts'
import { type Caller, operation } from './operation.ts'
import { listPage } from './pagination.ts'

const MethodRestriction = Type.Object({
  currencies: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 50 })),
})

const CreateCheckout = Type.Object(
  {
    amount: Type.String({ description: 'What is sold for, at the currency’s precision.', examples: ['25.00'] }),
    currency: Type.String({ examples: ['USD'] }),
    description: Type.String({ minLength: 1, maxLength: 500 }),
    customer: Type.Optional(
      Type.Union([Type.Object({ id: Type.String({ maxLength: 64 }) }, { required: ['id'] }), CustomerDetails]),
    ),
    customer_creation: Type.Optional(Type.Enum(['if_required', 'always'])),
    success_url: Type.Optional(WebAddress),
    return_url: Type.Optional(WebAddress),
    cancel_url: Type.Optional(nullable(WebAddress)),
    reference: Type.Optional(nullable(Type.String({ maxLength: 128 }))),
    metadata: Type.Optional(Metadata),
    expires_in_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, default: 60 })),
    payment_method_options: Type.Optional(
      nullable(Type.Object(Object.fromEntries(methods.map((method) => [method, Type.Optional(MethodRestriction)])))),
    ),
    locale: Type.Optional(nullable(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 20 }))),
  },
  { $id: 'CreateCheckoutSession' },
)

/** An amount needs its currency to be read, and one of the two names of the redirect target must be there. */
function faultsInSession({ amount, currency, success_url: target, return_url: alias }: Record<string, unknown>) {
  const faults: FieldFault[] = []
  const known = typeof currency === 'string' && isCurrency(currency) ? currency : null
  const fault = typeof amount === 'string' ? amountFault(amount, known) : null
  if (fault) faults.push(fault)
  if (target === undefined && alias === undefined) {
    faults.push({ field: 'success_url', message: 'is required', type: 'value_error.missing' })
  }
  return faults
}

const creationRefusals: readonly ErrorCode[] = [
  'CURRENCY_NOT_SUPPORTED',
  'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD',
  'ACCOUNT_NOT_ACTIVATED',
  'ACCOUNT_PAYMENT_METHODS_RESTRICTED',
  'CHECKOUT_HAS_NO_PAYMENT_METHOD',
  'NOT_FOUND',
]

export const createCheckout = operation({
  method: 'post',
  path: '/v1/checkout-sessions',
  summary: 'Create a checkout session',
  tag: 'Checkout sessions',
  auth: ['apiKey'],
  scope: 'payments:write',
  body: CreateCheckout,
  faultsIn: faultsInSession,
  insertsOnly: ({ customer }) => !customer,
  returns: [201, CreatedCheckout],
  refuses: creationRefusals,

  async handle({ body, caller, em, now, services }) {
    const sale = await readSale(em, body, caller)
    const customer = body.customer ? await findCustomer(em, caller, body.customer, now) : null
    const id = newId('chk', now)
    const secret = `${id}_secret_${randomBytes(24).toString('base64url')}`
    const fixed = { id, feePreference: feePreferenceOf(caller), clientSecretHash: hashSecret(secret) }
    const checkout = em.create(CheckoutRow, { ...newSession(body, caller, now), ...sale, ...customer, ...fixed })
    startProcess(em, 'checkout', id, aboutCheckout(checkout))
    const checkout_url = `${services.config.publicUrl}/checkout/${secret}`
    return { ...presentCheckout(checkout, null), checkout_url, client_secret: secret }
  },
})

type CreateBody = Static<typeof CreateCheckout>

/** What is sold and how it may be paid. */
async function readSale(em: EntityManager, body: CreateBody, caller: Caller) {
  const { currency } = body
  if (!isCurrency(currency)) {
    throw new Refusal('CURRENCY_NOT_SUPPORTED', `the currency is not one of ${currencyCodes.join(', ')}`)
  }
  const amount = parseAmount(body.amount, currency)
  const sent = body.payment_method_options ?? null
  const methodOptions = isZero(amount) ? sent : await assertPayable(em, caller, currency, sent)
  return { amount, currency, methodOptions }
}

/** What of the restriction counts for this account; refused when nothing is left. The sandbox has every method. */
async function assertPayable(em: EntityManager, caller: Caller, currency: Currency, options: MethodOptions | null) {
  if (caller.environment === 'live') return assertAvailable(currency, options, await readStanding(em, caller))
  if (offeredCorridors(currency, null).length === 0) {
    throw new Refusal('CURRENCY_NOT_SUPPORTED', `no payment method takes ${currency}`)
  }
  if (offeredCorridors(currency, options).length > 0) return options
  throw new Refusal('CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD', 'payment_method_options leaves nothing payable')
}

function newSession(body: CreateBody, { accountId, environment }: Caller, now: number) {
  return {
    ...{ accountId, environment },
    successUrl: body.success_url ?? body.return_url ?? '', // one of them is there, which faultsInSession has seen to
    sourceType: 'CHECKOUT_SESSION',
    description: body.description,
    reference: body.reference ?? null,
    customerId: null as string | null,
    customerDetails: null as BuyerDetails | null,
    customerCreation: body.customer_creation ?? 'if_required',
    cancelUrl: body.cancel_url ?? null,
    locale: body.locale ?? null,
    metadata: body.metadata ?? {},
    ...{ requestId: null, paymentId: null, corridor: null, lastFailureCode: null, listensUntil: null },
    createdAt: new Date(now),
    updatedAt: new Date(now),
    expiresAt: new Date(now + (body.expires_in_minutes ?? 60) * 60_000),
    completedAt: null,
  }
}

/** The merchant's word about its own customer: by id, or by email, made should there be none. */
async function findCustomer(em: EntityManager, caller: Caller, told: NonNullable<CreateBody['customer']>, now: number) {
  const { accountId, environment } = caller
  const owner = { accountId, environment }
  const customer =
    'id' in told
      ? await em.findOne(Customer, { ...owner, id: told.id })
      : await saveTold(em, owner, { ...told, name: told.name ?? null }, now)
  if (!customer) throw new Refusal('NOT_FOUND', 'no such customer')
  const { email, name, phoneNumber } = customer
  return { customerId: customer.id, customerDetails: { email, name, phone_number: phoneNumber } }
}

async function saveTold(em: EntityManager, owner: Tenant, details: BuyerDetails, now: number): Promise<Customer> {
  const { customer, change } = await saveCustomer(em, owner, details, 'merchant', now)
  const data = presentCustomer(customer)
  if (change) await recordEvent(em, owner, { type: change, resourceId: customer.id, data }, now)
  return customer
}

const CheckoutId = Type.Object({ checkout_id: idParameter('chk') })

/** The caller's own session; another's answers like none at all. */
export async function findCheckout(em: EntityManager, caller: Caller, id: string): Promise<CheckoutRow> {
  const { accountId, environment } = caller
  const checkout = await readRow(em, CheckoutRow, { id, accountId, environment })
  if (!checkout) throw new Refusal('NOT_FOUND', 'no such checkout session')
  return checkout
}

/** A session as merchants see it, with its newest attempt. */
export async function showCheckout(em: EntityManager, checkout: CheckoutRow): Promise<Static<typeof Checkout>> {
  const payment = checkout.paymentId ? await readRow(em, Payment, { id: checkout.paymentId }) : null
  return presentCheckout(checkout, payment)
}

export const getCheckout = operation({
  method: 'get',
  path: '/v1/checkout-sessions/{checkout_id}',
  summary: 'Read a checkout session',
  tag: 'Checkout sessions',
  auth: ['apiKey'],
  scope: 'payments:read',
  params: CheckoutId,
  returns: [200, Checkout],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em }) {
    return showCheckout(em, await findCheckout(em, caller, params.checkout_id))
  },
})

const ListCheckouts = Type.Object({
  ...pageQuery,
  ...createdRange,
  status: Type.Optional(Type.Enum([...checkoutStatuses])),
  payment_status: Type.Optional(Type.Enum([...paymentStatuses])),
  customer_id: Type.Optional(Type.String({ maxLength: 64 })),
  reference: Type.Optional(Type.String({ maxLength: 128 })),
})

const listColumns = {
  status: 'status',
  payment_status: 'paymentStatus',
  customer_id: 'customerId',
  reference: 'reference',
} as const

export const listCheckouts = operation({
  method: 'get',
  path: '/v1/checkout-sessions',
  summary: 'List checkout sessions, newest first',
  tag: 'Checkout sessions',
  auth: ['apiKey'],
  scope: 'payments:read',
  query: ListCheckouts,
  returns: [200, page(Checkout)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const where = matching(caller, query, listColumns)
    const { rows, pagination } = await listPage({ em, services }, CheckoutRow, where, query)
    const payments = await em.find(Payment, { id: { $in: rows.flatMap((row) => row.paymentId ?? []) } })
    const items = rows.map((row) => presentCheckout(row, payments.find(({ id }) => id === row.paymentId) ?? null))
    return { items, pagination }
  },
})
