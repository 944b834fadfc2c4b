import { randomBytes } from 'node:crypto'
import { newId } from '../domain/id.ts'
import type { Role } from '../domain/access/role.ts'
import { scopes } from '../domain/access/scope.ts'
import { lockStaffCommands } from './access/lock-staff.ts'
import { Account } from './core/account.ts'
import { ApiKey, newKey } from './access/api-key.ts'
import { type Database, type EntityManager, inTransaction } from './core/database.ts'
import { patientLimits } from './core/time-limits.ts'
import { openDatabase } from './open-database.ts'
import { newTotpSecret } from './access/authenticator.ts'
import { passwords } from './access/password.ts'
import type { Encrypter } from './core/encryption.ts'
import { replaceBackupCodes, User } from './access/user.ts'

/** What a demo user logs in with. */
export type DemoUser = { email: string; password: string; totpSecret: string; backupCodes: string[] }

/**
 * The content of a fresh database. The secrets are available only now, as only hashes and encrypted texts are stored.
 */
export type Seeded = {
  organizationId: string
  apiKey: string | null
  /** Null when the database was not empty. */
  people: { owner: DemoUser; reviewer: DemoUser } | null
}

type Options = { keyPepper: Buffer; encrypter: Encrypter; now: number }

/** Seeds the database at an address. */
export async function seed(databaseUrl: string, options: Options): Promise<Seeded> {
  const database = await openDatabase(databaseUrl, 2, patientLimits)
  try {
    return await seedIn(database, options)
  } finally {
    await database.orm.close()
  }
}

/**
 * In an empty database creates the demo organization, its sandbox key, its owner and a reviewer of the platform;
 * otherwise only reads the organization. `now` is in milliseconds since the epoch.
 */
export const seedIn = (database: Database, options: Options): Promise<Seeded> =>
  inTransaction(database, async (em) => {
    await lockStaffCommands(em)
    const [first] = await em.find(Account, {}, { orderBy: { createdAt: 1 }, limit: 1 })
    if (first) return { organizationId: first.id, apiKey: null, people: null }
    const { now } = options
    const account = em.create(Account, {
      id: newId('acct', now),
      name: 'Demo Organization',
      createdAt: new Date(now),
    })
    const apiKey = addKey(em, account.id, options)
    const owner = await addUser(em, { accountId: account.id, role: 'owner', fullName: 'Demo Owner' }, options)
    const reviewer = await addUser(em, { accountId: null, role: 'reviewer', fullName: 'Demo Reviewer' }, options)
    return { organizationId: account.id, apiKey, people: { owner, reviewer } }
  })

function addKey(em: EntityManager, accountId: string, { keyPepper, now }: Options): string {
  const { key, row } = newKey(keyPepper, { accountId, environment: 'sandbox', name: 'Demo key', scopes }, now)
  em.create(ApiKey, row)
  return key
}

/** The address of a demo user. Nobody else has one there: the domain is kept for examples. */
export const demoEmail = (role: Role): string => `${role}@example.com`

type NewUser = { accountId: string | null; role: Role; fullName: string }

async function addUser(em: EntityManager, user: NewUser, { keyPepper, encrypter, now }: Options): Promise<DemoUser> {
  const id = newId('usr', now)
  const email = demoEmail(user.role)
  const password = randomBytes(15).toString('base64url')
  const totpSecret = newTotpSecret()
  em.create(User, {
    ...user,
    id,
    email,
    emailVerified: true,
    method: 'totp',
    lastTotpStep: null,
    passwordHash: await passwords.hash(password),
    encryptedTotpSecret: encrypter.encrypt(totpSecret),
    createdAt: new Date(now),
  })
  return { email, password, totpSecret, backupCodes: await replaceBackupCodes(em, keyPepper, id) }
}
