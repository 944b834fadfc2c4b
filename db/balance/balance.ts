import Big from 'big.js'
import type { Currency } from '../../domain/currency.ts'
import { minuteMs } from '../../domain/duration.ts'
import type { Amount } from '../../domain/money.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import type { LedgerAccount } from '../ledger/tables.ts'

/**
 * The balance of a ledger account in one currency: what is available, and what becomes available later. Without
 * trailing zeros.
 */
export type Balance = { ledgerAccount: LedgerAccount; currency: Currency; available: Amount; pending: Amount }

/**
 * The balances of ledger accounts in each of their currencies at `at`, in ms since the epoch. `asOf` `now` counts all
 * entries; `then` counts only those made up to `at`. Complete days, hours and spans of ten minutes are read from sums,
 * so the query reads the entries of ten to twenty minutes, however long the ledger is.
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

/** The lengths of the spans whose entries are added up, in minutes: each is divided into whole ones of the next. */
const shortest = 10
const levels = [1440, 60, shortest]

/** The span of a length around a moment, and where the spans end of which all is counted. */
const levelAt = (minutes: number, at: number, asOf: 'now' | 'then') => {
  const [begin, next] = spanAround(at, minutes * minuteMs)
  return { begin, next, end: asOf === 'then' ? begin : 'infinity' }
}

/** The values of `balancesQuery`. `account`: its id, where the query has a parameter for it. */
function balancesValues(
  account: readonly string[],
  environment: Tenant['environment'],
  ledgerAccounts: readonly LedgerAccount[],
  at: number,
  asOf: 'now' | 'then',
) {
  const moment = new Date(at)
  const inEnvironment = [...account, environment]
  const owned = [...inEnvironment, ...ledgerAccounts]
  const steps = levels.map((minutes) => levelAt(minutes, at, asOf))
  const sums = steps.flatMap(({ begin, end }, index) => {
    const longer = steps[index - 1]
    return longer ? [...owned, end, longer.end, longer.begin, ...inEnvironment, begin, longer.next] : [...owned, end]
  })
  const { begin: span, next: nextSpan, end: spansEnd } = levelAt(shortest, at, asOf)
  const ofEntries = [...owned, spansEnd, moment, span, ...inEnvironment, moment, nextSpan]
  return [...sums, ...steps.map(({ begin }) => begin), moment, ...ofEntries]
}

/**
 * Adds up the sums of days, and the sums of shorter spans within a day, then an hour, that is not over or in which
 * something becomes available; then the entries within such ten minutes. `account` is the account's id in the query: a
 * parameter, or a column.
 */
function balancesQuery(account: string, ledgerAccounts: readonly LedgerAccount[]): string {
  const mine = `account_id = ${account} and environment = ? and book in (${ledgerAccounts.map(() => '?').join(', ')})`
  const nameOf = (minutes: number) => `of_${minutes}_minutes`
  // `amount` is counted here, `pending` as long as it is not available: of a longer span that is divided, no amount.
  const sums = levels.map((minutes, index) => {
    const longer = levels[index - 1]
    const whole = `select book, created_from, matures_from, currency, amount, amount as pending from ledger_sums
    where ${mine} and minutes = ${minutes} and created_from < ?::timestamptz`
    const divided = `select s.book, s.created_from, s.matures_from, s.currency, 0, s.amount
    from (select distinct book, created_from from ${nameOf(longer ?? 0)} where matures_from = ?) l join ledger_sums s
      on s.account_id = ${account} and s.environment = ? and s.book = l.book and s.minutes = ${minutes}
      and s.created_from >= l.created_from and s.created_from < l.created_from + interval '${longer} minutes'
      and s.matures_from >= ? and s.matures_from < ?`
    const all = longer ? `${whole} and created_from >= ?::timestamptz union all ${divided}` : whole
    return `${nameOf(minutes)} as (${all})`
  })
  const pending = 'case when matures_from > ? then pending else 0 end as pending'
  const parts = levels.map((minutes) => `select book, currency, amount, ${pending} from ${nameOf(minutes)}`)
  return `
  with ${sums.join(', ')}, parts as (
    ${parts.join(' union all ')}
    union all
    select book, currency, amount, case when available_at > ? then amount else 0 end
    from ledger_entries where ${mine} and created_at >= ?::timestamptz and created_at <= ?
    union all
    select e.book, e.currency, 0, e.amount
    from (select distinct book, created_from from ${nameOf(shortest)} where matures_from = ?) s join ledger_entries e
      on e.account_id = ${account} and e.environment = ? and e.book = s.book and e.created_at >= s.created_from
      and e.created_at < s.created_from + interval '${shortest} minutes' and e.available_at > ? and e.available_at < ?
  )
  select book as "ledgerAccount", currency, sum(amount) as total, sum(pending) as pending from parts
  group by book, currency order by currency, book`
}

/** The begin of the span that contains a moment, and the begin of the next span. */
function spanAround(at: number, lengthMs: number): [begin: Date, next: Date] {
  const begin = Math.floor(at / lengthMs) * lengthMs
  return [new Date(begin), new Date(begin + lengthMs)]
}
