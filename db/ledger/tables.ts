import { defineEntity, p } from '@mikro-orm/core'
import { currencyCode, isOwned, moment, money, tenant } from '../core/columns.ts'

/**
 * The ledger accounts. `rail`: money that the rails hold for us (a debit balance). `merchant`: what we owe an account.
 * `buyer`: money that arrived and belongs to no finished sale yet. `fees`: what the platform has earned. `reserved`:
 * what is held back from an account for something that is under way. `owed`: what an account owes us (a debit balance).
 * `intercompany`: what an account has passed on to the others of its platform, less what it got from them. It lets the
 * books of each account balance by themselves, and adds up to nothing over all accounts of a platform.
 */
export const ledgerAccounts = ['rail', 'merchant', 'buyer', 'fees', 'reserved', 'owed', 'intercompany'] as const
export type LedgerAccount = (typeof ledgerAccounts)[number]

/**
 * The kinds of movements. A refund or a payout has one hold, and then one payment or one release of it; a bank may
 * return the paid money of both later. A conversion has one hold, and is then executed or released. What an account
 * owes is repaid from what has arrived since. A transfer and a platform fee go back in parts, each of which is restored
 * if the refund that it belongs to fails. A dispute has one hold of its amount, which is paid or released, and one of
 * its fee, which is paid.
 */
export const movementKinds = [
  'deposit',
  'settlement',
  'surplus',
  'owed_repaid',
  'refund_hold',
  'refund_paid',
  'refund_released',
  'refund_returned',
  'payout_hold',
  'payout_paid',
  'payout_released',
  'payout_returned',
  'conversion_hold',
  'conversion_done',
  'conversion_released',
  'transfer',
  'transfer_reversed',
  'transfer_restored',
  'platform_fee',
  'platform_fee_refunded',
  'platform_fee_restored',
  'dispute_hold',
  'dispute_fee_hold',
  'dispute_paid',
  'dispute_released',
  'dispute_fee_paid',
] as const
export type MovementKind = (typeof movementKinds)[number]

const transactionSchema = defineEntity({
  name: 'LedgerTransaction',
  tableName: 'ledger_transactions',
  properties: {
    id: p.string().primary(),
    kind: p.enum(movementKinds),
    sourceId: p.string(),
    createdAt: moment(),
  },
  // A source is posted once per kind: the database refuses the second time, whatever the code does.
  uniques: [{ name: 'ledger_transactions_once', properties: ['kind', 'sourceId'] }],
})
/** One movement of money, made of postings that add up to nothing per currency. */
export class LedgerTransaction extends transactionSchema.class {}
transactionSchema.setClass(LedgerTransaction)

const byTime = 'create index ledger_entries_by_time on ledger_entries'

const entrySchema = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  properties: {
    id: p.bigint().primary().autoincrement(),
    transactionId: p.string().index('ledger_entries_by_transaction'),
    ...tenant,
    ledgerAccount: p.enum(ledgerAccounts).fieldName('book'),
    currency: currencyCode(),
    // Credits are positive, debits negative.
    amount: money().check("amount <> 0 and amount <> 'NaN'"),
    availableAt: moment(),
    createdAt: moment(),
    rolledUp: p.boolean().default(false).fieldName('folded'),
  },
  indexes: [
    {
      name: 'ledger_entries_unfolded',
      properties: ['accountId', 'environment', 'ledgerAccount', 'currency', 'availableAt'],
      where: 'not folded',
    },
    {
      name: 'ledger_entries_by_time',
      expression: `${byTime} (account_id, environment, book, created_at) include (currency, amount, available_at)`,
    },
  ],
})
/** A posting. Rows are only added; the one column that changes marks that the balance has rolled it up. */
export class LedgerEntry extends entrySchema.class {}
entrySchema.setClass(LedgerEntry)

const balanceSchema = defineEntity({
  name: 'LedgerBalance',
  tableName: 'ledger_balances',
  properties: {
    accountId: p.string().primary().check(isOwned),
    environment: p.enum(['sandbox', 'live']).primary(),
    ledgerAccount: p.enum(ledgerAccounts).primary().fieldName('book'),
    currency: currencyCode().primary(),
    amount: money().default('0').check("amount >= 0 and amount <> 'NaN'"),
  },
  indexes: [
    {
      name: 'ledger_balances_owing',
      properties: ['environment', 'currency', 'accountId'],
      where: "book = 'owed' and amount > 0",
    },
  ],
})
/**
 * The rolled-up part of a balance: what debits are checked against, under its row lock. Of `owed` it is all that is
 * owed, as a positive amount.
 */
export class LedgerBalance extends balanceSchema.class {}
balanceSchema.setClass(LedgerBalance)

const sumSchema = defineEntity({
  name: 'LedgerSum',
  tableName: 'ledger_sums',
  properties: {
    accountId: p.string().primary().check(isOwned),
    environment: p.enum(['sandbox', 'live']).primary(),
    ledgerAccount: p.enum(ledgerAccounts).primary().fieldName('book'),
    // The length of the spans of time in minutes; the two moments below are the begins of spans.
    minutes: p.smallint().primary().check('minutes in (10, 60, 1440)'),
    createdFrom: moment().primary(),
    // When the money becomes available; the time of creation for what was available at once.
    availableFrom: moment().primary().fieldName('matures_from'),
    currency: currencyCode().primary(),
    // Connections use different shards, so that they do not wait for each other's commits.
    shard: p.integer().primary().fieldName('slot'),
    amount: money().check("amount <> 'NaN'"),
  },
  indexes: [{ name: 'ledger_sums_shards', properties: ['shard'], where: 'slot <> 0' }],
})
/** The sum of the entries of a day, an hour or ten minutes; a trigger updates it in the statement that adds entries. */
export class LedgerSum extends sumSchema.class {}
sumSchema.setClass(LedgerSum)
