import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { defineEntity, p } from '@mikro-orm/core'
import type { Environment, RateTier, Scope } from '../../domain/access/scope.ts'
import { newId } from '../../domain/id.ts'
import { moment, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { minuteMs } from '../../domain/duration.ts'

const schema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.string().primary(),
    ...tenant,
    name: p.string().length(255),
    hash: p.string().unique(),
    lastFour: p.string().length(4),
    scopes: p.array().$type<Scope[]>(),
    rateTier: p.enum(['standard', 'elevated', 'platform', 'unlimited']).default('standard'),
    isActive: p.boolean().default(true),
    createdAt: moment(),
    expiresAt: moment().strictNullable(),
    lastUsedAt: moment().strictNullable(),
    /** The user who created it; null for the key of a freshly seeded database. */
    createdBy: p.string().nullable(),
  },
  indexes: [
    { name: 'api_keys_of_account', properties: ['accountId', 'createdAt'] },
    { name: 'api_keys_of_creator', properties: ['createdBy', 'createdAt'] },
  ],
  // One active key per organization and environment, also when several calls create keys at the same time.
  uniques: [{ name: 'api_keys_one_active', properties: ['accountId', 'environment'], where: 'is_active' }],
})
/** An API key: only its HMAC and last four characters are stored, never the key. */
export class ApiKey extends schema.class {}
schema.setClass(ApiKey)

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixes: Record<Environment, string> = { sandbox: 'sk_sandbox_', live: 'sk_live_' }

function inBase62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value, digit = 0; digit < digits; digit++, rest /= 62n) text = base62[Number(rest % 62n)] + text
  return text
}

const checksum = (body: string): string => inBase62(BigInt(crc32(body)), 6)

/** A new key: prefix, 43 base62 characters from 256 random bits, and a checksum that a leak scanner can confirm. */
export function makeKey(environment: Environment): string {
  const body = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  return prefixes[environment] + body + checksum(body)
}

/** Whether text has the form of a key, checksum included. It does not check whether the key exists. */
export function isKeyShaped(text: string): boolean {
  const body = Object.values(prefixes).reduce(
    (rest, prefix) => (rest.startsWith(prefix) ? rest.slice(prefix.length) : rest),
    text,
  )
  return body !== text && body.length === 49 && checksum(body.slice(0, 43)) === body.slice(43)
}

/**
 * The HMAC under which a key is stored and found. Without the pepper, a copy of the table cannot confirm a guessed key.
 */
export const hashKey = (pepper: Buffer, key: string): string => createHmac('sha256', pepper).update(key).digest('hex')

type NewKey = Tenant & {
  name: string
  scopes: readonly Scope[]
  rateTier?: RateTier
  expiresAt?: Date | null
  createdBy?: string
}

/**
 * A new key and its row. The key itself is not stored and cannot be read later. `now` is in milliseconds since the
 * epoch.
 */
export function newKey(pepper: Buffer, settings: NewKey, now: number) {
  const key = makeKey(settings.environment)
  const row = {
    ...settings,
    id: newId('key', now),
    scopes: [...new Set(settings.scopes)],
    hash: hashKey(pepper, key),
    lastFour: key.slice(-4),
    createdAt: new Date(now),
    expiresAt: settings.expiresAt ?? null,
    lastUsedAt: null,
  }
  return { key, row }
}

/** The key that was created last in an environment, also if it works no more; null if there has been none. */
export async function newestKey(em: EntityManager, { accountId, environment }: Tenant): Promise<ApiKey | null> {
  const newest = { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 1 } as const
  const [key = null] = await em.find(ApiKey, { accountId, environment }, newest)
  return key
}

/**
 * Deactivates an expired key, so that a new one can be active in its place. `now` is in milliseconds since the epoch.
 */
export const retireExpired = (em: EntityManager, place: Tenant, now: number): Promise<number> =>
  em.nativeUpdate(ApiKey, { ...place, isActive: true, expiresAt: { $lte: new Date(now) } }, { isActive: false })

const useNotedMs = minuteMs
const notedMax = 10_000

/**
 * Updates `last_used_at`, at most once a minute for each key and process. The call does not wait for the update and
 * does not fail with it.
 */
export function createUseRecorder(em: () => EntityManager): (keyId: string, now: number) => void {
  const noted = new Map<string, number>()
  return (keyId, now) => {
    if (now - (noted.get(keyId) ?? -Infinity) < useNotedMs) return
    if (noted.size > notedMax) noted.clear()
    noted.set(keyId, now)
    const at = new Date(now)
    const where = { id: keyId, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: at } }] }
    void em()
      .nativeUpdate(ApiKey, where, { lastUsedAt: at })
      .catch(() => noted.delete(keyId)) // the next call tries again
  }
}
