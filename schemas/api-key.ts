import Type, { type Static } from 'typebox'
import type { ApiKey } from '../db/api-key.ts'
import { scopes } from '../domain/scope.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from './common.ts'

export const Scopes = Type.Array(Type.Enum([...scopes]))

const naming = { api_key_id: id('key'), key_name: Type.String() }

/** A key as it is shown after its creation: never its text. */
const fields = {
  ...naming,
  is_active: Type.Boolean(),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
}

export const ListedKey = Type.Object(fields, { $id: 'ApiKey' })
export const ScopedKey = Type.Object({ ...fields, scopes: Scopes }, { $id: 'ScopedApiKey' })

/** The one answer that holds the key itself. */
export const CreatedKey = Type.Object(
  {
    ...naming,
    key: Type.String({ description: 'The whole key. It is shown here and never again.' }),
    created_at: Timestamp,
    expires_at: nullable(Timestamp),
  },
  { $id: 'CreatedApiKey' },
)

export const RevokedKey = Type.Object(
  { status: Type.Enum(['revoked']), api_key_id: id('key') },
  { $id: 'RevokedApiKey' },
)

/** A key without its text; `now` in milliseconds since the epoch, as an expired key is active no longer. */
export const presentKey = (row: ApiKey, now: number): Static<typeof ListedKey> => ({
  api_key_id: row.id,
  key_name: row.name,
  is_active: row.isActive && (row.expiresAt === null || row.expiresAt.getTime() > now),
  created_at: iso(row.createdAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  expires_at: isoOrNull(row.expiresAt),
})
