import Big from 'big.js'
import type { Currency } from '../../domain/currency.ts'
import { depositSource } from '../../domain/checkout/deposit.ts'
import { newId } from '../../domain/id.ts'
import { afterRepaying } from '../../domain/balance/owed.ts'
import { add, type Amount, format, isLess, isZero, negate, subtract } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { readBalances } from '../balance/balance.ts'
import { BalanceTransaction, balanceTransactionTypeOf } from '../balance/transaction.ts'
import type { Tenant } from '../core/columns.ts'
import { type EntityManager, writtenAt } from '../core/database.ts'
import { owe, repayOwed } from './owed.ts'
import { type LedgerAccount, LedgerEntry, LedgerTransaction, type MovementKind } from './tables.ts'
import { type Key, type Line, lockBalance, takeUpTo } from './take.ts'

/** One line of a movement: credits are positive, debits negative, in the currency's units. */
export type Posting = {
  ledgerAccount: LedgerAccount
  currency: Currency
  amount: Amount
  /** When a credit becomes available: at a fixed moment, or a time after it is written; without either at once. */
  availableAt?: Date
  availableAfterMs?: number
  /** Whether a debit may also take pending money. */
  drawsPending?: boolean
  /** Whether the account owes what its balance cannot bear; otherwise the debit is refused. */
  mayOwe?: boolean
}

/**
 * What is being posted. A kind and source are posted once, which the database enforces too. `about` is the id of the
 * resource that the merchant knows, where that is not the source.
 */
export type Movement = { kind: MovementKind; sourceId: string; about?: string; owner: Tenant; postings: Posting[] }

/** The ledger accounts whose balance may never fall below zero. The rails' balance is a debit by nature. */
const guarded: readonly LedgerAccount[] = ['merchant', 'buyer', 'fees', 'reserved']

/**
 * Posts a movement with the moment at which it is written: `at`, or later where the step runs late, so that past
 * balances never change. Credits are only appended, so a busy account has no hot row. A debit of a guarded ledger
 * account locks its balance, rolls up what has become available, and is refused when the balance is too low: with
 * `INSUFFICIENT_BALANCE` for the merchant's account, otherwise with `CONFLICT`. What an account owes is repaid before
 * anything else is taken from its balance (decision 0041).
 */
export async function post(em: EntityManager, movement: Movement, at: number): Promise<void> {
  for (const currency of new Set(movement.postings.map((posting) => posting.currency))) {
    const sum = movement.postings
      .filter((posting) => posting.currency === currency)
      .reduce((total, posting) => total.plus(posting.amount), new Big(0))
    if (!sum.eq(0)) throw new Error(`postings of ${movement.kind} ${movement.sourceId} do not add up`)
  }
  const moment = await writtenAt(em, at)
  const createdAt = new Date(moment)
  const { id: transactionId } = em.create(LedgerTransaction, {
    id: newId('txn', moment),
    kind: movement.kind,
    sourceId: movement.sourceId,
    createdAt,
  })
  const { accountId, environment } = movement.owner
  const own: OwnLine[] = []
  for (const posting of movement.postings.filter((line) => !isZero(line.amount))) {
    const { ledgerAccount, currency, amount, availableAfterMs = 0 } = posting
    const availableAt = posting.availableAt ?? new Date(moment + availableAfterMs)
    const isDebit = isLess(amount, '0') && guarded.includes(ledgerAccount)
    const lines = isDebit
      ? await takeFromBalance(em, movement.owner, posting, moment)
      : [{ ledgerAccount, amount, availableAt, rolledUp: false }]
    for (const line of lines) {
      em.create(LedgerEntry, {
        ...line,
        accountId,
        environment,
        transactionId,
        currency,
        createdAt,
      })
      if (line.ledgerAccount === 'merchant' || line.ledgerAccount === 'owed') own.push({ ...line, currency })
    }
  }
  recordBalanceTransactions(em, movement, transactionId, own, createdAt)
}

type OwnLine = Line & { currency: Currency }

/** Records the balance transactions of a movement: what it changes in the merchant's balance, per currency. */
function recordBalanceTransactions(
  em: EntityManager,
  movement: Movement,
  ledgerTransactionId: string,
  own: OwnLine[],
  at: Date,
) {
  const { kind, sourceId, about = sourceId } = movement
  const { accountId, environment } = movement.owner
  for (const [index, currency] of [...new Set(own.map((line) => line.currency))].entries()) {
    const lines = own.filter((line) => line.currency === currency)
    const amount = lines.reduce((total, line) => add(total, line.amount), '0')
    if (isZero(amount)) continue
    const type = balanceTransactionTypeOf[kind]
    if (!type) throw new Error(`${kind} is nothing that changes a merchant's balance`)
    em.create(BalanceTransaction, {
      accountId,
      environment,
      ledgerTransactionId,
      type,
      currency,
      amount,
      sourceId: about,
      createdAt: at,
      id: index === 0 ? ledgerTransactionId : newId('txn', at.getTime()),
      availableAt: new Date(Math.max(...lines.map((line) => line.availableAt.getTime()))),
    })
  }
}

