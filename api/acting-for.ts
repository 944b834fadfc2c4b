import { Account, assertConnected } from '../db/account.ts'
import type { EntityManager } from '../db/database.ts'
import { readRow } from '../db/planned.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller, Operation } from './operation.ts'
import { staffOf } from './staff.ts'

/**
 * The caller as they act: for themselves, or for the connected account of theirs that `X-Account-Id` names. An account
 * that is not theirs is refused like one that does not exist.
 */
export async function actFor(
  em: EntityManager,
  { scope, managesKeys, forStaff }: Operation,
  caller: Caller,
  named: string,
): Promise<Caller> {
  if (forStaff) staffOf(caller)
  const isOther = named !== '' && named !== caller.accountId
  if (managesKeys) {
    await assertMayManageKeys(em, caller, isOther)
    return caller
  }
  if (!isOther) return caller
  // Without a scope it is about the caller alone, as a login is, or about the one session that a client secret opens.
  if (scope === null) throw new Refusal('NOT_FOUND', 'no such account')
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
