import { Account, assertConnected } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Caller, needsAccount, type Operation, takesAccountId } from './operation.ts'
import { staffOf } from '../payout/staff.ts'

/**
 * Refuses a caller who may not use the operation: a user without an organization where one is needed, and a credential
 * without the scope.
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
 * The caller, acting for their own account or for the connected account in `X-Account-Id`. A connected account of
 * somebody else is refused like one that does not exist.
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
  if (!isOther || auth.includes('none')) return caller // without a credential there is no account to act for
  // An operation that takes no API key concerns only the caller (a logout) or the session of a client secret.
  if (!takesAccountId({ auth })) throw new Refusal('NOT_FOUND', 'no such account')
  await assertConnected(em, caller, named)
  return { ...caller, accountId: named }
}

const keyManagers: readonly string[] = ['owner', 'admin']

/** Checked before the idempotency record is read: a replayed answer contains a key, so it needs the same permission. */
async function assertMayManageKeys(em: EntityManager, caller: Caller, isOther: boolean): Promise<void> {
  if (!caller.role || !keyManagers.includes(caller.role)) {
    throw new Refusal('FORBIDDEN', 'only owners and admins manage keys')
  }
  const account = isOther ? null : await readRow(em, Account, { id: caller.accountId })
  if (account?.ownerId === null) return
  throw new Refusal('FORBIDDEN', 'connected accounts cannot manage keys')
}
