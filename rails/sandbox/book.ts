import { defineEntity, p } from '@mikro-orm/core'
import type { CryptoAsset } from '../../domain/checkout/crypto.ts'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import type { Currency } from '../../domain/currency.ts'
import { disputeReasonKeys } from '../../domain/dispute/dispute.ts'
import { currencyCode, isOwned, moment, money } from '../../db/core/columns.ts'
import type { CardBehaviour } from './test-values.ts'

const cardSchema = defineEntity({
  name: 'SimulatedCard',
  tableName: 'simulated_cards',
  properties: {
    token: p.string().length(64).primary(),
    // What this card will do; the vault of the simulator keeps no number, only this and what is printed on receipts.
    behaviour: p.string().$type<CardBehaviour>().length(32),
    brand: p.string().length(20),
    lastFour: p.string().length(4),
    expMonth: p.smallint(),
    expYear: p.smallint(),
    country: p.string().length(2),
    // The database's own time, as the vault knows no other.
    createdAt: moment().defaultRaw('now()'),
    // Found by the purge of old cards to be saved by a customer: it is kept, and not looked at again.
    isSaved: p.boolean().default(false),
  },
  indexes: [{ name: 'simulated_cards_by_age', properties: ['createdAt'], where: 'not is_saved' }],
})
/** The simulated card network's vault: a token in place of a number. */
export class SimulatedCard extends cardSchema.class {}
cardSchema.setClass(SimulatedCard)

const codeSchema = defineEntity({
  name: 'SimulatedCode',
  tableName: 'simulated_codes',
  properties: {
    token: p.string().length(64).primary(),
    passes: p.boolean(),
    createdAt: moment().defaultRaw('now()').index('simulated_codes_by_age'),
  },
})
/** A one-time code that a buyer entered, kept only as whether it was right. */
export class SimulatedCode extends codeSchema.class {}
codeSchema.setClass(SimulatedCode)

const chargeSchema = defineEntity({
  name: 'SimulatedCharge',
  tableName: 'simulated_charges',
  properties: {
    paymentId: p.string().primary(),
    status: p.enum(['requires_action', 'processing', 'succeeded', 'failed', 'canceled']),
    amount: money(),
    // Empty where it was cancelled before it was ordered.
    currency: p.string().$type<Currency | ''>().length(10),
    cardToken: p.string().length(64).strictNullable(),
    failureCode: p.string().$type<FailureCode>().length(64).strictNullable(),
    // Whether the card is saved for charges without its owner.
    savesCard: p.boolean().default(false),
    // Whether the owner of the card has entered the code of their bank.
    verified: p.boolean().default(false),
    accountNumber: p.string().length(10).strictNullable().unique(),
    closesAt: moment().strictNullable(),
    // How often money was really moved; it shows that a repeated call is the same call.
    executions: p.smallint().default(0),
  },
})
/** The simulated rails' own book of charges, keyed by our payment id. */
export class SimulatedCharge extends chargeSchema.class {}
chargeSchema.setClass(SimulatedCharge)

const setupSchema = defineEntity({
  name: 'SimulatedSetup',
  tableName: 'simulated_setups',
  properties: {
    setupId: p.string().primary(),
    status: p.enum(['requires_action', 'succeeded', 'failed']),
    cardToken: p.string().length(64),
    failureCode: p.string().$type<FailureCode>().length(64).strictNullable(),
    // How often a card was really made ready for later charges.
    executions: p.smallint().default(0),
  },
})
/** The simulated card network's book of cards that were verified for later, keyed by our setup id. */
export class SimulatedSetup extends setupSchema.class {}
setupSchema.setClass(SimulatedSetup)

const depositSchema = defineEntity({
  name: 'SimulatedDeposit',
  tableName: 'simulated_deposits',
  properties: {
    // The account that it belongs to, so that ids of different accounts' transfers cannot collide.
    accountId: p.string().primary().check(isOwned),
    sessionId: p.string().length(64).primary(),
    // The account that received it: that of one payment, or a virtual account.
    paymentId: p.string().strictNullable().index('simulated_deposits_by_payment'),
    accountNumber: p.string().length(10).nullable(),
    amount: money(),
    // Null is what a bank does not tell.
    senderName: p.string().length(255).strictNullable(),
    senderBank: p.string().length(255).strictNullable(),
    senderAccountNumber: p.string().length(20).strictNullable(),
    // Whether the bank will not take it back any more.
    isFinal: p.boolean().default(true),
    createdAt: moment(),
  },
  checks: [{ name: 'simulated_deposits_one_target', expression: 'num_nonnulls(payment_id, account_number) = 1' }],
})
/** A transfer that arrived at the simulated bank, told apart by its interbank session id. */
export class SimulatedDeposit extends depositSchema.class {}
depositSchema.setClass(SimulatedDeposit)

