import { afterRepaying } from '../../domain/balance/owed.ts'
import type { Currency } from '../../domain/currency.ts'
import { add, type Amount, isLess, lesser, negate, subtract } from '../../domain/money.ts'
import { readBalances, readBalancesOfMany } from '../balance/balance.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { runPrepared } from '../core/prepared-statement.ts'
import type { LedgerAccount } from './tables.ts'
import { lockBalance } from './take.ts'

/**
 * An account's money in a currency once it has repaid what it owes, and what it still owes then. Both are read by one
 * query: between two of them the account may repay, and the same money would be deducted twice. All that it owes
 * counts, as a debit repays all of it first: also what it owes since a later time, that of a clock which was deleted.
 */
export async function ownMoney(em: EntityManager, owner: Tenant, currency: Currency, at: number) {
  const balances = await readBalances(em, owner, ['merchant', 'owed'], at, 'now')
  const find = (ledgerAccount: LedgerAccount) =>
    balances.find((balance) => balance.ledgerAccount === ledgerAccount && balance.currency === currency)
  const none = { available: '0', pending: '0' }
  const { available, pending } = find('merchant') ?? none
  const owed = find('owed') ?? none
  return afterRepaying({ available, pending, owed: negate(add(owed.available, owed.pending)) })
}

/**
 * What an account can pay out: what is available once it has repaid what it owes, less what its connected accounts owe.
 * Its balance stays locked against other debits until the transaction ends. Debts are read after money, so that a
 * reversal whose credit is seen is seen with its debt.
 */
export async function lockAvailable(em: EntityManager, owner: Tenant, currency: Currency, at: number): Promise<Amount> {
  await lockBalance(em, [owner.accountId, owner.environment, 'merchant', currency])
  const { available } = await ownMoney(em, owner, currency, at)
  const held = await heldForConnected(em, owner, currency, at)
  return isLess(available, held) ? '0' : subtract(available, held)
}

/**
 * What the connected accounts of a platform owe in a currency: that much of its balance can be neither paid out nor
 * converted (decision 0042). `except` is an account whose debt does not count.
 */
export async function heldForConnected(
  em: EntityManager,
  owner: Tenant,
  currency: Currency,
  at: number,
  except?: string,
): Promise<Amount> {
  const debts = await debtsOfConnected(em, owner, at, currency)
  return debts.filter(({ accountId }) => accountId !== except).reduce((sum, { owed }) => add(sum, owed), '0')
}

type Debt = { accountId: string; currency: Currency; owed: Amount }

/**
 * What each connected account of a platform owes, in one currency or in all, once it has repaid what it can from
 * available money. What it will repay from pending money counts until that is available (decision 0042): nothing
 * becomes available earlier by being sent around. All accounts are read by one statement, because the platform's
 * balance is locked meanwhile. Few accounts have any that owe, and they are told by a statement that costs little.
 *
 * What an account on a test clock owes has the clock's time, and counts at once. In real time only what is owed at `at`
 * counts: the credit of a reversal a moment later does not count either.
 */
export async function debtsOfConnected(
  em: EntityManager,
  { accountId: platformId, environment }: Tenant,
  at: number,
  currency: Currency | null = null,
): Promise<Debt[]> {
  if (!(await areAnyInDebt(em, platformId, environment))) return []
  const inDebt = ([platform, here, inCurrency]: readonly string[]) => `
    select distinct a.id, a.clock_id is not null and b.environment = 'sandbox' as on_clock
    from ledger_balances b join accounts a on a.id = b.account_id
    where b.environment = ${here} and b.book = 'owed' and b.amount > 0 and a.owner_id = ${platform}
      ${inCurrency ? `and b.currency = ${inCurrency}` : ''}`
  const accounts = { select: inDebt, values: [platformId, environment, ...(currency === null ? [] : [currency])] }
  const balances = await readBalancesOfMany(em, accounts, environment, ['merchant', 'owed'], at)
  const keyOf = (balance: { accountId: string; currency: Currency }) => `${balance.accountId} ${balance.currency}`
  const money = balances.filter(({ ledgerAccount }) => ledgerAccount === 'merchant')
  const availableOf = new Map(money.map((balance) => [keyOf(balance), balance.available]))
  return balances
    .filter((balance) => balance.ledgerAccount === 'owed' && (currency === null || balance.currency === currency))
    .map((balance) => {
      const owed = negate(balance.isOnClock ? add(balance.available, balance.pending) : balance.available)
      const repaid = lesser(owed, availableOf.get(keyOf(balance)) ?? '0')
      return { accountId: balance.accountId, currency: balance.currency, owed: subtract(owed, repaid) }
    })
}

/** Whether a connected account of a platform owes anything, in any currency. */
async function areAnyInDebt(em: EntityManager, platformId: string, environment: Tenant['environment']) {
  const [row] = await runPrepared<{ any: boolean }>(
    em,
    `select exists (select from accounts a join ledger_balances b on b.account_id = a.id
       where a.owner_id = $1 and b.environment = $2 and b.book = 'owed' and b.amount > 0) as any`,
    [platformId, environment],
  )
  return row?.any ?? false
}
