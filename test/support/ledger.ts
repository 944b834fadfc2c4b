import { readBalances } from '../../db/balance/balance.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { post, releasePostings } from '../../db/ledger/ledger.ts'
import type { LedgerAccount } from '../../db/ledger/tables.ts'
import type { Currency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { negate } from '../../domain/money.ts'
import type { Stack } from './stack.ts'

type Held = { currency: Currency; amount: string; mayOwe?: boolean }

async function reserve(
  { database }: Pick<Stack, 'database'>,
  owner: Tenant,
  { currency, amount, mayOwe = false }: Held,
  at: number,
): Promise<string> {
  const sourceId = newId('ref', at)
  const postings = [
    { ledgerAccount: 'merchant' as const, currency, amount: negate(amount), drawsPending: true, mayOwe },
    { ledgerAccount: 'reserved' as const, currency, amount },
  ]
  await inTransaction(database, (em) => post(em, { kind: 'refund_hold', sourceId, owner, postings }, at))
  return sourceId
}

/** Movements that tests post themselves, at any moment; `earn`, `hold` and `owe` return the source's id. */
export const createLedgerForTest = ({ database }: Pick<Stack, 'database'>, currency: Currency = 'USD') => ({
  async earn(owner: Tenant, amount: string, at: number, availableAt = at): Promise<string> {
    const sourceId = newId('pay', at)
    const postings = [
      { ledgerAccount: 'rail' as const, currency, amount: negate(amount) },
      { ledgerAccount: 'merchant' as const, currency, amount, availableAt: new Date(availableAt) },
    ]
    await inTransaction(database, (em) => post(em, { kind: 'settlement', sourceId, owner, postings }, at))
    return sourceId
  },
  hold: (owner: Tenant, amount: string, at: number) => reserve({ database }, owner, { currency, amount }, at),
  /** Reserves an amount that the balance need not bear. */
  owe: (owner: Tenant, amount: string, at: number) =>
    reserve({ database }, owner, { currency, amount, mayOwe: true }, at),
  release: (owner: Tenant, sourceId: string, at: number) =>
    inTransaction(database, async (em) => {
      const postings = await releasePostings(em, 'refund_hold', sourceId)
      await post(em, { kind: 'refund_released', sourceId, owner, postings }, at)
    }),
  pay: (owner: Tenant, sourceId: string, amount: string, at: number) =>
    inTransaction(database, (em) => {
      const postings = [
        { ledgerAccount: 'reserved' as const, currency, amount: negate(amount) },
        { ledgerAccount: 'rail' as const, currency, amount },
      ]
      return post(em, { kind: 'refund_paid', sourceId, owner, postings }, at)
    }),
})

/** A ledger account’s balance: what is available at `at`, and what is pending. What is owed is a negative balance. */
export async function readBalance(
  em: EntityManager,
  owner: Tenant,
  ledgerAccount: LedgerAccount,
  currency: Currency,
  at: number,
) {
  const balances = await readBalances(em, owner, [ledgerAccount], at, 'now')
  const found = balances.find((balance) => balance.currency === currency)
  return { available: found?.available ?? '0', pending: found?.pending ?? '0' }
}
