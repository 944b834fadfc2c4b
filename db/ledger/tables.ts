import { defineEntity, p } from '@mikro-orm/core'
import { currencyCode, isOwned, moment, money, tenant } from '../core/columns.ts'

/**
 * The ledger accounts. `rail`: money that the rails hold for us (a debit balance). `merchant`: what we owe an account.
 * `buyer`: money that arrived and belongs to no finished sale yet. `fees`: what the platform has earned. `reserved`:
 * what is held back from an account for something that is under way.
 */
export const ledgerAccounts = ['rail', 'merchant', 'buyer', 'fees', 'reserved'] as const
export type LedgerAccount = (typeof ledgerAccounts)[number]

/**
 * What is posted. A refund has one hold, and then one payment or one release of it; so has a payout. A bank may send
 * the money of both back later. A conversion is done or released.
 */
export const movementKinds = [
  'deposit',
  'settlement',
  'surplus',
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
  // A source settles once: the database refuses the second time, whatever the code believes.
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
/** A posting: append-only, but for the mark that its balance has taken it in. */
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
})
/** The rolled-up part of a balance: what debits are checked against, under its row lock. */
export class LedgerBalance extends balanceSchema.class {}
balanceSchema.setClass(LedgerBalance)

const sumSchema = defineEntity({
  name: 'LedgerSum',
  tableName: 'ledger_sums',
  properties: {
    accountId: p.string().primary().check(isOwned),
    environment: p.enum(['sandbox', 'live']).primary(),
    ledgerAccount: p.enum(ledgerAccounts).primary().fieldName('book'),
    // How long the spans are that these two moments begin.
    minutes: p.smallint().primary().check('minutes in (10, 60)'),
    createdFrom: moment().primary(),
    // When it can be used; the time of its creation for what could be used at once.
    availableFrom: moment().primary().fieldName('matures_from'),
    currency: currencyCode().primary(),
    // Connections add up in different shards, so that they do not wait for each other's commits.
    shard: p.integer().primary().fieldName('slot'),
    amount: money().check("amount <> 'NaN'"),
  },
})
/** What the entries of an hour, and of ten minutes, add up to; kept by a trigger in the statement that inserts them. */
export class LedgerSum extends sumSchema.class {}
sumSchema.setClass(LedgerSum)
