import { defineEntity, p } from '@mikro-orm/core'
import type { CryptoAsset } from '../../domain/checkout/crypto.ts'
import type { LineItem } from '../../domain/checkout/line-item.ts'
import { type FailureCode, type NextAction, paymentStatuses } from '../../domain/checkout/payment.ts'
import type { BuyerDetails } from '../../domain/customer.ts'
import { corridorKey, currencyCode, moment, money, onClock, polled, tenant } from '../core/columns.ts'

/** `payment_method_details`, by method (docs/contract/checkout.md, "Payments"). */
export type MethodDetails = Record<string, string | number | boolean | null>

const requestSchema = defineEntity({
  name: 'PaymentRequest',
  tableName: 'payment_requests',
  properties: {
    // The id of the payment that the request becomes, so that a repeated request makes one payment.
    id: p.string().primary(),
    checkoutId: p.string().index('payment_requests_by_checkout'),
    corridor: corridorKey().strictNullable(),
    railToken: p.string().length(64).strictNullable(),
    // The saved card that the buyer has chosen in place of a token, and the vault's token for its security code.
    savedMethodId: p.string().nullable(),
    securityCodeToken: p.string().length(64).nullable(),
    // The hosted page with its client secret, for a buyer who returns from their bank; null where no buyer returns.
    encryptedReturnUrl: p.text().strictNullable().fieldName('sealed_return_url'),
    // What some corridors need beside that: the wallet's provider, or the asset of the payment.
    provider: p.string().length(20).strictNullable(),
    asset: p.string().$type<CryptoAsset>().length(20).strictNullable(),
    // The details of a card that the buyer sees before it is charged, as on the receipt.
    methodDetails: p.json<MethodDetails>().strictNullable(),
    // The rate at which it was quoted; null where the corridor has the session's own currency.
    rate: money().strictNullable().check("rate > 0 and rate <> 'NaN'"),
    // The price that the buyer was shown, in the corridor's currency: the sale's amount without the fee, and the fee.
    quotedAmount: money().strictNullable().check("quoted_amount >= 0 and quoted_amount <> 'NaN'"),
    quotedFee: money().strictNullable().check("quoted_fee >= 0 and quoted_fee <> 'NaN'"),
    // What the buyer picked, where the session offers a choice.
    lineItems: p.json<LineItem[]>().strictNullable(),
    customerDetails: p.json<BuyerDetails>().strictNullable(),
    createdAt: moment().index('payment_requests_by_age'),
  },
})
/** The payment method that a buyer chose. The API stores it, so that no personal data travels through the engine. */
export class PaymentRequest extends requestSchema.class {}
requestSchema.setClass(PaymentRequest)

/** When a rail that processes a payment is asked: by its own announcement or by our schedule. */
export const paymentWakesAt = 'coalesce(least(news_due_at, next_poll_at), created_at)'

const refundsFit = `refunded_amount >= 0 and refunded_amount <= refund_claimed and refund_claimed
  <= greatest(amount_received - case when status = 'underpaid' then 0 else fee end, 0)`.replaceAll(/\s+/g, ' ')

const disputesFit = `dispute_claimed >= 0
  and (dispute_claimed = 0 or refund_claimed + dispute_claimed <= amount_received)`.replaceAll(/\s+/g, ' ')

const converted = `num_nonnulls(base_amount, base_currency, rate) in (0, 3)
  and base_currency is distinct from currency`.replaceAll(/\s+/g, ' ')

