import { createHmac, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { Refusal } from '../../domain/refusal.ts'
import { minuteMs } from '../../domain/duration.ts'

const issuer = 'steadypay'
const audience = 'steadypay-login'
const type = 'login+jwt'
const lifetimeMs = 3 * minuteMs

/** A symmetric key. Access tokens are signed with asymmetric keys, so neither token is accepted as the other. */
const keyOf = (pepper: Buffer): Buffer => createHmac('sha256', pepper).update('login token').digest()

/** A token that allows password attempts for 3 minutes from `now` (ms since the epoch). It is not stored. */
export async function makeLoginToken(pepper: Buffer, now: number): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(Math.floor((now + lifetimeMs) / 1000) * 1000) // a JWT counts whole seconds
  const token = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'HS256', typ: type })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(new Date(now))
    .setExpirationTime(expiresAt)
    .sign(keyOf(pepper))
  return { token, expiresAt }
}

/** Refuses a login token that we did not sign, or that has expired. */
export async function assertLoginToken(pepper: Buffer, token: string, now: number): Promise<void> {
  const rules = { algorithms: ['HS256'], issuer, audience, typ: type, currentDate: new Date(now) }
  await jwtVerify(token, keyOf(pepper), { ...rules, requiredClaims: ['exp'] }).catch(() => {
    throw new Refusal('INVALID_LOGIN_TOKEN', 'the login token is wrong or has expired: log in again')
  })
}
