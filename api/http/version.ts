import { runPrepared } from '../../db/core/prepared-statement.ts'
import type { Caller } from './operation.ts'
import type { Services } from './services.ts'

const pin = 'update accounts set api_version = coalesce(api_version, $2) where id = $1 returning api_version'

const rememberedMax = 10_000

type Pinned = { api_version: string | null }

/**
 * Returns the version for a call: the one it names, else the pinned version of its account. An account is pinned to the
 * newest version at its first call with an API key. Calls of users in a browser pin no version, as they often come long
 * before the merchant writes code that relies on one.
 */
export function createVersioning({ database: { orm }, versions }: Services) {
  const remembered = new Map<string, string>() // a pinned version never changes

  async function read(accountId: string): Promise<string | null> {
    const [row] = await runPrepared<Pinned>(orm.em, 'select api_version from accounts where id = $1', [accountId])
    return row?.api_version ?? null
  }

  async function give(accountId: string): Promise<string | null> {
    const [row] = await runPrepared<Pinned>(orm.em, pin, [accountId, versions[0]])
    return row?.api_version ?? null
  }

  async function pinnedFor({ accountId, keyId }: Caller): Promise<string | null> {
    if (accountId === '') return null
    const known = remembered.get(accountId)
    if (known) return known
    const pinned = (await read(accountId)) ?? (keyId === null ? null : await give(accountId))
    if (remembered.size > rememberedMax) remembered.clear()
    if (pinned) remembered.set(accountId, pinned)
    return pinned
  }

  return async (caller: Caller, named: string): Promise<string> => {
    const pinned = await pinnedFor(caller)
    if (named !== '') return named
    // After a rollback to an older release, this release may not know the pinned version.
    return versions.find((version) => pinned === null || version <= pinned) ?? versions.at(-1) ?? ''
  }
}
