import { setTimeout } from 'node:timers/promises'
import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { Account } from '../../db/core/account.ts'
import { ApiKey, newestKey, newKey, retireExpired } from '../../db/access/api-key.ts'
import { audit } from '../../db/core/audit.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { User } from '../../db/access/user.ts'
import { dayMs, minuteMs } from '../../domain/duration.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Environment, type RateTier, scopes } from '../../domain/access/scope.ts'
import { CreatedKey, ListedKey, presentCreatedKey, presentKey, RevokedKey } from '../../schemas/access/api-key.ts'
import { idParameter, singleLine } from '../../schemas/common.ts'
import { type Caller, operation } from '../http/operation.ts'
import { freshMs } from '../http/remembering.ts'
import { assertManagesKeys } from './team-rules.ts'

const betweenCreationsMs = minuteMs

/** Key management is for people, never for keys: see `mayManageKeys` in `api/http/acting-for.ts`. */
const managed = { tag: 'API keys', auth: ['user'], scope: null, managesKeys: true } as const

const ScopesSent = Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: 100, examples: [['payments:read']] })

const CreateKey = Type.Object(
  {
    key_name: singleLine(255, { minLength: 1 }),
    expires_in_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 36_500, description: 'The key does not expire if this is left out.' }),
    ),
    idempotency_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Same as the header Idempotency-Key. The header is used if both are sent.',
      }),
    ),
    env: Type.Optional(
      Type.Enum(['live', 'test'], {
        description: 'Any key is a test key until payments are enabled.',
        default: 'test',
      }),
    ),
    scopes: Type.Optional(ScopesSent),
  },
  { $id: 'CreateApiKey' },
)

type KeyRequest = Static<typeof CreateKey>

/**
 * Locks the caller, so that two creations of one user at once run one after the other. Refuses somebody who was demoted
 * or removed meanwhile: what a key may do outlives its maker's role.
 */
async function lockManager(em: EntityManager, caller: Caller): Promise<User> {
  const user = await em.findOne(User, { id: userOf(caller), accountId: caller.accountId }, forWriting)
  assertManagesKeys(user?.role ?? null)
  return user as User
}

const forWriting = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

export const createKey = operation({
  ...managed,
  method: 'post',
  path: '/api/v1/auth/api-keys',
  summary: 'Create an API key; only this answer shows the secret',
  body: CreateKey,
  returns: [201, CreatedKey],
  refuses: ['FORBIDDEN', 'ACTIVE_KEY_EXISTS'],

  async handle({ body, caller, em, now, services }) {
    const account = await lock(em, Account, caller.accountId) // whoever is just changing the rate tier is waited for
    const user = await lockManager(em, caller)
    const tenant = { accountId: account.id, environment: effectiveEnvironment(account, body.env) }
    await assertMayCreate(em, tenant, user.id, now)
    const replaced = await newestKey(em, tenant)
    const rateTier: RateTier = replaced?.rateTier ?? 'standard'
    const settings = { ...tenant, ...settingsOf(body, now), rateTier, createdBy: user.id }
    const { key, row: columns } = newKey(services.config.keyPepper, settings, now)
    const row = em.create(ApiKey, columns)
    audit(em, { action: 'api_key.created', ...by(caller), target: row.id }, now)
    return presentCreatedKey(row, key)
  },
})

const settingsOf = ({ key_name: name, expires_in_days: days, scopes: requested }: KeyRequest, now: number) => ({
  name,
  scopes: requested ?? scopes,
  expiresAt: days === undefined ? null : new Date(now + days * dayMs),
})

/** Until the organization may take payments, every key is a test key (docs/contract/access.md, "Keys"). */
const effectiveEnvironment = ({ paymentsEnabled }: Account, requested = 'test'): Environment =>
  requested === 'live' && paymentsEnabled ? 'live' : 'sandbox'

/** At most one active key per environment (a unique index holds this too), and one creation a minute per user. */
async function assertMayCreate(em: EntityManager, tenant: Tenant, userId: string, now: number): Promise<void> {
  await retireExpired(em, tenant, now)
  if ((await em.count(ApiKey, { ...tenant, isActive: true })) > 0) {
    throw new Refusal('ACTIVE_KEY_EXISTS', 'an active key exists for this environment; revoke it first')
  }
  const since = new Date(now - betweenCreationsMs)
  const [last] = await em.find(ApiKey, { createdBy: userId, createdAt: { $gt: since } }, newestFirst)
  if (!last) return
  const waitMs = last.createdAt.getTime() + betweenCreationsMs - now
  throw new Refusal('TOO_MANY_REQUESTS', 'only one key can be created per minute', [], Math.ceil(waitMs / 1000))
}

const newestFirst = { orderBy: { createdAt: 'desc' } } as const

export const listKeys = operation({
  ...managed,
  method: 'get',
  path: '/api/v1/auth/api-keys',
  summary: 'List the keys of the organization, of both environments, newest first',
  returns: [200, Type.Object({ keys: Type.Array(ListedKey) }, { $id: 'ApiKeys' })],
  refuses: ['FORBIDDEN'],

  async handle({ caller, em, now }) {
    const rows = await em.find(ApiKey, { accountId: caller.accountId }, newestFirst)
    return { keys: rows.map((row) => presentKey(row, now)) }
  },
})

const KeyId = Type.Object({ api_key_id: idParameter('key') })

/** Locks a key of the caller's organization. Users manage the keys of both environments. */
async function lockKey(em: EntityManager, { accountId }: Caller, id: string): Promise<ApiKey> {
  const key = await em.findOne(ApiKey, { id, accountId }, forWriting)
  if (!key) throw new Refusal('NOT_FOUND', 'no such API key')
  return key
}

export const revokeKey = operation({
  ...managed,
  method: 'post',
  path: '/api/v1/auth/api-keys/{api_key_id}/revoke',
  summary: 'Revoke an API key: once this has answered, it no longer works',
  mode: 'process',
  params: KeyId,
  returns: [200, RevokedKey],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, caller, commit, now }) {
    await commit(async (em) => {
      const key = await lockKey(em, caller, params.api_key_id)
      if (key.isActive) audit(em, { action: 'api_key.revoked', ...by(caller), target: key.id }, now)
      key.isActive = false
    })
    await setTimeout(freshMs) // from then on no API process takes it
    return { status: 'revoked' as const, api_key_id: params.api_key_id }
  },
})

export const changeScopes = operation({
  ...managed,
  method: 'patch',
  path: '/api/v1/auth/api-keys/{api_key_id}',
  summary: 'Change what an API key may do',
  params: KeyId,
  body: Type.Object({ scopes: ScopesSent }, { $id: 'ChangeApiKey' }),
  returns: [200, ListedKey],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    await lockManager(em, caller)
    const key = await lockKey(em, caller, params.api_key_id)
    if (!presentKey(key, now).is_active) throw new Refusal('CONFLICT', 'the key is revoked or has expired')
    key.scopes = [...new Set(body.scopes)]
    audit(em, { action: 'api_key.scopes_changed', ...by(caller), target: key.id }, now)
    return presentKey(key, now)
  },
})

/** The user and the IP address, for the audit log. */
const by = (caller: Caller) => ({ accountId: caller.accountId, userId: userOf(caller), address: caller.address })

function userOf({ userId }: Caller): string {
  if (userId === null) throw new Refusal('FORBIDDEN', 'keys are managed by users')
  return userId
}
