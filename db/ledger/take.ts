import { add, type Amount, isLess, isZero, negate, subtract } from '../../domain/money.ts'
import type { Currency } from '../../domain/currency.ts'
import type { EntityManager } from '../core/database.ts'
import { runPrepared } from '../core/prepared-statement.ts'
import type { LedgerAccount } from './tables.ts'

/**
 * A part of a debit. It takes rolled-up money, which is available, or pending money that becomes available at
 * `availableAt`.
 */
export type Line = { ledgerAccount: LedgerAccount; amount: Amount; availableAt: Date; rolledUp: boolean }

/** Identifies a balance: its account, environment, ledger account and currency. */
export type Key = [accountId: string, environment: string, ledgerAccount: LedgerAccount, currency: Currency]

/** Locks a balance against other debits until the transaction ends. */
export async function lockBalance(em: EntityManager, key: Key): Promise<void> {
  await runPrepared(
    em,
    `insert into ledger_balances as b (account_id, environment, book, currency) values ($1, $2, $3, $4)
     on conflict (account_id, environment, book, currency) do update set amount = b.amount`,
    key,
  )
  await em.flush() // so that credits of this transaction count too
}

/** The lines of a debit of the wanted amount, or of all there is. The balance is locked. */
export async function takeUpTo(em: EntityManager, key: Key, wanted: Amount, at: number, drawsPending: boolean) {
  const available = await takeAvailable(em, key, wanted, at)
  const rest = subtract(wanted, available)
  const [, , ledgerAccount] = key
  const first: Line = { ledgerAccount, amount: negate(available), availableAt: new Date(at), rolledUp: true }
  const later = drawsPending && !isZero(rest) ? await pendingLines(em, key, rest, at) : []
  return [first, ...later].filter(({ amount }) => !isZero(amount))
}

/** Takes the wanted amount from a locked balance, or all there is. Returns how much it took. */
async function takeAvailable(em: EntityManager, key: Key, wanted: Amount, at: number): Promise<Amount> {
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
async function rollUpAndTake(em: EntityManager, key: Key, wanted: Amount, at: number) {
  const mine = 'account_id = $1 and environment = $2 and book = $3 and currency = $4'
  const [row] = await runPrepared<{ taken: Amount; isMore: boolean }>(
    em,
    `with far as (
       select available_at from ledger_entries where ${mine} and not folded and available_at <= $5
       order by available_at offset ${rolledUpMax - 1} limit 1
     ), due as (
       update ledger_entries set folded = true
       where ${mine} and not folded and available_at <= coalesce((select available_at from far), $5)
       returning amount
     ), total as (
       select amount + coalesce((select sum(amount) from due), 0) as amount from ledger_balances where ${mine}
     ), taken as (
       update ledger_balances b set amount = total.amount - least(total.amount, $6) from total where ${mine}
       returning least(total.amount, $6) as amount
     ) select amount as taken, exists (select from far) as "isMore" from taken`,
    [...key, new Date(at), wanted],
  )
  return row ?? { taken: '0', isMore: false }
}

/**
 * The debit lines for pending money, starting with what becomes available first. Each line becomes available with the
 * credits that it takes from, so that a balance is never below zero at any time. The caller holds the balance's lock.
 */
async function pendingLines(em: EntityManager, key: Key, wanted: Amount, at: number): Promise<Line[]> {
  const rows = await em.execute<{ availableAt: string; amount: string }[]>(
    `select available_at as "availableAt", least(amount, ?::numeric - before) as amount from (
       select available_at, sum(amount) as amount, sum(sum(amount)) over (order by available_at) - sum(amount) as before
       from ledger_entries
       where account_id = ? and environment = ? and book = ? and currency = ? and not folded and available_at > ?
       group by available_at) as maturing
     where amount > 0 and before < ?::numeric order by available_at`,
    [wanted, ...key, new Date(at), wanted],
  )
  const [, , ledgerAccount] = key
  return rows.map((row) => ({
    ledgerAccount,
    amount: negate(row.amount),
    availableAt: new Date(row.availableAt),
    rolledUp: false,
  }))
}
