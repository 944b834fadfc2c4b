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

/** One line of a transaction: credits are positive, debits negative, in the currency's units. */
export type Posting = {
  ledgerAccount: LedgerAccount
  currency: Currency
  amount: Amount
  /** When a credit can be used: a fixed moment, or so long after it is written; without either at once. */
  availableAt?: Date
  availableAfterMs?: number
  /** Whether a debit may also take what is not available yet. */
  drawsPending?: boolean
}

/**
 * What is being posted; a kind and source are posted once, which the database holds too. `about` is the resource that
 * the merchant knows it by, where that is not the source.
 */
export type Movement = { kind: MovementKind; sourceId: string; about?: string; owner: Tenant; postings: Posting[] }

/** The ledger accounts whose balance may never fall below zero; the rails' own balance is a debit by nature. */
const guarded: readonly LedgerAccount[] = ['merchant', 'buyer', 'fees', 'reserved']

/**
 * Posts a movement, at the moment at which it is written: `at`, or later where the step comes late, so that balances of
 * the past stay as they were. Credits only append, so a busy account has no hot row. A debit of a guarded ledger
 * account locks its balance, rolls up what has become available and is refused when too little is there: with
 * `INSUFFICIENT_BALANCE` where it is the merchant's, else with `CONFLICT`.
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

/** What the movement changes in the merchant's ledger account, per currency: what the merchant reads of it. */
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

/** A part of a debit: of what is available, which its balance has taken in, or of what becomes available then. */
type Line = { amount: Amount; availableAt: Date; rolledUp: boolean }

async function takeFromBalance(em: EntityManager, owner: Tenant, posting: Posting, at: number): Promise<Line[]> {
  const { ledgerAccount, currency } = posting
  // What is held back is there at once, also where the clock of whoever ends the hold is behind that of its begin.
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

/** Keeps every other debit of a balance out until the transaction ends. */
async function lockBalance(em: EntityManager, key: string[]): Promise<void> {
  await em.execute(
    `insert into ledger_balances as b (account_id, environment, book, currency) values (?, ?, ?, ?)
     on conflict (account_id, environment, book, currency) do update set amount = b.amount`,
    key,
  )
  await em.flush() // credits of this very transaction count too
}

/** Locks a balance and takes what is wanted of it, or all there is; answers how much that was. */
async function takeAvailable(em: EntityManager, key: string[], wanted: Amount, at: number): Promise<Amount> {
  await lockBalance(em, key)
  for (let taken: Amount = '0'; ;) {
    const more = await rollUpAndTake(em, key, subtract(wanted, taken), at)
    taken = add(taken, more.taken)
    if (!more.isMore || !isLess(taken, wanted)) return taken
  }
}

/**
 * So many at a time: a ledger account that nothing was taken from for long has more entries than one statement can roll
 * up.
 */
const rolledUpMax = 5_000

/**
 * Rolls up what became available first and takes from it. Entries that become available at one moment are rolled up
 * together, because a debit of pending money becomes available with the credit that it takes from.
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
 * Debits of what is not available yet, of what becomes available first: each becomes available with the credits that it
 * takes from, so that a balance is never less than nothing at any time. The caller holds the balance's lock.
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

/** What undoes a hold: each part goes back as available as it was taken. */
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
 * Which of a payment's deposits are posted, by the rail's ids. A worker of before 2026-11-23 may still have posted one
 * under the rail's bare id; of those only the owner's own count.
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

/** What a debit that draws on pending money may take at most; until the transaction ends it can only become more. */
export async function lockTotal(em: EntityManager, owner: Tenant, currency: Currency, at: number): Promise<Amount> {
  await lockBalance(em, [owner.accountId, owner.environment, 'merchant', currency])
  const { available, pending } = await readBalance(em, owner, 'merchant', currency, at)
  return add(available, pending)
}

/** What is available to an account, out of the reach of every other debit until the transaction ends. */
export async function lockAvailable(em: EntityManager, owner: Tenant, currency: Currency, at: number): Promise<Amount> {
  await lockBalance(em, [owner.accountId, owner.environment, 'merchant', currency])
  return (await readBalance(em, owner, 'merchant', currency, at)).available
}

/** A ledger account’s balance: what may be used at `at`, and what becomes available later. */
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
