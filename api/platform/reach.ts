import { Account, findConnected } from '../../db/core/account.ts'
import { type AccountFile, lockFile, readFile } from '../../db/platform/account-file.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Refusal } from '../../domain/refusal.ts'
import Type from 'typebox'
import { idParameter } from '../../schemas/common.ts'
import { type Caller, reachesConnected } from '../http/operation.ts'

/** What the operations on accounts have in common. The token of a hosted onboarding page opens one account. */
export const onAccounts = { tag: 'Connected accounts', auth: ['apiKey'] } as const
export const onOneAccount = { tag: 'Connected accounts', auth: ['apiKey', 'onboardingToken'] } as const
export const readsAccounts = { scope: 'accounts:read' } as const
export const writesAccounts = { scope: 'accounts:write' } as const

export const AccountId = Type.Object({ account_id: idParameter('acct') })

/**
 * Refuses an account that is neither the caller's own nor connected to it, and one of the other environment, in the
 * same way as one that does not exist. The token of an onboarding link reaches its own account only.
 */
async function assertReachable(em: EntityManager, caller: Caller, accountId: string): Promise<void> {
  if (accountId === caller.accountId) return
  if (reachesConnected(caller) && (await findConnected(em, caller, accountId))) return
  throw new Refusal('NOT_FOUND', 'no such account')
}

/** The file of an account that the caller may read. */
export async function findFile(em: EntityManager, caller: Caller, accountId: string): Promise<AccountFile> {
  await assertReachable(em, caller, accountId)
  return readFile(em, await em.findOneOrFail(Account, { id: accountId }), caller.environment)
}

/** The file of an account that the caller may change, locked until the transaction ends. */
export async function lockReachable(em: EntityManager, caller: Caller, accountId: string): Promise<AccountFile> {
  await assertReachable(em, caller, accountId)
  return lockFile(em, accountId, caller.environment)
}
