import Big from 'big.js'
import type { Currency } from '../../domain/currency.ts'
import { hourMs } from '../../domain/duration.ts'
import type { Amount } from '../../domain/money.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import type { LedgerAccount } from '../ledger/tables.ts'

const spanMs = hourMs / 6

/**
 * The balance of a ledger account in one currency: what is available, and what becomes available later. Without
 * trailing zeros.
 */
export type Balance = { ledgerAccount: LedgerAccount; currency: Currency; available: Amount; pending: Amount }

/**
 * The balances of ledger accounts in each of their currencies at `at`, in ms since the epoch. `asOf` `now` counts all
 * entries; `then` counts only those made up to `at`. Complete hours and complete spans of ten minutes are read from
 * sums, so the query reads the entries of ten to twenty minutes, however long the ledger is.
 */
export async function readBalances(
  em: EntityManager,
  { accountId, environment }: Tenant,
  ledgerAccounts: readonly LedgerAccount[],
  at: number,
  asOf: 'now' | 'then',
): Promise<Balance[]> {
  const [hour, nextHour] = spanAround(at, hourMs)
  const [span, nextSpan] = spanAround(at, spanMs)
  const [hoursEnd, spansEnd] = asOf === 'then' ? [hour, span] : ['infinity', 'infinity']
  const mine = `account_id = ? and environment = ? and book in (${ledgerAccounts.map(() => '?').join(', ')})`
  const owned = [accountId, environment, ...ledgerAccounts]
  const rows = await em.execute<{ ledgerAccount: LedgerAccount; currency: Currency; total: Amount; pending: Amount }[]>(
    balancesQuery(mine),
    [
      ...owned,
      hoursEnd,
      ...owned,
      hoursEnd,
      spansEnd,
      hour,
      accountId,
      environment,
      span,
      nextHour,
      hour,
      span,
      new Date(at),
      ...owned,
      spansEnd,
      new Date(at),
      span,
      accountId,
      environment,
      new Date(at),
      nextSpan,
    ],
  )
  return rows.map(({ ledgerAccount, currency, total, pending }) => ({
    ledgerAccount,
    currency,
    pending: new Big(pending).toFixed(),
    available: new Big(total).minus(pending).toFixed(),
  }))
}

/**
 * Adds up the sums of hours, the sums of ten minutes within an hour that is not over or not yet available, and the
 * entries within such ten minutes.
 */
const balancesQuery = (mine: string): string => `
  with hours as (
    select * from ledger_sums where ${mine} and minutes = 60 and created_from < ?::timestamptz
  ), spans as (
    select book, created_from, matures_from, currency, amount, amount as pending from ledger_sums
    where ${mine} and minutes = 10 and created_from >= ?::timestamptz and created_from < ?::timestamptz
    union all
    select s.book, s.created_from, s.matures_from, s.currency, 0, s.amount
    from (select distinct book, created_from from hours where matures_from = ?) h join ledger_sums s
      on s.account_id = ? and s.environment = ? and s.book = h.book and s.minutes = 10
      and s.created_from >= h.created_from and s.created_from < h.created_from + interval '1 hour'
      and s.matures_from >= ? and s.matures_from < ?
  ), parts as (
    select book, currency, amount, case when matures_from > ? then amount else 0 end as pending from hours
    union all
    select book, currency, amount, case when matures_from > ? then pending else 0 end from spans
    union all
    select book, currency, amount, case when available_at > ? then amount else 0 end
    from ledger_entries where ${mine} and created_at >= ?::timestamptz and created_at <= ?
    union all
    select e.book, e.currency, 0, e.amount
    from (select distinct book, created_from from spans where matures_from = ?) s join ledger_entries e
      on e.account_id = ? and e.environment = ? and e.book = s.book and e.created_at >= s.created_from
      and e.created_at < s.created_from + interval '10 minutes' and e.available_at > ? and e.available_at < ?
  )
  select book as "ledgerAccount", currency, sum(amount) as total, sum(pending) as pending from parts
  group by book, currency order by currency, book`

/** The begin of the span that contains a moment, and the begin of the next span. */
function spanAround(at: number, lengthMs: number): [begin: Date, next: Date] {
  const begin = Math.floor(at / lengthMs) * lengthMs
  return [new Date(begin), new Date(begin + lengthMs)]
}
