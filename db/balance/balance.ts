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
  const values = balancesValues([accountId], environment, ledgerAccounts, at, asOf)
  return (await em.execute<Row[]>(balancesQuery('?', ledgerAccounts), values)).map(toBalance)
}

/** The accounts of a query that selects their ids as `id`, with the values of its parameters. */
type Accounts = { sql: string; values: readonly string[] }

/** The balances of ledger accounts of several accounts now, as `readBalances` reads those of one, by one statement. */
export async function readBalancesOfMany(
  em: EntityManager,
  accounts: Accounts,
  environment: Tenant['environment'],
  ledgerAccounts: readonly LedgerAccount[],
  at: number,
): Promise<(Balance & { accountId: string })[]> {
  const rows = await em.execute<(Row & { accountId: string })[]>(
    `select owner.id as "accountId", balance.* from (${accounts.sql}) owner
     cross join lateral (${balancesQuery('owner.id', ledgerAccounts)}) balance`,
    [...accounts.values, ...balancesValues([], environment, ledgerAccounts, at, 'now')],
  )
  return rows.map((row) => ({ ...toBalance(row), accountId: row.accountId }))
}

type Row = { ledgerAccount: LedgerAccount; currency: Currency; total: Amount; pending: Amount }

const toBalance = ({ ledgerAccount, currency, total, pending }: Row): Balance => ({
  ledgerAccount,
  currency,
  pending: new Big(pending).toFixed(),
  available: new Big(total).minus(pending).toFixed(),
})

/** The values of `balancesQuery`. `account`: its id, where the query has a parameter for it. */
function balancesValues(
  account: readonly string[],
  environment: Tenant['environment'],
  ledgerAccounts: readonly LedgerAccount[],
  at: number,
  asOf: 'now' | 'then',
) {
  const [hour, nextHour] = spanAround(at, hourMs)
  const [span, nextSpan] = spanAround(at, spanMs)
  const [hoursEnd, spansEnd] = asOf === 'then' ? [hour, span] : ['infinity', 'infinity']
  const inEnvironment = [...account, environment]
  const owned = [...inEnvironment, ...ledgerAccounts]
  const moment = new Date(at)
  const ofHours = [...owned, hoursEnd]
  const ofSpans = [...owned, hoursEnd, spansEnd, hour, ...inEnvironment, span, nextHour]
  const ofEntries = [...owned, spansEnd, moment, span, ...inEnvironment, moment, nextSpan]
  return [...ofHours, ...ofSpans, hour, span, moment, ...ofEntries]
}

/**
 * Adds up the sums of hours, the sums of ten minutes within an hour that is not over or not yet available, and the
 * entries within such ten minutes. `account` is the account's id in the query: a parameter, or a column.
 */
function balancesQuery(account: string, ledgerAccounts: readonly LedgerAccount[]): string {
  const mine = `account_id = ${account} and environment = ? and book in (${ledgerAccounts.map(() => '?').join(', ')})`
  return `
  with hours as (
    select * from ledger_sums where ${mine} and minutes = 60 and created_from < ?::timestamptz
  ), spans as (
    select book, created_from, matures_from, currency, amount, amount as pending from ledger_sums
    where ${mine} and minutes = 10 and created_from >= ?::timestamptz and created_from < ?::timestamptz
    union all
    select s.book, s.created_from, s.matures_from, s.currency, 0, s.amount
    from (select distinct book, created_from from hours where matures_from = ?) h join ledger_sums s
      on s.account_id = ${account} and s.environment = ? and s.book = h.book and s.minutes = 10
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
      on e.account_id = ${account} and e.environment = ? and e.book = s.book and e.created_at >= s.created_from
      and e.created_at < s.created_from + interval '10 minutes' and e.available_at > ? and e.available_at < ?
  )
  select book as "ledgerAccount", currency, sum(amount) as total, sum(pending) as pending from parts
  group by book, currency order by currency, book`
}

/** The begin of the span that contains a moment, and the begin of the next span. */
function spanAround(at: number, lengthMs: number): [begin: Date, next: Date] {
  const begin = Math.floor(at / lengthMs) * lengthMs
  return [new Date(begin), new Date(begin + lengthMs)]
}
