import { afterRepaying } from '../../domain/balance/owed.ts'
import type { Currency } from '../../domain/currency.ts'
import { add, type Amount, isLess, negate, subtract } from '../../domain/money.ts'
import { readBalances } from '../balance/balance.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import type { LedgerAccount } from './tables.ts'
import { lockBalance } from './take.ts'

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

/** An account's money in a currency once it has repaid what it owes, and what it still owes then. */
export async function balanceOfLocked(em: EntityManager, owner: Tenant, currency: Currency, at: number) {
  const own = await readBalance(em, owner, 'merchant', currency, at)
  const { available: debt } = await readBalance(em, owner, 'owed', currency, at)
  return afterRepaying({ ...own, owed: negate(debt) })
}

/**
 * What an account can pay out: what is available once it has repaid what it owes, less what its connected accounts owe.
 * Its balance stays locked against other debits until the transaction ends.
 */
export async function lockAvailable(em: EntityManager, owner: Tenant, currency: Currency, at: number): Promise<Amount> {
  await lockBalance(em, [owner.accountId, owner.environment, 'merchant', currency])
  const { available } = await balanceOfLocked(em, owner, currency, at)
  const held = await heldForConnected(em, owner, currency, at)
  return isLess(available, held) ? '0' : subtract(available, held)
}

/**
 * What the connected accounts of a platform owe in a currency: that much of its balance can be neither paid out nor
 * converted (decision 0042). `except` is an account whose debt does not count.
 */
export async function heldForConnected(
  em: EntityManager,
  { accountId, environment }: Tenant,
  currency: Currency,
  at: number,
  except = '',
): Promise<Amount> {
  const owing = await em.execute<{ id: string }[]>(
    `select a.id from ledger_balances b join accounts a on a.id = b.account_id
     where b.environment = ? and b.currency = ? and b.book = 'owed' and b.amount > 0 and a.owner_id = ? and a.id <> ?`,
    [environment, currency, accountId, except],
  )
  let held: Amount = '0'
  for (const { id } of owing) {
    held = add(held, (await balanceOfLocked(em, { accountId: id, environment }, currency, at)).owed)
  }
  return held
}
