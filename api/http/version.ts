import type { TObject } from 'typebox'
import type { Context } from 'koa'
import { runPrepared } from '../../db/core/prepared-statement.ts'
import type { Caller } from './operation.ts'
import type { Services } from './services.ts'

const pin = 'update accounts set api_version = coalesce(api_version, $2) where id = $1 returning api_version'

const rememberedMax = 10_000

type Pinned = { api_version: string | null }

/**
 * Says in which version a call is served: the one it names, else the one that its account was given at the first call
 * with a key of its own, which is the newest of that day. People in a browser give their account none: they may well
 * look round long before anybody writes a line that relies on it.
 */
export function createVersioning({ database: { orm }, versions }: Services) {
  const remembered = new Map<string, string>() // a version that was given stays

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
    // After a step back to an older release the one it was given may be unknown here.
    return versions.find((version) => pinned === null || version <= pinned) ?? versions.at(-1) ?? ''
  }
}

// Fields that go away: since when they are told of (RFC 9745), and from when on they may be gone (RFC 8594), at the
// least six months later.
const deprecatedAt = Date.UTC(2026, 10, 22)
const sunsetAt = Date.UTC(2027, 5, 1)

/** Tells in headers that the call uses a field which goes away; its shape says which ones do. */
export function addDeprecationHeaders(ctx: Context, shape: TObject | undefined, sent: Record<string, unknown>): void {
  const fields = Object.entries(shape?.properties ?? {}).filter(([, field]) => 'deprecated' in field)
  if (!fields.some(([name]) => (sent[name] ?? null) !== null)) return
  ctx.set('Deprecation', `@${deprecatedAt / 1000}`)
  ctx.set('Sunset', new Date(sunsetAt).toUTCString())
}
