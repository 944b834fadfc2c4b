import Type, { type Static, type TProperties } from 'typebox'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { MethodDetails } from '../../db/checkout/payment.ts'
import type { Product } from '../../db/catalogue/product.ts'
import type { AccountSettings } from '../../domain/platform/account-settings.ts'
import { checkoutStatuses, checkoutPaymentStatuses } from '../../domain/checkout/checkout.ts'
import { type RefundProgress, refundProgresses } from '../../domain/checkout/ended-session.ts'
import { formatRate } from '../../domain/balance/exchange.ts'
import { isFreeSale } from '../../domain/checkout/line-item.ts'
import { type Amount, format } from '../../domain/money.ts'
import {
  type FailureCode,
  failureCodes,
  failureMessages,
  type NextAction as NextStep,
  remainingAction,
} from '../../domain/checkout/payment.ts'
import { type Quote, shownFee, storedQuote } from '../../domain/balance/quote.ts'
import { environments } from '../../domain/access/scope.ts'
import { CurrencyCode, id, iso, isoOrNull, Money, nullable, Timestamp } from '../common.ts'
import { ShownDetails, presentDetails } from '../customer.ts'
import { presentRecurring } from './checkout.ts'
import { LineItem, OfferedProduct } from './line-item.ts'
import { MerchantBrand, presentBrand } from './merchant-brand.ts'
import { Offer, presentOffer } from './offer.ts'
import { OfferedCard, presentOfferedCard } from './offered-card.ts'
import { PaidWith, presentPaidWith } from './paid-with.ts'
import { Recurring } from './recurring.ts'
import { FeePreference } from './settings.ts'
import type { PaymentPlaces } from '../../domain/checkout/payment-places.ts'
import type { Corridor } from '../../domain/corridor.ts'

/** A kind of next action, with what the buyer needs for it. */
const action = <T extends NextStep['type'], P extends TProperties>(type: T, name: string, properties: P) =>
  Type.Object({ type: Type.Literal(type), ...properties }, { $id: name })

const NextAction = nullable(
  Type.Union([
    action('otp', 'EnterCode', {}),
    action('redirect', 'FollowRedirect', {
      url: Type.String({
        description: 'Send the buyer here. It leads back to the hosted page, unless it is the page of a wallet.',
      }),
    }),
    action('pin', 'EnterPin', { provider: Type.String(), expires_at: Timestamp }),
    action('phone_prompt', 'ApproveOnPhone', {
      provider: Type.String(),
      phone_number: Type.String({ description: 'Masked.' }),
      expires_at: Timestamp,
    }),
    action('crypto_address', 'SendCrypto', {
      asset: Type.String(),
      network: Type.String(),
      address: Type.String(),
      amount: Type.String({ description: 'What is still to be sent, in the asset.' }),
      expires_at: Timestamp,
    }),
    action('bank_transfer', 'SendBankTransfer', {
      bank_name: Type.String(),
      account_number: Type.String(),
      account_name: Type.String(),
      amount: Type.String({ ...Money, description: 'What is still to be sent.' }),
      currency: CurrencyCode,
      expires_at: Timestamp,
    }),
  ]),
)

/**
 * The state of the payment: the chosen method with its fee, and what the buyer has to do next. Amounts are in
 * `currency`, the currency of the payment; `base_amount` and `base_currency` are those of the session.
 */
export const Attempt = Type.Object(
  {
    checkout_id: id('chk'),
    status: Type.Enum([...checkoutStatuses]),
    payment_status: Type.Enum([...checkoutPaymentStatuses]),
    payment_id: nullable(id('pay')),
    payment_method: nullable(Type.String()),
    amount: Money,
    fee: nullable(Money),
    total: nullable(Money),
    currency: CurrencyCode,
    rate: Type.String({ description: 'Units of the charged currency for one of the session’s.' }),
    base_amount: Money,
    base_currency: CurrencyCode,
    amount_received: nullable(Money),
    next_action: NextAction,
    failure_code: nullable(Type.Enum([...failureCodes])),
    failure_message: nullable(Type.String()),
  },
  { $id: 'PaymentAttempt' },
)

/** The attempt to show. `paymentId` is null for a card setup. */
export type ShownAttempt = {
  paymentId: string | null
  corridor: Corridor
  /** The amount due; null for a card setup. */
  amount: Amount | null
  amountReceived: Amount | null
  nextAction: NextStep | null
  methodDetails: MethodDetails | null
  failureCode: FailureCode | null
  /** Whether the merchant has accepted a part of the amount. */
  partial: boolean
  refundProgress: RefundProgress
  /** Whether it is shown in place of a choice that waits to be confirmed, where there is one. */
  isInPlaceOfChoice?: boolean
}

/** The session in the currency of the chosen method; before a choice, in its own currency. */
export function presentAttempt(row: Checkout, attempt: ShownAttempt | null): Static<typeof Attempt> {
  const base = row.currency
  const quote = row.corridor === null ? null : storedQuote(row, row.corridor, row)
  const currency = quote?.currency ?? base
  const isReplaced = row.paymentStatus === 'requires_confirmation' && !attempt?.isInPlaceOfChoice
  const isCurrent = attempt?.corridor === row.corridor && !isReplaced
  const current = isCurrent ? attempt : null
  const failure = current?.failureCode ?? null
  const received = current?.amountReceived ?? null
  return {
    checkout_id: row.id,
    status: row.status,
    payment_status: row.paymentStatus,
    payment_id: current?.paymentId ?? null,
    payment_method: row.corridor,
    amount: quote?.amount ?? format(row.amount, base),
    fee: quote && shownFee(quote, row),
    total: quote && quote.customerPays,
    currency,
    rate: row.rate === null ? '1' : formatRate(row.rate),
    base_amount: format(row.amount, base),
    base_currency: base,
    amount_received: received && format(received, currency),
    next_action: current && remainingAction(current),
    failure_code: failure,
    failure_message: failure && failureMessages[failure],
  }
}

