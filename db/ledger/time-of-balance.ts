import { Account } from '../core/account.ts'
import type { Tenant } from '../core/columns.ts'
import { clockOf, type EntityManager, realTimeOfWriting } from '../core/database.ts'
import { readRow } from '../core/prepared-statement.ts'
import { clockTimeOf } from '../core/test-clock.ts'

/**
 * The time of an account's balance, in milliseconds since the epoch: that of the account's test clock, else the real
 * time. A commit may go by another clock, of a payment that is on it without its account. What has become available by
 * that clock only must not be taken from the balance. `moment` is when the commit is written.
 */
export async function timeOfBalance(em: EntityManager, { accountId }: Tenant, moment: number): Promise<number> {
  const clock = clockOf(em)
  if (!clock) return moment
  const account = await readRow(em, Account, { id: accountId })
  if (!account || account.clockId === clock.id) return moment
  return (await clockTimeOf(em, account)) ?? (await realTimeOfWriting(em)) ?? moment
}
