import Big from 'big.js'
import type { Currency } from '../domain/currency.ts'
import type { Amount } from '../domain/money.ts'
import type { Tenant } from './columns.ts'
import type { EntityManager } from './database.ts'
import type { Book } from './ledger-tables.ts'

const hourMs = 3_600_000

/** What a book holds of a currency: what may be used, and what becomes available later. Without trailing zeros. */
export type Balance = { book: Book; currency: Currency; available: Amount; pending: Amount }

/**
 * The balances of books in every currency that they have entries in, at `at`, in ms since the epoch. `asOf` `now`
 * counts all entries that there are; `then` only those made up to `at`. Whole hours are read from their sums, so it
 * costs the entries of an hour or two, however long the books are.
 */
export async function readBalances(
  em: EntityManager,
  { accountId, environment }: Tenant,
  books: readonly Book[],
  at: number,
  asOf: 'now' | 'then',
): Promise<Balance[]> {
  const hour = new Date(Math.floor(at / hourMs) * hourMs)
  const summedBefore = asOf === 'then' ? hour : 'infinity'
  const mine = `account_id = ? and environment = ? and book in (${books.map(() => '?').join(', ')})`
  const owned = [accountId, environment, ...books]
  const rows = await em.execute<{ book: Book; currency: Currency; total: Amount; pending: Amount }[]>(
    `with maturing as (
       select distinct book, created_hour from ledger_sums
       where ${mine} and matures_hour = ? and created_hour < ?::timestamptz
     ), parts as (
       select book, currency, amount, case when matures_hour > ? then amount else 0 end as pending
       from ledger_sums where ${mine} and created_hour < ?::timestamptz
       union all
       select book, currency, amount, case when available_at > ? then amount else 0 end
       from ledger_entries where ${mine} and created_at >= ?::timestamptz and created_at <= ?
       union all
       select m.book, e.currency, 0, e.amount from maturing m join ledger_entries e
         on e.account_id = ? and e.environment = ? and e.book = m.book and e.created_at >= m.created_hour
         and e.created_at < m.created_hour + interval '1 hour' and e.available_at > ? and e.available_at < ?
     )
     select book, currency, sum(amount) as total, sum(pending) as pending from parts group by book, currency
     order by currency, book`,
    [
      ...[...owned, hour, summedBefore],
      ...[hour, ...owned, summedBefore],
      ...[new Date(at), ...owned, summedBefore, new Date(at)],
      ...[accountId, environment, new Date(at), new Date(hour.getTime() + hourMs)],
    ],
  )
  return rows.map(({ book, currency, total, pending }) => ({
    ...{ book, currency, pending: new Big(pending).toFixed() },
    available: new Big(total).minus(pending).toFixed(),
  }))
}
