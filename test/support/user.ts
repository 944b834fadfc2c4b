import { LoginSession, RefreshToken } from '../../db/access/login.ts'
import { User } from '../../db/access/user.ts'
import { newId } from '../../domain/id.ts'
import type { Role } from '../../domain/access/role.ts'
import type { Stack } from './stack.ts'

/** A logged-in person of an organization; `token` makes a new access token. */
export type TestUser = { id: string; accountId: string; role: Role; token: () => Promise<string> }

/** What is needed to log a person in. */
export type UserStack = Pick<Stack, 'database'> & { services: Pick<Stack['services'], 'accessTokens' | 'clock'> }

// A hash that no password has.
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Adds a person with a login that has already happened, so that no password is hashed. */
export async function addUser(
  { database, services }: UserStack,
  { accountId, role }: { accountId: string | null; role: Role },
): Promise<TestUser> {
  const now = await services.clock.now()
  const createdAt = new Date(now)
  const [id, sessionId] = [newId('usr', now), newId('ses', now)]
  const em = database.orm.em.fork()
  await em.insert(User, {
    id,
    role,
    accountId: role === 'reviewer' ? null : accountId,
    createdAt,
    email: `${id}@example.com`,
    fullName: 'A Test User',
    passwordHash: nobodysHash,
    emailVerified: true,
    encryptedTotpSecret: null,
    lastTotpStep: null,
  })
  await em.insert(LoginSession, { id: sessionId, userId: id, createdAt, endedAt: null })
  const token = async () => services.accessTokens.sign({ userId: id, sessionId }, await services.clock.now())
  return { id, accountId: accountId ?? '', role, token }
}

/** Another login of a person, with a refresh token that nobody knows. Returns the id of the session. */
export async function addSession({ database, services }: UserStack, userId: string, days = 30): Promise<string> {
  const now = await services.clock.now()
  const id = newId('ses', now)
  const createdAt = new Date(now)
  const em = database.orm.em.fork()
  await em.insert(LoginSession, { id, userId, createdAt, endedAt: null })
  const expiresAt = new Date(now + days * 86_400_000)
  await em.insert(RefreshToken, { hash: id.padEnd(64, '0'), sessionId: id, createdAt, expiresAt, usedAt: null })
  return id
}
