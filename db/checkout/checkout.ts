import { defineEntity, p } from '@mikro-orm/core'
import type { BuyerDetails } from '../../domain/customer.ts'
import { checkoutStatuses, checkoutPaymentStatuses } from '../../domain/checkout/checkout.ts'
import type { Recurrence } from '../../domain/catalogue/product.ts'
import type { MethodOptions } from '../../domain/corridor.ts'
import type { LineItem, OfferedItem } from '../../domain/checkout/line-item.ts'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import { corridorKey, currencyCode, moment, money, onClock, tenant } from '../core/columns.ts'

/** A check for sessions and payment links: a sale is split in one way only, and a seller's share names its account. */
export const oneSplit = `num_nonnulls(platform_fee, transfer_amount) <= 1
  and (transfer_amount is null) = (transfer_destination is null)`.replaceAll(/\s+/g, ' ')

const schema = defineEntity({
  name: 'Checkout',
  tableName: 'checkouts',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    status: p.enum(checkoutStatuses).default('open'),
    paymentStatus: p.enum(checkoutPaymentStatuses).default('requires_payment_method'),
    sourceType: p.string().length(32),
    // The payment link that opened it. The link counts the session once it is completed.
    paymentLinkId: p.string().strictNullable(),
    // Saves a card in place of a payment; its amount is zero.
    setup: p.boolean().default(false),
    sessionMode: p.enum(['CART', 'SELECTION']).default('CART'),
    amount: money().check("amount >= 0 and amount <> 'NaN'"),
    currency: currencyCode(),
    // The currency that the buyer pays in, chosen by the creator or the buyer; null is the session's own currency.
    billingCurrency: currencyCode().strictNullable(),
    // The rate at which the buyer's choice was quoted; null before the choice, and where no rate is needed.
    rate: money().strictNullable().check("rate > 0 and rate <> 'NaN'"),
    // The price of that quote, in the currency of the payment: the sale's amount without the fee, and the fee.
    quotedAmount: money().strictNullable().check("quoted_amount >= 0 and quoted_amount <> 'NaN'"),
    quotedFee: money().strictNullable().check("quoted_fee >= 0 and quoted_fee <> 'NaN'"),
    // What is sold. Null for a plain amount, and while the buyer has not picked a product: then the amount is 0.
    lineItems: p.json<LineItem[]>().strictNullable(),
    // The products of which the buyer picks one, in the order in which they are shown; null for a CART.
    selection: p.json<OfferedItem[]>().strictNullable(),
    // At most one of the two: the platform's cut, or the seller's share, both in the session's currency.
    platformFee: money().strictNullable(),
    transferAmount: money().strictNullable(),
    transferDestination: p.string().strictNullable(),
    // How what is sold repeats, and what the subscription is to be given; null for a sale that does not repeat. Where
    // the buyer picks, it is that of the first product until they have.
    recurring: p.json<Recurrence>().nullable(),
    subscriptionMetadata: p.json<Record<string, string>>().nullable(),
    // What its completion has begun, and when that is charged next.
    subscriptionId: p.string().nullable(),
    nextChargeAt: moment().nullable(),
    // The invoice that it pays; it is opened from the invoice's page.
    invoiceId: p.string().nullable(),
    description: p.string().length(500).strictNullable(),
    reference: p.string().length(128).strictNullable(),
    feePreference: p.enum(['customer_pays', 'org_pays']),
    methodOptions: p.json<MethodOptions>().strictNullable(),
    customerId: p.string().strictNullable(),
    customerDetails: p.json<BuyerDetails>().strictNullable(),
    // Its customer, whom the merchant named by id, may pay with a saved card.
    offersSavedCards: p.boolean().default(false),
    customerCreation: p.enum(['if_required', 'always']).default('if_required'),
    successUrl: p.string().length(2048),
    cancelUrl: p.string().length(2048).strictNullable(),
    locale: p.string().length(20).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    clientSecretHash: p.string().length(64),
    // The payment request that the buyer is about to confirm, and the newest attempt that was made.
    requestId: p.string().strictNullable(),
    paymentId: p.string().strictNullable(),
    corridor: corridorKey().strictNullable(),
    lastFailureCode: p.string().$type<FailureCode>().length(64).strictNullable(),
    // How many attempts were begun and how many declined, and from when on another one is allowed. This stops card
    // testing.
    attempts: p.integer().default(0),
    declines: p.integer().default(0),
    retryAt: moment().strictNullable(),
    // Counts the changes, so that the process knows the newer of two snapshots.
    revision: p.integer().default(0),
    // Until when the process listens for late money after the session has ended.
    listensUntil: moment().strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
    expiresAt: moment(),
    completedAt: moment().strictNullable(),
  },
  checks: [
    { name: 'checkouts_selection_check', expression: `(session_mode = 'SELECTION') = (selection is not null)` },
    { name: 'checkouts_one_split_check', expression: oneSplit },
    { name: 'checkouts_link_check', expression: `(source_type = 'PAYMENT_LINK') = (payment_link_id is not null)` },
    { name: 'checkouts_setup_check', expression: 'not setup or amount = 0' },
    { name: 'checkouts_invoice_check', expression: `(source_type = 'INVOICE') = (invoice_id is not null)` },
  ],
  indexes: [
    { name: 'checkouts_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'checkouts_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'checkouts_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    {
      name: 'checkouts_by_payment_status',
      properties: ['accountId', 'environment', 'paymentStatus', 'createdAt', 'id'],
    },
    { name: 'checkouts_by_reference', properties: ['accountId', 'environment', 'reference'] },
    { name: 'checkouts_by_customer', properties: ['customerId', 'createdAt'] },
    {
      name: 'checkouts_waiting',
      properties: ['accountId', 'environment', 'expiresAt', 'id'],
      where: "status = 'open'",
    },
    {
      name: 'checkouts_awaiting_late_money',
      properties: ['accountId', 'environment', 'listensUntil', 'id'],
      where: 'listens_until is not null',
    },
    { name: 'checkouts_open', properties: ['expiresAt'], where: "status = 'open'" },
    { name: 'checkouts_listening', properties: ['listensUntil'], where: 'listens_until is not null' },
    {
      name: 'checkouts_by_link',
      properties: ['paymentLinkId', 'createdAt'],
      where: 'payment_link_id is not null',
    },
    {
      name: 'checkouts_open_of_link',
      properties: ['paymentLinkId'],
      where: "payment_link_id is not null and status = 'open'",
    },
    { name: 'checkouts_of_invoice', properties: ['invoiceId', 'createdAt'], where: 'invoice_id is not null' },
  ],
})
/** A checkout session: one sale, from offer to its one terminal state. */
export class Checkout extends schema.class {}
schema.setClass(Checkout)
