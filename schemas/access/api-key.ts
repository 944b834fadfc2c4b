import Type, { type Static } from 'typebox'
import type { ApiKey } from '../../db/access/api-key.ts'
import { scopes } from '../../domain/access/scope.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from '../common.ts'

export const Scopes = Type.Array(Type.Enum([...scopes]))

const naming = {
  api_key_id: id('key'),
  key_name: Type.String(),
  last_four: Type.String({ description: 'The last characters of the key, to tell keys apart.' }),
  scopes: Scopes,
}

/** A key without its secret, as every answer but that of its creation shows it. */
const fields = {
  ...naming,
  is_active: Type.Boolean(),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
}

export const ListedKey = Type.Object(fields, { $id: 'ApiKey' })

/** The answer to the creation of a key, the only one that contains its secret. */
export const CreatedKey = Type.Object(
  {
    ...naming,
    key: Type.String({ description: 'The whole key. It is shown only once, here.' }),
    created_at: Timestamp,
    expires_at: nullable(Timestamp),
  },
  { $id: 'CreatedApiKey' },
)

export const RevokedKey = Type.Object(
  { status: Type.Enum(['revoked']), api_key_id: id('key') },
  { $id: 'RevokedApiKey' },
)

const presentNaming = (row: ApiKey) => ({
  api_key_id: row.id,
  key_name: row.name,
  last_four: row.lastFour,
  scopes: row.scopes,
})

/** A new key, with its secret. */
export const presentCreatedKey = (row: ApiKey, key: string): Static<typeof CreatedKey> => ({
  ...presentNaming(row),
  key,
  created_at: iso(row.createdAt),
  expires_at: isoOrNull(row.expiresAt),
})

/** A key without its secret. `now` is in milliseconds since the epoch: an expired key is shown as not active. */
export const presentKey = (row: ApiKey, now: number): Static<typeof ListedKey> => ({
  ...presentNaming(row),
  is_active: row.isActive && (row.expiresAt === null || row.expiresAt.getTime() > now),
  created_at: iso(row.createdAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  expires_at: isoOrNull(row.expiresAt),
})
