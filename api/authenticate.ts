import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiKey, hashKey, isKeyShaped } from '../db/api-key.ts'
import { Checkout } from '../db/checkout.ts'
import type { Database } from '../db/database.ts'
import { readRow } from '../db/planned.ts'
import { Refusal } from '../domain/refusal.ts'
import { type RateTier, rateTiers } from '../domain/scope.ts'
import type { Caller, Credential } from './operation.ts'

/** Who calls, and how their calls are counted; `limit` null is not limited. */
export type Authenticated = { caller: Caller; subject: string; limit: number | null }

const freshMs = 500 // a revoked key is refused within a second in every process
const cachedMax = 10_000
const perAddress = 60

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Reads credentials. `now` is in milliseconds since the epoch, `address` the caller's IP address. */
export function createAuthenticator({ orm }: Database, pepper: Buffer) {
  const cache = new Map<string, { key: ApiKey | null; readAt: number }>()

  async function findKey(text: string): Promise<ApiKey | null> {
    const hash = hashKey(pepper, text)
    const known = cache.get(hash)
    const readAt = performance.now()
    if (known && readAt - known.readAt < freshMs) return known.key
    const key = await readRow(orm.em, ApiKey, { hash })
    if (cache.size > cachedMax) cache.clear()
    cache.set(hash, { key, readAt })
    return key
  }

  async function withKey(text: string, now: number): Promise<Authenticated> {
    const key = isKeyShaped(text) ? await findKey(text) : null
    if (!key?.isActive || (key.expiresAt && key.expiresAt.getTime() <= now)) throw unauthorized()
    const { accountId, environment, scopes } = key
    return {
      caller: { accountId, environment, scopes, checkoutId: null },
      subject: key.id,
      limit: rateTiers[key.rateTier as RateTier],
    }
  }

  async function withClientSecret(secret: string, address: string): Promise<Authenticated> {
    const checkoutId = secret.split('_secret_')[0] ?? ''
    const checkout = await readRow(orm.em, Checkout, { id: checkoutId })
    if (!checkout || !isEqual(hashSecret(secret), checkout.clientSecretHash)) throw unauthorized()
    const { accountId, environment } = checkout
    return { caller: { accountId, environment, scopes: [], checkoutId }, subject: `ip/${address}`, limit: perAddress }
  }

  return async (
    authorization: string | undefined,
    accepted: readonly Credential[],
    { now, address }: { now: number; address: string },
  ): Promise<Authenticated> => {
    const token = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(authorization ?? '')?.[1]
    if (token?.startsWith('sk_') && accepted.includes('apiKey')) return withKey(token, now)
    if (token?.startsWith('chk_') && accepted.includes('clientSecret')) return withClientSecret(token, address)
    if (accepted.includes('none')) return anybody(address)
    throw unauthorized()
  }
}

/** Someone without a credential, counted by address. */
export const anybody = (address: string): Authenticated => ({
  caller: { accountId: '', environment: 'sandbox', scopes: [], checkoutId: null },
  subject: `ip/${address}`,
  limit: perAddress,
})

const unauthorized = () => new Refusal('UNAUTHORIZED', 'a valid credential is required')

const isEqual = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
