import Type, { type Static } from 'typebox'
import type { Checkout as CheckoutRow } from '../../db/checkout/checkout.ts'
import type { Payment as PaymentRow } from '../../db/checkout/payment.ts'
import { checkoutStatuses, checkoutPaymentStatuses } from '../../domain/checkout/checkout.ts'
import { paymentStatuses } from '../../domain/checkout/payment.ts'
import { collectionOf } from '../../domain/checkout/saved-card.ts'
import { checkoutMethodOf, corridorOf } from '../../domain/corridor.ts'
import type { Currency } from '../../domain/currency.ts'
import { type Amount, format } from '../../domain/money.ts'
import { CurrencyCode, id, iso, isoOrNull, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { presentCustomerOf, presentDetails, ShownCustomer, ShownDetails } from '../customer.ts'
import { Recurring } from './recurring.ts'
import { LineItem } from './line-item.ts'

const Charge = Type.Object(
  {
    payment_id: id('pay'),
    billing_reason: Type.String(),
    status: Type.Enum([...paymentStatuses]),
    amount: Money,
    currency: CurrencyCode,
    fee_usd: Money,
  },
  { $id: 'Charge' },
)

const fields = {
  checkout_id: id('chk'),
  status: Type.Enum([...checkoutStatuses]),
  payment_status: Type.Enum([...checkoutPaymentStatuses]),
  recurring: nullable(Recurring),
  source_type: Type.String(),
  payment_link_id: nullable(id('pl')),
  amount: Money,
  currency: CurrencyCode,
  billing_currency: CurrencyCode,
  description: nullable(Type.String()),
  reference: nullable(Type.String()),
  charge: nullable(Charge),
  payment_method: nullable(Type.String()),
  customer: ShownCustomer,
  customer_details: ShownDetails,
  // Only where the session offers saved cards.
  offer_saved_cards: Type.Optional(Type.Boolean()),
  // Only where the session has saved a card.
  saved_payment_method_id: Type.Optional(id('pm')),
  success_url: Type.String(),
  cancel_url: nullable(Type.String()),
  products: nullable(Type.Array(LineItem)),
  platform_fee: nullable(Money),
  transfer_amount: nullable(Money),
  session_mode: Type.Enum(['CART', 'SELECTION']),
  metadata: Metadata,
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Timestamp,
  completed_at: nullable(Timestamp),
}

export const Checkout = Type.Object(fields, { $id: 'CheckoutSession' })

/** The answer to a creation: the hosted page for the buyer, and the client secret for the merchant's own page. */
export const CreatedCheckout = Type.Object(
  { ...fields, checkout_url: Type.String(), client_secret: Type.String() },
  { $id: 'CreatedCheckoutSession' },
)

/**
 * A session with its newest attempt, if there is one. `charge` shows the attempt once the session is no longer open.
 * `savedId` is the id of the card that the session has saved; it is shown where nothing else was sold.
 */
export function presentCheckout(
  row: CheckoutRow,
  payment: PaymentRow | null,
  savedId?: string,
): Static<typeof Checkout> {
  const currency = row.currency
  return {
    checkout_id: row.id,
    status: row.status,
    payment_status: row.paymentStatus,
    recurring: presentRecurring(row, savedId !== undefined),
    source_type: row.sourceType,
    payment_link_id: row.paymentLinkId,
    amount: format(row.amount, currency),
    currency,
    billing_currency: row.billingCurrency ?? currency,
    description: row.description,
    reference: row.reference,
    charge: payment && row.status !== 'open' ? presentCharge(payment) : null,
    payment_method: row.corridor && checkoutMethodOf(row.corridor),
    customer: presentCustomerOf(row),
    customer_details: presentDetails(row.customerDetails),
    ...(row.offersSavedCards && { offer_saved_cards: true }),
    ...(row.setup && savedId !== undefined && { saved_payment_method_id: savedId }),
    success_url: row.successUrl,
    cancel_url: row.cancelUrl,
    products: row.lineItems,
    ...presentSplit(row, currency),
    session_mode: row.sessionMode,
    metadata: row.metadata,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    expires_at: iso(row.expiresAt),
    completed_at: isoOrNull(row.completedAt),
  }
}

/**
 * How the sale repeats; null for a sale that does not. Until the sale is complete, `subscription_id` is null, and a
 * card is expected to be saved; `hasSavedCard` says whether it was.
 */
export function presentRecurring(row: CheckoutRow, hasSavedCard: boolean): Static<typeof Recurring> | null {
  const { recurring, corridor, subscriptionId = null, nextChargeAt = null } = row
  if (!recurring) return null
  const isByCard = corridor !== null && corridorOf(corridor).method === 'card'
  return {
    ...recurring,
    collection: collectionOf(corridor, row.status === 'completed' ? hasSavedCard : isByCard),
    subscription_id: subscriptionId,
    next_charge_at: isoOrNull(nextChargeAt),
  }
}

type Split = { platformFee: Amount | null; transferAmount: Amount | null }

/** The split of a sale between the platform and the seller. Without a split the fields are null, not `0.00`. */
export const presentSplit = ({ platformFee, transferAmount }: Split, currency: Currency) => ({
  platform_fee: platformFee && format(platformFee, currency),
  transfer_amount: transferAmount && format(transferAmount, currency),
})

const presentCharge = (payment: PaymentRow): Static<typeof Charge> => ({
  payment_id: payment.id,
  billing_reason: payment.billingReason,
  status: payment.status,
  amount: format(payment.amount, payment.currency),
  currency: payment.currency,
  fee_usd: format(payment.feeUsd, 'USD'),
})
