import Type, { type Static } from 'typebox'
import type { PaymentLink as PaymentLinkRow } from '../../db/checkout/payment-link.ts'
import { format } from '../../domain/money.ts'
import { linkStates } from '../../domain/checkout/payment-link.ts'
import { environments } from '../../domain/access/scope.ts'
import { priceTypes } from '../../domain/catalogue/product.ts'
import { CurrencyCode, id, iso, isoOrNull, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { MerchantBrand } from './merchant-brand.ts'

const MethodOptions = Type.Record(Type.String(), Type.Object({ currencies: Type.Optional(Type.Array(Type.String())) }))

export const PaymentLink = Type.Object(
  {
    payment_link_id: id('pl'),
    url: Type.String(),
    active: Type.Boolean(),
    name: Type.String(),
    product_cart: nullable(
      Type.Array(
        Type.Object({
          product_id: Type.String(),
          quantity: Type.Integer(),
          amount: nullable(Type.String({ ...Money, description: 'For a custom price: null lets the buyer decide.' })),
        }),
      ),
    ),
    product_group_id: nullable(id('pg')),
    price: nullable(
      Type.Object({
        price_type: Type.Enum([...priceTypes]),
        amount: nullable(Money),
        minimum_amount: nullable(Money),
        maximum_amount: nullable(Money),
        currency: CurrencyCode,
      }),
    ),
    success_url: Type.String(),
    customer_creation: Type.Enum(['if_required', 'always']),
    payment_method_options: nullable(MethodOptions),
    platform_fee: nullable(Money),
    transfer_data: nullable(Type.Object({ destination: id('acct'), amount: Money })),
    max_completions: nullable(Type.Integer()),
    completed_count: Type.Integer(),
    expires_at: nullable(Timestamp),
    inactive_message: nullable(Type.String()),
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'PaymentLink' },
)

/** `publicUrl` is the address of the pages that buyers open. */
export function presentPaymentLink(row: PaymentLinkRow, publicUrl: string): Static<typeof PaymentLink> {
  return {
    payment_link_id: row.id,
    url: `${publicUrl}/l/${row.slug}`,
    active: row.active,
    name: row.name,
    product_cart: presentCart(row),
    product_group_id: row.productGroupId,
    price: row.price,
    success_url: row.successUrl,
    customer_creation: row.customerCreation,
    payment_method_options: row.methodOptions,
    ...presentParts(row),
    max_completions: row.maxCompletions,
    completed_count: row.completedCount,
    expires_at: isoOrNull(row.expiresAt),
    inactive_message: row.inactiveMessage,
    metadata: row.metadata,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  }
}

/** The cart as it was sent, with the amounts at the currency's precision: they are stored as they were typed. */
const presentCart = ({ productCart, currency }: PaymentLinkRow) =>
  productCart?.map(({ product_id, quantity = 1, amount }) => ({
    product_id,
    quantity,
    amount: amount === undefined ? null : format(amount, currency),
  })) ?? null

/** The split of each sale. */
export function presentParts({ platformFee, transferAmount, transferDestination, ...row }: PaymentLinkRow) {
  const currency = row.currency
  const destination = transferDestination
  return {
    platform_fee: platformFee && format(platformFee, currency),
    transfer_data: destination && transferAmount ? { destination, amount: format(transferAmount, currency) } : null,
  }
}

/** An amount that the buyer decides, with its limits. It is the price of each, where the link sells several. */
const RequestedAmount = Type.Object({
  currency: CurrencyCode,
  minimum_amount: nullable(Money),
  maximum_amount: nullable(Money),
  suggested_amount: nullable(Money),
  quantity: Type.Integer({ minimum: 1 }),
})

/** The public fields of a link: no merchant data, no metadata. */
export const PublicPaymentLink = Type.Object(
  {
    name: Type.String(),
    merchant_name: Type.String(),
    merchant: MerchantBrand,
    environment: Type.Enum([...environments]),
    status: Type.Enum([...linkStates]),
    inactive_message: nullable(Type.String()),
    asked_amount: nullable(RequestedAmount),
  },
  { $id: 'PublicPaymentLink' },
)
export type RequestedAmount = Static<typeof RequestedAmount>

/** The answer to opening a link: the new session's id, its client secret and its page. */
export const OpenedCheckout = Type.Object(
  { checkout_id: id('chk'), checkout_url: Type.String(), client_secret: Type.String(), expires_at: Timestamp },
  { $id: 'OpenedCheckoutSession' },
)
