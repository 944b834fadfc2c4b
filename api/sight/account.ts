import { Account, findConnected } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readFile } from '../../db/platform/account-file.ts'
import { AccountProfile } from '../../db/platform/account-profile.ts'
import { readSteps } from '../../db/sight/timeline.ts'
import { reviewedIn } from '../../domain/platform/account-status.ts'
import type { ProcessName } from '../../domain/processes.ts'
import { trackedBy } from './tracked-by.ts'

/**
 * An account tells about its reviews and deadlines, to itself and to its platform. In the environment in which nobody
 * reviews it nothing has happened to it.
 */
export async function readAccount(em: EntityManager, { id, accountId, environment }: { id: string } & Partial<Tenant>) {
  const owner = accountId && environment ? { accountId, environment } : null
  if (owner && accountId !== id && !(await findConnected(em, owner, id))) return null
  const account = await em.findOne(Account, { id })
  if (!account) return null
  const { profile } = await readFile(em, account, environment ?? reviewedIn(account))
  const steps = await readSteps(em, trackedBy(AccountProfile), [profile])
  const { clockId, status } = profile
  const seen = { id, accountId: id, environment: profile.environment, clockId, status, steps, waiting: [id] }
  const process: [ProcessName, string] = ['account-review', id]
  return { ...seen, process }
}
