import { Account, assertConnected } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import type { Scope } from '../../domain/access/scope.ts'
import { type Caller, needsAccount, type Operation, reachesConnected, takesAccountId } from './operation.ts'
import { neededScopes } from './needed-scopes.ts'
import { staffOf } from './staff.ts'
import { assertManagesKeys, assertManagesTeam } from '../access/team-rules.ts'

/**
 * Refuses a caller who may not use the operation: a user without an organization where one is needed, and a credential
 * without a scope that it needs.
 */
export function assertMayCall(operation: Operation, caller: Caller): void {
  const { userId, accountId, checkoutId, scopes } = caller
  if (userId !== null && accountId === '' && needsAccount(operation)) {
    throw new Refusal('FORBIDDEN', 'this is for people of an organization, and you belong to none')
  }
  const missing = neededScopes(operation).find((scope) => !scopes.includes(scope))
  if (missing && checkoutId === null) throw new Refusal('FORBIDDEN', lacks(missing, caller))
}

/** Says which scope is missing, and who can give it. */
function lacks(scope: Scope, { keyId, role }: Caller): string {
  if (keyId) return `the API key lacks the scope ${scope}: an owner or admin of the organization can add it to the key`
  if (role) return `the role ${role} lacks the scope ${scope}: ask an owner of the organization`
  return `the credential lacks the scope ${scope}`
}

/**
 * The caller, acting for their own account or for the connected account in `X-Account-Id`. A connected account of
 * somebody else is refused like one that does not exist. An empty header is refused and not ignored: its sender expects
 * that the call is about a connected account, and else it would be about the platform itself.
 */
export async function actFor(
  em: EntityManager,
  { auth, managesKeys, managesTeam, forStaff }: Operation,
  caller: Caller,
  named: string | string[] | undefined,
): Promise<Caller> {
  if (forStaff) staffOf(caller)
  if (managesTeam) assertManagesTeam(caller.role)
  if (named === '' && !auth.includes('none')) throw invalid('X-Account-Id', noAccount, 'value_error.missing')
  const isOther = named !== undefined && named !== caller.accountId
  if (managesKeys) {
    await assertMayManageKeys(em, caller, isOther)
    return caller
  }
  if (!isOther || auth.includes('none')) return caller // without a credential there is no account to act for
  // An operation that takes no API key concerns only the caller (a logout) or the session of a client secret.
  if (!takesAccountId({ auth }) || !reachesConnected(caller)) throw new Refusal('NOT_FOUND', 'no such account')
  const accountId = String(named)
  await assertConnected(em, caller, accountId)
  return { ...caller, accountId }
}

const noAccount = 'must name a connected account, such as acct_…; to call for yourself, leave the header out'

/** Checked before the idempotency record is read: a replayed answer contains a key, so it needs the same permission. */
async function assertMayManageKeys(em: EntityManager, caller: Caller, isOther: boolean): Promise<void> {
  assertManagesKeys(caller.role)
  const account = isOther ? null : await readRow(em, Account, { id: caller.accountId })
  if (account?.ownerId === null) return
  throw new Refusal('FORBIDDEN', 'connected accounts cannot manage keys')
}
