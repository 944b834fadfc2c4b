import { newId } from '../domain/id.ts'
import { scopes } from '../domain/scope.ts'
import { Account } from './account.ts'
import { ApiKey, hashKey, makeKey } from './api-key.ts'
import { inTransaction, openDatabase } from './database.ts'

/** What a fresh database starts with; the key is known only now, as just its hash is stored. */
export type Seeded = { organizationId: string; apiKey: string | null }

/** Makes the demo organization and its sandbox key in an empty database; otherwise only finds the organization. */
export async function seed(
  databaseUrl: string,
  { keyPepper, now }: { keyPepper: Buffer; now: number },
): Promise<Seeded> {
  const database = await openDatabase(databaseUrl, 2)
  try {
    return await inTransaction(database, async (em) => {
      const [first] = await em.find(Account, {}, { orderBy: { createdAt: 1 }, limit: 1 })
      if (first) return { organizationId: first.id, apiKey: null }
      const createdAt = new Date(now)
      const account = em.create(Account, { id: newId('acct', now), name: 'Demo Organization', createdAt })
      const apiKey = makeKey('sandbox')
      em.create(ApiKey, {
        id: newId('key', now),
        accountId: account.id,
        environment: 'sandbox',
        name: 'Demo key',
        hash: hashKey(keyPepper, apiKey),
        lastFour: apiKey.slice(-4),
        scopes: [...scopes],
        createdAt,
        expiresAt: null,
        lastUsedAt: null,
      })
      return { organizationId: account.id, apiKey }
    })
  } finally {
    await database.orm.close()
  }
}
