import Type, { type Static } from 'typebox'
import type { Checkout } from '../db/checkout.ts'
import type { Payment } from '../db/payment.ts'
import type { Product } from '../db/product.ts'
import { checkoutStatuses, paymentStatuses } from '../domain/checkout.ts'
import { type Corridor, corridorOf, offeredAssets, offeredCorridors, priceOf } from '../domain/corridor.ts'
import type { Currency } from '../domain/currency.ts'
import { providersOf } from '../domain/mobile-money.ts'
import { areFree, awaitsPick } from '../domain/line-item.ts'
import { format, isZero } from '../domain/money.ts'
import { type FailureCode, failureMessages } from '../domain/payment.ts'
import { environments } from '../domain/scope.ts'
import { CurrencyCode, id, iso, isoOrNull, Money, nullable, Timestamp } from './common.ts'
import { ShownDetails, presentDetails } from './customer.ts'
import { LineItem, OfferedProduct } from './line-item.ts'
import { PaidWith, presentPaidWith } from './paid-with.ts'

const NextAction = nullable(
  Type.Union([
    Type.Object({ type: Type.Literal('otp') }),
    Type.Object({ type: Type.Literal('pin'), provider: Type.String(), expires_at: Timestamp }),
    Type.Object({
      type: Type.Literal('phone_prompt'),
      provider: Type.String(),
      phone_number: Type.String({ description: 'Masked.' }),
      expires_at: Timestamp,
    }),
    Type.Object({
      type: Type.Literal('crypto_address'),
      asset: Type.String(),
      network: Type.String(),
      address: Type.String(),
      amount: Type.String({ description: 'What is still to be sent, in the asset.' }),
      expires_at: Timestamp,
    }),
    Type.Object({
      type: Type.Literal('bank_transfer'),
      bank_name: Type.String(),
      account_number: Type.String(),
      account_name: Type.String(),
      amount: Money,
      currency: CurrencyCode,
      expires_at: Timestamp,
    }),
  ]),
)

/** How paying stands: the choice with its fee before it is confirmed, and what the buyer has to do next. */
export const Attempt = Type.Object(
  {
    checkout_id: id('chk'),
    status: Type.Enum([...checkoutStatuses]),
    payment_status: Type.Enum([...paymentStatuses]),
    payment_id: nullable(id('pay')),
    payment_method: nullable(Type.String()),
    amount: Money,
    fee: nullable(Money),
    total: nullable(Money),
    currency: CurrencyCode,
    rate: Type.String({ description: 'Units of the charged currency for one of the session’s.' }),
    amount_received: nullable(Money),
    next_action: NextAction,
    failure_code: nullable(Type.String()),
    failure_message: nullable(Type.String()),
  },
  { $id: 'PaymentAttempt' },
)

/** `fee` is what the buyer pays on top: nothing where the account bears it. */
export function presentAttempt(row: Checkout, payment: Payment | null): Static<typeof Attempt> {
  const currency = row.currency as Currency
  const corridor = row.corridor as Corridor | null
  const price = corridor && priceOf(row.amount, corridor, row.feePreference)
  const isCurrent = payment !== null && payment.corridor === corridor && row.paymentStatus !== 'requires_confirmation'
  const failure = isCurrent ? (payment.failureCode as FailureCode | null) : null
  return {
    checkout_id: row.id,
    status: row.status,
    payment_status: row.paymentStatus,
    payment_id: isCurrent ? payment.id : null,
    payment_method: corridor,
    amount: format(row.amount, currency),
    fee: price && format(row.feePreference === 'customer_pays' ? price.fee : '0', currency),
    total: price && format(price.customerPays, currency),
    currency,
    rate: '1',
    amount_received: isCurrent ? format(payment.amountReceived, currency) : null,
    next_action: isCurrent ? payment.nextAction : null,
    failure_code: failure,
    failure_message: failure && failureMessages[failure],
  }
}

const Offer = Type.Object({
  payment_method: Type.String(),
  type: Type.String(),
  currency: CurrencyCode,
  // Null until it is known what is bought.
  fee: nullable(Money),
  total: nullable(Money),
  providers: Type.Array(Type.String(), { description: 'Whose wallets pay; empty but for mobile money.' }),
  assets: Type.Array(Type.String(), { description: 'What may be paid in; empty but for crypto.' }),
})

/** What a buyer may see of a session: no merchant data, no metadata. */
export const PublicCheckout = Type.Object(
  {
    ...Attempt.properties,
    description: nullable(Type.String()),
    merchant_name: Type.String(),
    environment: Type.Enum([...environments]),
    session_mode: Type.Enum(['CART', 'SELECTION']),
    products: nullable(Type.Array(LineItem)),
    selection: nullable(Type.Array(OfferedProduct, { description: 'What the buyer picks one of.' })),
    product_images: Type.Array(Type.Object({ product_id: id('prod'), url: Type.String() }), {
      description: 'The first image of each product that has one.',
    }),
    payment_methods: Type.Array(Offer),
    customer_details: ShownDetails,
    paid_with: nullable(PaidWith),
    completed_at: nullable(Timestamp),
    success_url: Type.String(),
    cancel_url: nullable(Type.String()),
    expires_at: Timestamp,
  },
  { $id: 'PublicCheckoutSession' },
)

/** What belongs to a session without being in its row; `publicUrl` is where uploads are served. */
type Around = { merchantName: string; payment: Payment | null; products: Product[]; publicUrl: string }

export function presentPublic(
  row: Checkout,
  { merchantName, payment, products, publicUrl }: Around,
): Static<typeof PublicCheckout> {
  const currency = row.currency as Currency
  const isPayable = row.selection ? !areFree(row.selection) : !isZero(row.amount)
  const offered = isPayable ? offeredCorridors(currency, row.methodOptions) : []
  const isOpenPrice = awaitsPick(row)
  return {
    ...presentAttempt(row, payment),
    description: row.description,
    merchant_name: merchantName,
    environment: row.environment,
    session_mode: row.sessionMode,
    products: row.lineItems,
    selection: row.selection,
    product_images: products.flatMap(({ id: product_id, imageIds: [first] }) =>
      first ? [{ product_id, url: `${publicUrl}/uploads/${first}` }] : [],
    ),
    payment_methods: offered.map((key) => {
      const { customerPays, fee } = priceOf(row.amount, key, row.feePreference)
      return {
        payment_method: key,
        type: corridorOf(key).method,
        currency: corridorOf(key).currency,
        fee: isOpenPrice ? null : row.feePreference === 'customer_pays' ? fee : format('0', currency),
        total: isOpenPrice ? null : customerPays,
        providers: [...(corridorOf(key).method === 'mobile_money' ? providersOf(corridorOf(key).currency) : [])],
        assets: key === 'CRYPTO' ? offeredAssets(row.methodOptions) : [],
      }
    }),
    customer_details: presentDetails(row.customerDetails),
    paid_with: presentPaidWith(payment?.methodDetails ?? null),
    completed_at: isoOrNull(row.completedAt),
    success_url: row.successUrl.replaceAll('{CHECKOUT_ID}', row.id),
    cancel_url: row.cancelUrl?.replaceAll('{CHECKOUT_ID}', row.id) ?? null,
    expires_at: iso(row.expiresAt),
  }
}