const schema = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    checkoutId: p.string().strictNullable().index('payments_by_checkout'),
    status: p.enum(paymentStatuses),
    // The amount that the buyer has to pay: `settles` plus `fee`, which the database enforces.
    amount: money().check("amount > 0 and amount <> 'NaN'"),
    amountReceived: money().default('0').check("amount_received >= 0 and amount_received <> 'NaN'"),
    settles: money().check("settles >= 0 and settles <> 'NaN'"),
    fee: money().check("fee >= 0 and fee <> 'NaN'"),
    feeUsd: money(),
    // The fee of the price that the buyer was shown, where `fee` has become another one since: of a duplicate, of a
    // part that was accepted, and of a saved card that was charged too late.
    quotedFee: money().nullable(),
    feePreference: p.enum(['customer_pays', 'org_pays']),
    currency: currencyCode(),
    // The sale's amount before its conversion, and the rate; null where the payment is in the sale's own currency.
    baseAmount: money().strictNullable().check("base_amount > 0 and base_amount <> 'NaN'"),
    baseCurrency: currencyCode().strictNullable(),
    rate: money().strictNullable().check("rate > 0 and rate <> 'NaN'"),
    corridor: corridorKey(),
    billingReason: p.string().length(32).default('purchase'),
    subscriptionId: p.string().strictNullable(),
    invoiceId: p.string().nullable(),
    // The saved card that it charges, with its owner or without them, so that a repeated order is identical.
    savedMethodId: p.string().nullable(),
    // The text when the order was first sent, so that a repeated order is identical.
    statementText: p.string().length(22).strictNullable(),
    nextAction: p.json<NextAction>().strictNullable(),
    methodDetails: p.json<MethodDetails>().strictNullable(),
    // What the payment is for and how it is split, copied from the session and in its currency.
    lineItems: p.json<LineItem[]>().strictNullable(),
    platformFee: money().strictNullable(),
    transferAmount: money().strictNullable(),
    transferDestination: p.string().strictNullable(),
    customerId: p.string().strictNullable().index('payments_by_customer'),
    customerDetails: p.json<BuyerDetails>().strictNullable(),
    reference: p.string().length(128).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    failureCode: p.string().$type<FailureCode>().length(64).strictNullable(),
    late: p.boolean().default(false),
    // It was replaced, given up while its buyer was at their bank, or would only be paid back: its rail still has to be
    // asked to cancel it (`due`), or has cancelled it (`done`).
    cancelling: p.enum(['due', 'done']).strictNullable(),
    // It succeeded although another payment had completed its session: it is refunded in full.
    duplicate: p.boolean().default(false),
    // The merchant has accepted a part of the amount as the payment.
    partial: p.boolean().default(false),
    // When the rail should have news, by its own announcement.
    newsDueAt: moment().strictNullable(),
    ...polled,
    // The sum of refunds that have not failed, and the part of it that was paid back. Both are as requested, with the
    // fee.
    refundClaimed: money().default('0'),
    refundedAmount: money().default('0'),
    // The sum of the disputes that hold their amount or have taken it, and whether there ever was one.
    disputeClaimed: money().default('0'),
    disputed: p.boolean().default(false),
    createdAt: moment(),
    updatedAt: moment(),
    completedAt: moment().strictNullable(),
  },
  checks: [
    { name: 'payments_add_up', expression: 'amount = settles + fee' },
    { name: 'payments_converted_whole', expression: converted },
    { name: 'payments_refunds_fit', expression: refundsFit },
    { name: 'payments_disputes_fit', expression: disputesFit },
  ],
  indexes: [
    { name: 'payments_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'payments_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'payments_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    { name: 'payments_by_method', properties: ['accountId', 'environment', 'corridor', 'createdAt', 'id'] },
    { name: 'payments_by_reference', properties: ['accountId', 'environment', 'reference'] },
    {
      name: 'payments_of_subscription',
      properties: ['subscriptionId', 'createdAt', 'id'],
      where: 'subscription_id is not null',
    },
    { name: 'payments_of_invoice', properties: ['invoiceId', 'createdAt'], where: 'invoice_id is not null' },
    {
      name: 'payments_waiting',
      expression:
        'create index "payments_waiting" on "payments" ("account_id", "environment", ' +
        `(${paymentWakesAt}), "id") where status = 'processing'`,
    },
    {
      name: 'payments_with_news',
      properties: ['accountId', 'environment', 'newsDueAt', 'id'],
      where: 'news_due_at is not null',
    },
    { name: 'payments_to_cancel', properties: ['createdAt'], where: "cancelling = 'due'" },
    { name: 'payments_awaiting_news', properties: ['newsDueAt'], where: 'news_due_at is not null' },
    {
      name: 'payments_open_deposits',
      properties: ['createdAt'],
      where: "status = 'processing' and checkout_id is null",
    },
    {
      name: 'payments_at_rails',
      properties: ['createdAt'],
      where: "status = 'processing' and checkout_id is not null",
    },
  ],
})
/** One attempt to pay: the amount due, what arrived and how it ended. */
export class Payment extends schema.class {}
schema.setClass(Payment)
