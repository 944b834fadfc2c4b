import Big from 'big.js'
import type { Currency } from '../../domain/currency.ts'
import { minuteMs } from '../../domain/duration.ts'
import type { Amount } from '../../domain/money.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { runPrepared } from '../core/prepared-statement.ts'
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
  const values = balancesValues(environment, ledgerAccounts, at, asOf)
  const rows = await runPrepared<Row>(em, balancesOfOne, [...values, accountId])
  return rows.map(toBalance)
}

/**
 * Selects the ids of accounts as `id`, and as `on_clock` whether each goes by a test clock. `select` gets the names of
 * the parameters for its values, such as `$13`.
 */
type Accounts = { select(names: readonly string[]): string; values: readonly string[] }

type BalanceOfOne = Balance & { accountId: string; isOnClock: boolean }

/** The balances of ledger accounts of several accounts now, as `readBalances` reads those of one, by one statement. */
export async function readBalancesOfMany(
  em: EntityManager,
  accounts: Accounts,
  environment: Tenant['environment'],
  ledgerAccounts: readonly LedgerAccount[],
  at: number,
): Promise<BalanceOfOne[]> {
  const values = balancesValues(environment, ledgerAccounts, at, 'now')
  const names = accounts.values.map((_, index) => `$${furtherFrom + index}`)
  const rows = await runPrepared<Row & Pick<BalanceOfOne, 'accountId' | 'isOnClock'>>(
    em,
    `select owner.id as "accountId", owner.on_clock as "isOnClock", balance.* from (${accounts.select(names)}) owner
     cross join lateral (${balancesOfOwner}) balance`,
    [...values, ...accounts.values],
  )
  return rows.map((row) => ({ ...toBalance(row), accountId: row.accountId, isOnClock: row.isOnClock }))
}

type Row = { ledgerAccount: LedgerAccount; currency: Currency; total: Amount; pending: Amount }

const toBalance = ({ ledgerAccount, currency, total, pending }: Row): Balance => ({
  ledgerAccount,
  currency,
  pending: new Big(pending).toFixed(),
  available: new Big(total).minus(pending).toFixed(),
})

/** The lengths of the spans whose entries are added up, in minutes: each is divided into whole ones of the next. */
const levels = [1440, 60, 10] as const
type Minutes = (typeof levels)[number]

/** The values of `balancesQuery`, in the order of its parameters. */
function balancesValues(
  environment: Tenant['environment'],
  ledgerAccounts: readonly LedgerAccount[],
  at: number,
  asOf: 'now' | 'then',
): unknown[] {
  const spans = levels.flatMap((minutes) => {
    const [begin, next] = spanAround(at, minutes * minuteMs)
    return [begin, next, asOf === 'then' ? begin : 'infinity']
  })
  return [environment, ledgerAccounts, new Date(at), ...spans]
}

const [environmentOf, booksOf, moment] = ['$1', '$2', '$3']

/**
 * The parameters for a length: the begin of the span around the moment, the begin of the next one, and where the spans
 * end of which all is counted.
 */
const spanOf = (minutes: Minutes) => {
  const first = 4 + 3 * levels.indexOf(minutes)
  return { begin: `$${first}`, next: `$${first + 1}`, end: `$${first + 2}` }
}

/** The first parameter after those of `balancesQuery`. */
const furtherFrom = 4 + 3 * levels.length

const nameOf = (minutes: Minutes) => `of_${minutes}_minutes`

/**
 * Adds up the sums of days, and the sums of shorter spans within a day, then an hour, that is not over or in which
 * something becomes available; then the entries within such ten minutes. `account` is the account's id in the query: a
 * parameter, or a column.
 */
function balancesQuery(account: string): string {
  const { begin, next, end } = spanOf(10)
  const sums = levels.map((minutes, index) => `${nameOf(minutes)} as (${sumsOf(account, minutes, levels[index - 1])})`)
  const parts = levels.map(
    (minutes) => `select book, currency, amount,
      case when matures_from > ${spanOf(minutes).begin} then pending else 0 end as pending from ${nameOf(minutes)}`,
  )
  return `
  with ${sums.join(', ')}, parts as (
    ${parts.join(' union all ')}
    union all
    select book, currency, amount, case when available_at > ${moment} then amount else 0 end
    from ledger_entries
    where ${ofAccount(account)} and created_at >= ${end}::timestamptz and created_at <= ${moment}
    union all
    select e.book, e.currency, 0, e.amount
    from (select distinct book, created_from from ${nameOf(10)} where matures_from = ${begin}) s
    join ledger_entries e on e.account_id = ${account} and e.environment = ${environmentOf} and e.book = s.book
      and e.created_at >= s.created_from and e.created_at < s.created_from + interval '10 minutes'
      and e.available_at > ${moment} and e.available_at < ${next}
  )
  select book as "ledgerAccount", currency, sum(amount) as total, sum(pending) as pending from parts
  group by book, currency order by currency, book`
}

const ofAccount = (account: string) =>
  `account_id = ${account} and environment = ${environmentOf} and book = any(${booksOf})`

/**
 * The sums of one length. `amount` is counted here, `pending` as long as it is not available: of a span of the next
 * `longer` length that is divided, no amount.
 */
function sumsOf(account: string, minutes: Minutes, longer: Minutes | undefined): string {
  const { begin, end } = spanOf(minutes)
  const whole = `select book, created_from, matures_from, currency, amount, amount as pending from ledger_sums
    where ${ofAccount(account)} and minutes = ${minutes} and created_from < ${end}::timestamptz`
  if (!longer) return whole
  const divided = spanOf(longer)
  return `${whole} and created_from >= ${divided.end}::timestamptz
    union all
    select s.book, s.created_from, s.matures_from, s.currency, 0, s.amount
    from (select distinct book, created_from from ${nameOf(longer)} where matures_from = ${divided.begin}) l
    join ledger_sums s on s.account_id = ${account} and s.environment = ${environmentOf} and s.book = l.book
      and s.minutes = ${minutes} and s.created_from >= l.created_from
      and s.created_from < l.created_from + interval '${longer} minutes'
      and s.matures_from >= ${begin} and s.matures_from < ${divided.next}`
}

/** The statements of which each connection keeps a plan; their texts are long, so they are built once. */
const balancesOfOne = balancesQuery(`$${furtherFrom}`)
const balancesOfOwner = balancesQuery('owner.id')

/** The begin of the span that contains a moment, and the begin of the next span. */
function spanAround(at: number, lengthMs: number): [begin: Date, next: Date] {
  const begin = Math.floor(at / lengthMs) * lengthMs
  return [new Date(begin), new Date(begin + lengthMs)]
}