/** What a buyer may see of a session: no merchant data, no metadata. */
export const PublicCheckout = Type.Object(
  {
    ...Attempt.properties,
    description: nullable(Type.String()),
    merchant_name: Type.String(),
    merchant: MerchantBrand,
    environment: Type.Enum([...environments]),
    session_mode: Type.Enum(['CART', 'SELECTION']),
    setup: Type.Boolean({ description: 'Whether a card is saved and nothing paid.' }),
    saves_card: Type.Boolean({ description: 'Whether a card that pays is charged again, for a subscription.' }),
    fee_preference: FeePreference,
    billing_currency: CurrencyCode,
    products: nullable(Type.Array(LineItem)),
    selection: nullable(Type.Array(OfferedProduct, { description: 'The products of which the buyer picks one.' })),
    product_images: Type.Array(Type.Object({ product_id: id('prod'), url: Type.String() }), {
      description: 'The first image of each product that has one.',
    }),
    payment_methods: Type.Array(Offer),
    saved_payment_methods: Type.Array(OfferedCard),
    customer_details: ShownDetails,
    asks_customer: Type.Boolean({
      description: 'Whether the buyer enters their own details; false if the merchant has named the customer.',
    }),
    can_be_paid: Type.Boolean({
      description: 'False once the session has ended, or its invoice is paid, void or takes no money any more.',
    }),
    invoice_can_be_paid: nullable(Type.Boolean()),
    paid_with: nullable(PaidWith),
    awaits_money: Type.Boolean({
      description: 'Whether the buyer’s money may still come, though the session can no longer be paid.',
    }),
    refund_progress: Type.Enum([...refundProgresses], {
      description: 'How far the refund of all the money that has come is; none where the merchant keeps some of it.',
    }),
    partial: Type.Boolean({
      description: 'Whether the merchant has accepted less than the total, so that the rest must not be sent.',
    }),
    recurring: nullable(Recurring),
    completed_at: nullable(Timestamp),
    locale: nullable(Type.String()),
    success_url: Type.String(),
    cancel_url: nullable(Type.String()),
    expires_at: Timestamp,
    as_of: Timestamp,
  },
  { $id: 'PublicCheckoutSession' },
)

/**
 * The data to show that is not in the session's row. `quotes` are its payment methods with prices, `publicUrl` serves
 * uploads, `places` says where cards are entered, and `chosen` is the payment method that the buyer is about to
 * confirm.
 */
type Around = {
  merchant: AccountSettings
  quotes: Quote[]
  savedCards: SavedPaymentMethod[]
  /** Whether the session has saved a card. */
  hasSavedCard: boolean
  products: Product[]
  publicUrl: string
  places: PaymentPlaces
  chosen: MethodDetails | null
  /** Whether money may still come for the attempt of a session that can no longer be paid. */
  awaitsMoney: boolean
  /** Whether the session is for an invoice that takes no more money. */
  isRefused: boolean
  /** The time by which the session lives, in ms since the epoch. */
  at: number
}

export function presentPublic(
  row: Checkout,
  attempt: ShownAttempt | null,
  {
    merchant,
    quotes,
    savedCards,
    hasSavedCard,
    products,
    publicUrl,
    places,
    chosen,
    isRefused,
    awaitsMoney,
    at,
  }: Around,
): Static<typeof PublicCheckout> {
  return {
    ...presentAttempt(row, attempt),
    description: row.description,
    merchant_name: merchant.displayName,
    merchant: presentBrand(merchant, publicUrl),
    environment: row.environment,
    session_mode: row.sessionMode,
    setup: row.setup && !isFreeSale(row),
    saves_card: Boolean(row.recurring ?? row.invoiceId),
    fee_preference: row.feePreference,
    billing_currency: row.billingCurrency ?? row.currency,
    products: row.lineItems,
    selection: row.selection,
    product_images: products.flatMap(({ id: product_id, imageIds: [first] }) =>
      first ? [{ product_id, url: `${publicUrl}/uploads/${first}` }] : [],
    ),
    payment_methods: quotes.map((quote) => presentOffer(row, quote, places)),
    saved_payment_methods: savedCards.map(presentOfferedCard),
    // Whoever has the link of an invoice may open its session, so it does not show the customer's email.
    customer_details: row.invoiceId ? null : presentDetails(row.customerDetails),
    asks_customer: row.customerId === null,
    can_be_paid: row.status === 'open' && !isRefused,
    invoice_can_be_paid: row.invoiceId ? !isRefused : null,
    paid_with: presentPaidWith((attempt?.isInPlaceOfChoice ? null : chosen) ?? attempt?.methodDetails ?? null),
    awaits_money: awaitsMoney,
    refund_progress: attempt?.refundProgress ?? 'none',
    partial: attempt?.partial ?? false,
    recurring: presentRecurring(row, hasSavedCard),
    completed_at: isoOrNull(row.completedAt),
    locale: row.locale,
    success_url: row.successUrl.replaceAll('{CHECKOUT_ID}', row.id),
    cancel_url: row.cancelUrl?.replaceAll('{CHECKOUT_ID}', row.id) ?? null,
    expires_at: iso(row.expiresAt),
    as_of: iso(new Date(at)),
  }
}
