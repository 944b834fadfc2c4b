import { defineEntity, p } from '@mikro-orm/core'
import { moment, money } from '../../db/core/columns.ts'
import type { MethodDetails } from '../../db/checkout/payment.ts'
import type { NextAction } from '../../domain/checkout/payment.ts'

export const orderKinds = ['charge', 'refund', 'payout'] as const
export type OrderKind = (typeof orderKinds)[number]

export const channels = ['bank_transfer', 'mobile_money', 'card_page', 'saved_card'] as const
export type Channel = (typeof channels)[number]

const orderSchema = defineEntity({
  name: 'PaystackOrder',
  tableName: 'paystack_orders',
  properties: {
    // Our id of the payment, the refund or the payout.
    id: p.string().primary(),
    kind: p.enum(orderKinds),
    // The refunded payment of a refund.
    paymentId: p.string().strictNullable().index('paystack_orders_by_payment'),
    channel: p.enum(channels).strictNullable(),
    amount: money(),
    // Empty where it was cancelled before it was ordered.
    currency: p.string().length(10),
    // Paystack's ids: the number of the transaction or refund, the code of the transfer and of who gets it. Of a refund
    // of a transfer into a virtual account, the code is Paystack's reference of that transfer.
    theirId: p.string().length(20).strictNullable().index('paystack_orders_by_their_id'),
    transferCode: p.string().length(64).strictNullable(),
    recipientCode: p.string().length(64).strictNullable(),
    // The last status that Paystack has answered, in its own words.
    answered: p.string().length(64).strictNullable(),
    // What the buyer has to do, and what receipts show, without personal data that is not shown there.
    nextAction: p.json<NextAction>().strictNullable(),
    details: p.json<MethodDetails>().strictNullable(),
    // Whether the card is saved for charges without its owner.
    savesCard: p.boolean().default(false),
    // The vault's token for the phone number, until Paystack has the order.
    phoneToken: p.string().length(64).strictNullable(),
    // When the buyer should have paid.
    expiresAt: moment().strictNullable(),
    // How often the order was sent, and when last, by the database's own time; until when the present sending has it.
    sends: p.integer().default(0),
    sentAt: moment().strictNullable(),
    sendingUntil: moment().strictNullable(),
    // When Paystack has first answered with a success; a refund or a payout can come back only after that.
    succeededAt: moment().strictNullable(),
    // From then on nothing is sent under this id.
    canceledAt: moment().strictNullable(),
    refusedAt: moment().strictNullable(),
    // How often Paystack was asked while the order was open.
    lookUps: p.integer().default(0),
    createdAt: moment().defaultRaw('now()'),
  },
  indexes: [{ name: 'paystack_orders_by_transfer', properties: ['transferCode'], where: 'transfer_code is not null' }],
})
/** The book of what was ordered at Paystack, keyed by our ids. It holds no person's number, code or address. */
export class PaystackOrder extends orderSchema.class {}
orderSchema.setClass(PaystackOrder)

/** Whether a charge is one of a card. */
export const isOfCard = ({ channel }: Pick<PaystackOrder, 'channel'>): boolean =>
  channel === 'card_page' || channel === 'saved_card'

const cardSchema = defineEntity({
  name: 'PaystackCard',
  tableName: 'paystack_cards',
  properties: {
    // Paystack's authorization code, which only our secret key can charge.
    token: p.string().length(64).primary(),
    // The only email with which Paystack charges it.
    encryptedEmail: p.text(),
    createdAt: moment().defaultRaw('now()'),
    // Found by the purge of old cards to be saved by a customer: it is kept, and not looked at again.
    isSaved: p.boolean().default(false),
  },
  indexes: [{ name: 'paystack_cards_by_age', properties: ['createdAt'], where: 'not is_saved' }],
})
/** A card that Paystack has saved for charges without its owner. */
export class PaystackCard extends cardSchema.class {}
cardSchema.setClass(PaystackCard)

const accountSchema = defineEntity({
  name: 'PaystackAccount',
  tableName: 'paystack_accounts',
  properties: {
    // Our id of the holder of a virtual account: a customer, or the account for its own.
    id: p.string().primary(),
    // The address of ours under which Paystack has the holder as a customer; it stays when our host changes.
    email: p.string().length(320),
    customerCode: p.string().length(64).strictNullable(),
    accountNumber: p.string().length(10).strictNullable(),
    sendingUntil: moment().strictNullable(),
    createdAt: moment().defaultRaw('now()'),
  },
})
/** The book of the virtual accounts that were ordered at Paystack. */
export class PaystackAccount extends accountSchema.class {}
accountSchema.setClass(PaystackAccount)

const secretSchema = defineEntity({
  name: 'PaystackSecret',
  tableName: 'paystack_secrets',
  properties: {
    token: p.string().length(64).primary(),
    // A phone number or a one-time code. The row is deleted as soon as Paystack has it.
    encrypted: p.text(),
    createdAt: moment().defaultRaw('now()').index('paystack_secrets_by_age'),
  },
})
/** What a buyer has entered, encrypted until Paystack has taken it. */
export class PaystackSecret extends secretSchema.class {}
secretSchema.setClass(PaystackSecret)
