import { Account, assertConnected } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Caller, needsAccount, type Operation, takesAccountId } from './operation.ts'
import { staffOf } from '../payout/staff.ts'

/**
 * Refuses whoever has no business with the operation: people who belong to no organization with what is one's own, and
 * a credential without its scope.
 */
export function assertMayCall(operation: Operation, { userId, accountId, checkoutId, scopes }: Caller): void {
  if (userId !== null && accountId === '' && needsAccount(operation)) {
    throw new Refusal('FORBIDDEN', 'this is for people of an organization, and you belong to none')
  }
  if (operation.scope && checkoutId === null && !scopes.includes(operation.scope)) {
    throw new Refusal('FORBIDDEN', `the credential lacks the scope ${operation.scope}`)
  }
}

/**
 * The caller as they act: for themselves, or for the connected account of theirs that `X-Account-Id` names. An account
 * that is not theirs is refused like one that does not exist.
 */
export async function actFor(
  em: EntityManager,
  { auth, managesKeys, forStaff }: Operation,
  caller: Caller,
  named: string,
): Promise<Caller> {
  if (forStaff) staffOf(caller)
  const isOther = named !== '' && named !== caller.accountId
  if (managesKeys) {
    await assertMayManageKeys(em, caller, isOther)
    return caller
  }
  if (!isOther || auth.includes('none')) return caller // whoever shows no credential acts for nobody
  // What takes no key is about the caller alone, as a logout is, or about the one session that a client secret opens.
  if (!takesAccountId({ auth })) throw new Refusal('NOT_FOUND', 'no such account')
  await assertConnected(em, caller.accountId, named)
  return { ...caller, accountId: named }
}

const keyManagers: readonly string[] = ['owner', 'admin']

/** Told before the idempotency record is read: a replay shows a key, so it is for those who may create one. */
async function assertMayManageKeys(em: EntityManager, caller: Caller, isOther: boolean): Promise<void> {
  if (!caller.role || !keyManagers.includes(caller.role)) {
    throw new Refusal('FORBIDDEN', 'only owners and admins manage keys')
  }
  const account = isOther ? null : await readRow(em, Account, { id: caller.accountId })
  if (account?.ownerId === null) return
  throw new Refusal('FORBIDDEN', 'connected accounts cannot manage keys')
}