const phoneSchema = defineEntity({
  name: 'SimulatedPhone',
  tableName: 'simulated_phones',
  properties: {
    token: p.string().length(64).primary(),
    // How the phone's owner will answer. Of the number only what receipts show is stored.
    outcome: p.string().$type<'succeeded' | FailureCode>().length(64),
    maskedNumber: p.string().length(20),
    createdAt: moment().defaultRaw('now()').index('simulated_phones_by_age'),
  },
})
/** The simulated wallets' vault: a token in place of a phone number. */
export class SimulatedPhone extends phoneSchema.class {}
phoneSchema.setClass(SimulatedPhone)

const promptSchema = defineEntity({
  name: 'SimulatedPrompt',
  tableName: 'simulated_prompts',
  properties: {
    paymentId: p.string().primary(),
    status: p.enum(['requires_pin', 'prompted', 'succeeded', 'failed', 'canceled']),
    amount: money(),
    // Empty where it was cancelled before it was ordered.
    currency: p.string().$type<Currency | ''>().length(10),
    provider: p.string().length(20),
    phoneToken: p.string().length(64),
    // The outcome at `answersAt`: `succeeded` or a failure code.
    outcome: p.string().$type<'succeeded' | FailureCode>().length(64),
    answersAt: moment(),
    closesAt: moment(),
    executions: p.smallint().default(0),
  },
})
/** The simulated wallets' own book: one question on a phone per payment. */
export class SimulatedPrompt extends promptSchema.class {}
promptSchema.setClass(SimulatedPrompt)

const addressSchema = defineEntity({
  name: 'SimulatedAddress',
  tableName: 'simulated_addresses',
  properties: {
    paymentId: p.string().primary(),
    asset: p.string().$type<CryptoAsset>().length(20),
    address: p.string().length(64).unique(),
    amountUsd: money(),
    // Dollars for one coin, as they were when the address was made; they hold for whatever is sent to it.
    rate: money(),
    coins: money(),
    expiresAt: moment(),
    closesAt: moment(),
  },
})
/** The simulated networks' book of addresses, one per payment. */
export class SimulatedAddress extends addressSchema.class {}
addressSchema.setClass(SimulatedAddress)

const coinsSchema = defineEntity({
  name: 'SimulatedCoins',
  tableName: 'simulated_coins',
  properties: {
    id: p.bigint().primary().autoincrement(),
    accountId: p.string().check(isOwned),
    txHash: p.string().length(128),
    paymentId: p.string().index('simulated_coins_by_payment'),
    coins: money(),
    // In dollars, such that the worths of an address are together the worth of its coins.
    worth: money(),
    seenAt: moment(),
  },
  uniques: [{ name: 'simulated_coins_once', properties: ['accountId', 'txHash'] }],
})
/** Coins sent to a simulated address, in the order of their network's blocks. */
export class SimulatedCoins extends coinsSchema.class {}
coinsSchema.setClass(SimulatedCoins)

const refundSchema = defineEntity({
  name: 'SimulatedRefund',
  tableName: 'simulated_refunds',
  properties: {
    refundId: p.string().primary(),
    paymentId: p.string(),
    status: p.enum(['processing', 'succeeded', 'failed', 'returned']),
    amount: money(),
    currency: currencyCode(),
    // How often money was really sent.
    executions: p.smallint().default(0),
  },
})
/** The simulated rails' own book of refunds, keyed by our refund id. */
export class SimulatedRefund extends refundSchema.class {}
refundSchema.setClass(SimulatedRefund)

const conversionSchema = defineEntity({
  name: 'SimulatedConversion',
  tableName: 'simulated_conversions',
  properties: {
    conversionId: p.string().primary(),
    status: p.enum(['processing', 'completed', 'failed']),
    soldAmount: money(),
    soldCurrency: currencyCode(),
    boughtAmount: money(),
    boughtCurrency: currencyCode(),
    // How often money was really exchanged.
    executions: p.smallint().default(0),
  },
})
/** The simulated exchange's own book, keyed by our conversion id. */
export class SimulatedConversion extends conversionSchema.class {}
conversionSchema.setClass(SimulatedConversion)

const disputeSchema = defineEntity({
  name: 'SimulatedDispute',
  tableName: 'simulated_disputes',
  properties: {
    networkId: p.string().length(128).primary(),
    paymentId: p.string().index('simulated_disputes_by_payment'),
    status: p.enum(['early_warning', 'needs_response', 'under_review', 'won', 'lost', 'withdrawn', 'closed']),
    amount: money(),
    reason: p.enum(disputeReasonKeys),
    dueAt: moment(),
    warnsUntil: moment().strictNullable(),
    // How often evidence was received; it shows that a repeated submission is the same one.
    submissions: p.smallint().default(0),
    createdAt: moment(),
  },
})
/** The simulated card network's book of disputes, keyed by its own ids. */
export class SimulatedDispute extends disputeSchema.class {}
disputeSchema.setClass(SimulatedDispute)
