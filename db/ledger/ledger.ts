import Big from 'big.js'
import type { Currency } from '../../domain/currency.ts'
import { depositSource } from '../../domain/checkout/deposit.ts'
import { newId } from '../../domain/id.ts'
import { add, type Amount, format, isLess, isZero, negate, subtract } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { readBalances } from '../balance/balance.ts'
import { BalanceTransaction, balanceTransactionTypeOf } from '../balance/transaction.ts'
import type { Tenant } from '../core/columns.ts'
import { type EntityManager, writtenAt } from '../core/database.ts'
import { type LedgerAccount, LedgerEntry, LedgerTransaction, type MovementKind } from './tables.ts'

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
 * `INSUFFICIENT_BALANCE` for the merchant's account, otherwise with `CONFLICT`.
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
      : [{ amount, availableAt, rolledUp: false }]
    for (const line of lines) {
      em.create(LedgerEntry, {
        ...line,
        accountId,
        environment,
        transactionId,
        ledgerAccount,
        currency,
        createdAt,
      })
      if (ledgerAccount === 'merchant') own.push({ ...line, currency })
    }
  }
  recordBalanceTransactions(em, movement, transactionId, own, createdAt)
}

type OwnLine = Line & { currency: Currency }

/** Records the balance transactions of a movement: what it changes in the merchant's ledger account, per currency. */
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

/**
 * A part of a debit. It takes rolled-up money, which is available, or pending money that becomes available at
 * `availableAt`.
 */
type Line = { amount: Amount; availableAt: Date; rolledUp: boolean }

async function takeFromBalance(em: EntityManager, owner: Tenant, posting: Posting, at: number): Promise<Line[]> {
  const { ledgerAccount, currency } = posting
  // Reserved money is available at once, also where the clock of the process that ends the reservation is behind the
  // one that began it.
  const drawsPending = posting.drawsPending || ledgerAccount === 'reserved'
  const key = [owner.accountId, owner.environment, ledgerAccount, currency]
  const wanted = negate(posting.amount)
  const available = await takeAvailable(em, key, wanted, at)
  const rest = subtract(wanted, available)
  const lines: Line[] = [{ amount: negate(available), availableAt: new Date(at), rolledUp: true }]
  if (drawsPending && !isZero(rest)) lines.push(...(await pendingLines(em, key, rest, at)))
  const missing = lines.reduce((left, { amount }) => add(left, amount), wanted)
  if (isZero(missing)) return lines.filter(({ amount }) => !isZero(amount))
  if (ledgerAccount !== 'merchant') throw new Refusal('CONFLICT', `the ${ledgerAccount} balance is too low`)
  const which = posting.drawsPending ? 'available and pending' : 'available'
  const [there, needed] = [subtract(wanted, missing), wanted].map((amount) => `${format(amount, currency)} ${currency}`)
  throw new Refusal('INSUFFICIENT_BALANCE', `the balance is too low: ${there} ${which}, ${needed} needed`)
}

/** Locks a balance against other debits until the transaction ends. */
async function lockBalance(em: EntityManager, key: string[]): Promise<void> {
  await em.execute(
    `insert into ledger_balances as b (account_id, environment, book, currency) values (?, ?, ?, ?)
     on conflict (account_id, environment, book, currency) do update set amount = b.amount`,
    key,
  )
  await em.flush() // so that credits of this transaction count too
}

/** Locks a balance and takes the wanted amount from it, or all there is. Returns how much it took. */
async function takeAvailable(em: EntityManager, key: string[], wanted: Amount, at: number): Promise<Amount> {
  await lockBalance(em, key)
  for (let taken: Amount = '0'; ;) {
    const more = await rollUpAndTake(em, key, subtract(wanted, taken), at)
    taken = add(taken, more.taken)
    if (!more.isMore || !isLess(taken, wanted)) return taken
  }
}

/**
 * Entries rolled up by one statement. A ledger account without debits for a long time has more entries than one
 * statement can roll up.
 */
const rolledUpMax = 5_000

/**
 * Rolls up the entries that became available earliest, and takes from them. Entries that become available at one moment
 * are rolled up together, because a debit of pending money becomes available with the credit that it takes from.
 */
async function rollUpAndTake(em: EntityManager, key: string[], wanted: Amount, at: number) {
  const mine = 'account_id = ? and environment = ? and book = ? and currency = ?'
  const [row] = await em.execute<{ taken: Amount; isMore: boolean }[]>(
    `with far as (
       select available_at from ledger_entries where ${mine} and not folded and available_at <= ?
       order by available_at offset ${rolledUpMax - 1} limit 1
     ), due as (
       update ledger_entries set folded = true
       where ${mine} and not folded and available_at <= coalesce((select available_at from far), ?::timestamptz)
       returning amount
     ), total as (
       select amount + coalesce((select sum(amount) from due), 0) as amount from ledger_balances where ${mine}
     ), taken as (
       update ledger_balances b set amount = total.amount - least(total.amount, ?::numeric) from total where ${mine}
       returning least(total.amount, ?::numeric) as amount
     ) select amount as taken, exists (select from far) as "isMore" from taken`,
    [...key, new Date(at), ...key, new Date(at), ...key, wanted, ...key, wanted],
  )
  return row ?? { taken: '0', isMore: false }
}

/**
 * The debit lines for pending money, starting with what becomes available first. Each line becomes available with the
 * credits that it takes from, so that a balance is never below zero at any time. The caller holds the balance's lock.
 */
async function pendingLines(em: EntityManager, key: string[], wanted: Amount, at: number): Promise<Line[]> {
  const rows = await em.execute<{ availableAt: string; amount: string }[]>(
    `select available_at as "availableAt", least(amount, ?::numeric - before) as amount from (
       select available_at, sum(amount) as amount, sum(sum(amount)) over (order by available_at) - sum(amount) as before
       from ledger_entries
       where account_id = ? and environment = ? and book = ? and currency = ? and not folded and available_at > ?
       group by available_at) as maturing
     where amount > 0 and before < ?::numeric order by available_at`,
    [wanted, ...key, new Date(at), wanted],
  )
  return rows.map((row) => ({ amount: negate(row.amount), availableAt: new Date(row.availableAt), rolledUp: false }))
}

/**
 * The postings that release reserved money: each part becomes available again at the same moment as the part that was
 * taken.
 */
export async function releasePostings(em: EntityManager, hold: MovementKind, sourceId: string): Promise<Posting[]> {
  const { id: transactionId } = await em.findOneOrFail(LedgerTransaction, { kind: hold, sourceId })
  const entries = await em.find(LedgerEntry, { transactionId })
  return entries.map(({ ledgerAccount, currency, amount, availableAt }) => ({
    ledgerAccount,
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

/** The most that a debit of available and pending money may take. Until the transaction ends this can only grow. */
export async function lockTotal(em: EntityManager, owner: Tenant, currency: Currency, at: number): Promise<Amount> {
  await lockBalance(em, [owner.accountId, owner.environment, 'merchant', currency])
  const { available, pending } = await readBalance(em, owner, 'merchant', currency, at)
  return add(available, pending)
}

/** What is available to an account. Its balance stays locked against other debits until the transaction ends. */
export async function lockAvailable(em: EntityManager, owner: Tenant, currency: Currency, at: number): Promise<Amount> {
  await lockBalance(em, [owner.accountId, owner.environment, 'merchant', currency])
  return (await readBalance(em, owner, 'merchant', currency, at)).available
}

/** A ledger account’s balance: what is available at `at`, and what is pending. */
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