async function takeFromBalance(em: EntityManager, owner: Tenant, posting: Posting, at: number): Promise<Line[]> {
  const { ledgerAccount, currency } = posting
  // Reserved money is available at once, also where the clock of the process that ends the reservation is behind the
  // one that began it.
  const drawsPending = posting.drawsPending || ledgerAccount === 'reserved'
  const key: Key = [owner.accountId, owner.environment, ledgerAccount, currency]
  const wanted = negate(posting.amount)
  await lockBalance(em, key)
  const owed = ledgerAccount === 'merchant' ? await repayOwed(em, owner, currency, at) : '0'
  const lines = await takeUpTo(em, key, wanted, at, drawsPending)
  const missing = lines.reduce((left, { amount }) => add(left, amount), wanted)
  if (isZero(missing)) return lines
  if (posting.mayOwe) return [...lines, await owe(em, owner, currency, missing, at)]
  if (ledgerAccount !== 'merchant') throw new Refusal('CONFLICT', `the ${ledgerAccount} balance is too low`)
  const shown = (amount: Amount) => `${format(amount, currency)} ${currency}`
  if (!isZero(owed)) {
    const entry = {
      field: 'amount',
      message: 'is more than the balance',
      type: 'value_error.range',
      code: 'balance_owed',
    }
    throw new Refusal('INSUFFICIENT_BALANCE', `the account owes ${shown(owed)}: what arrives repays it first`, [entry])
  }
  const which = posting.drawsPending ? 'available and pending' : 'available'
  const [there, needed] = [shown(subtract(wanted, missing)), shown(wanted)]
  throw new Refusal('INSUFFICIENT_BALANCE', `the balance is too low: ${there} ${which}, ${needed} needed`)
}

/**
 * The postings that release reserved money: each part becomes available again at the same moment as the part that was
 * taken. What the account owed for it is a credit too, which repays what it still owes.
 */
export async function releasePostings(em: EntityManager, hold: MovementKind, sourceId: string): Promise<Posting[]> {
  const { id: transactionId } = await em.findOneOrFail(LedgerTransaction, { kind: hold, sourceId })
  const entries = await em.find(LedgerEntry, { transactionId })
  return entries.map(({ ledgerAccount, currency, amount, availableAt }) => ({
    ledgerAccount: ledgerAccount === 'owed' ? ('merchant' as const) : ledgerAccount,
    availableAt,
    currency,
    amount: negate(amount),
  }))
}

/**
 * Which of a payment's deposits are posted, by the rail's ids. A worker from before 2026-11-23 may still have posted
 * one under the rail's bare id; of those only the owner's own count.
 */
export async function postedDeposits(
  em: EntityManager,
  { id, accountId, environment }: Tenant & { id: string },
  depositIds: string[],
): Promise<Set<string>> {
  const names = [...depositIds, ...depositIds.map((depositId) => depositSource(id, depositId))]
  const found = await em.find(LedgerTransaction, { kind: 'deposit', sourceId: { $in: names } })
  const own = await em.find(LedgerEntry, {
    transactionId: { $in: found.map((transaction) => transaction.id) },
    accountId,
    environment,
  })
  const isOwn = (transaction: LedgerTransaction) => own.some(({ transactionId }) => transactionId === transaction.id)
  const posted = new Set(found.filter(isOwn).map(({ sourceId }) => sourceId))
  return new Set(depositIds.filter((known) => posted.has(known) || posted.has(depositSource(id, known))))
}

/**
 * What is available to an account once it has repaid what it owes. Its balance stays locked against other debits until
 * the transaction ends.
 */
export async function lockAvailable(em: EntityManager, owner: Tenant, currency: Currency, at: number): Promise<Amount> {
  await lockBalance(em, [owner.accountId, owner.environment, 'merchant', currency])
  const own = await readBalance(em, owner, 'merchant', currency, at)
  const { available: debt } = await readBalance(em, owner, 'owed', currency, at)
  return afterRepaying({ ...own, owed: negate(debt) }).available
}

/** A ledger account’s balance: what is available at `at`, and what is pending. What is owed is a negative balance. */
export async function readBalance(
  em: EntityManager,
  owner: Tenant,
  ledgerAccount: LedgerAccount,
  currency: Currency,
  at: number,
) {
  const found = (await readBalances(em, owner, [ledgerAccount], at, 'now')).find(
    (balance) => balance.currency === currency,
  )
  return { available: found?.available ?? '0', pending: found?.pending ?? '0' }
}
