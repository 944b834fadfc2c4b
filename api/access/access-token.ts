import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import { SigningKey } from '../../db/access/signing-key.ts'
import { dayMs, hourMs, minuteMs } from '../../domain/duration.ts'

/** What an access token names: the user, and the session that the login opened. */
export type Subject = { userId: string; sessionId: string }

const issuer = 'steadypay'
const audience = 'steadypay-api'
const type = 'at+jwt' // RFC 9068
const lifetimeMs = 15 * minuteMs
const signsForMs = 30 * dayMs
const keysCachedMs = minuteMs // how long a process caches the keys it has read
const retryMs = 1_000 // after this, an unknown key id makes the process read the keys again
const oldestVerifiedMs = lifetimeMs + hourMs

type Keys = { rows: SigningKey[]; verifiers: Map<string, CryptoKey>; readAt: number }

/** Signs and verifies access tokens. Keys are rows that every process shares; a token names its key by `kid` only. */
export function createAccessTokens(database: Database, encrypter: Encrypter) {
  let known: Keys | null = null
  let signer: { id: string; key: CryptoKey } | null = null

  async function keys(maxAgeMs: number): Promise<Keys> {
    if (known && performance.now() - known.readAt < maxAgeMs) return known
    const readAt = performance.now()
    const rows = await database.orm.em.fork().find(SigningKey, {}, { orderBy: { createdAt: 'desc' } })
    const pairs = await Promise.all(rows.map(async ({ id, publicJwk }) => [id, await read(publicJwk)] as const))
    return (known = { rows, verifiers: new Map(pairs), readAt })
  }

  async function currentSigner(now: number) {
    const isCurrent = ({ createdAt, retiredAt }: SigningKey) => !retiredAt && now - createdAt.getTime() < signsForMs
    const { rows } = await keys(keysCachedMs)
    const row = rows.find(isCurrent) ?? (await inTransaction(database, (em) => rotate(em, isCurrent, now)))
    if (!rows.includes(row)) known = null
    if (signer?.id !== row.id)
      signer = { id: row.id, key: await read(JSON.parse(encrypter.decrypt(row.encryptedPrivateJwk))) }
    return signer
  }

  async function rotate(em: EntityManager, isCurrent: (row: SigningKey) => boolean, now: number): Promise<SigningKey> {
    await em.execute(`select pg_advisory_xact_lock(hashtext('signing_keys'))`)
    const active = await em.find(SigningKey, { retiredAt: null })
    const madeMeanwhile = active.find(isCurrent)
    if (madeMeanwhile) return madeMeanwhile
    for (const old of active) old.retiredAt = new Date(now)
    return em.create(SigningKey, { ...(await makeKey(encrypter)), createdAt: new Date(now), retiredAt: null })
  }

  /** The key of this `kid`. It is read from our own table only; any other key in the token's header is ignored. */
  async function verifierOf(kid: string | undefined, now: number): Promise<CryptoKey | null> {
    if (!kid) return null
    let { verifiers, rows } = await keys(keysCachedMs)
    if (!verifiers.has(kid)) ({ verifiers, rows } = await keys(retryMs))
    const row = rows.find(({ id }) => id === kid)
    return row && mayVerify(row, now) ? (verifiers.get(kid) ?? null) : null
  }

  return {
    /** A token for 15 minutes from `now` (ms since the epoch). */
    async sign({ userId, sessionId }: Subject, now: number): Promise<string> {
      const { id: kid, key } = await currentSigner(now)
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'EdDSA', typ: type, kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt(new Date(now))
        .setExpirationTime(new Date(now + lifetimeMs))
        .sign(key)
    },
    /** The user and the session of the token; null when we did not sign it, or it has expired at `now`. */
    async verify(token: string, now: number): Promise<Subject | null> {
      const key = await verifierOf(kidOf(token), now)
      if (!key) return null
      const rules = { algorithms: ['EdDSA'], issuer, audience, typ: type, currentDate: new Date(now) }
      const verified = await jwtVerify(token, key, { ...rules, requiredClaims: ['exp', 'sub', 'sid'] }).catch(
        () => null,
      )
      return verified && { userId: String(verified.payload.sub), sessionId: String(verified.payload['sid']) }
    },
    /** The public keys whose tokens may still be valid, as a JSON Web Key Set (RFC 7517). */
    async keySet(now: number): Promise<{ keys: JWK[] }> {
      const { rows } = await keys(retryMs)
      const valid = rows.filter((row) => mayVerify(row, now))
      return { keys: valid.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: 'EdDSA', use: 'sig' })) }
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>

const mayVerify = ({ retiredAt }: SigningKey, now: number): boolean =>
  !retiredAt || now - retiredAt.getTime() < oldestVerifiedMs

const read = async (jwk: JWK): Promise<CryptoKey> => (await importJWK(jwk, 'EdDSA')) as CryptoKey

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

async function makeKey(encrypter: Encrypter) {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const publicJwk = (await exportJWK(publicKey)) as SigningKey['publicJwk']
  const encryptedPrivateJwk = encrypter.encrypt(JSON.stringify(await exportJWK(privateKey)))
  return { id: await calculateJwkThumbprint(publicJwk), publicJwk, encryptedPrivateJwk }
}
