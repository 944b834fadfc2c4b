import { defineEntity, p } from '@mikro-orm/core'
import { Secret, TOTP } from 'otpauth'
import { latinDigits } from '../../domain/digits.ts'
import { moment } from '../core/columns.ts'

const stepMs = 30_000

const schema = defineEntity({
  name: 'PendingAuthenticator',
  tableName: 'pending_authenticators',
  properties: {
    // One for each person: a newer one takes its place.
    userId: p.string().primary(),
    // Only the session that has begun it may confirm it.
    sessionId: p.string(),
    encryptedSecret: p.text().fieldName('sealed_secret'),
    wrongCodes: p.smallint().default(0),
    createdAt: moment(),
    expiresAt: moment().index('pending_authenticators_by_end'),
  },
})
/** A new authenticator app of a person, until one of its codes confirms it. */
export class PendingAuthenticator extends schema.class {}
schema.setClass(PendingAuthenticator)

/** A new secret for an authenticator app, in base 32: 160 random bits (RFC 4226, section 4). */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** A code without what makes no difference in it: the script of its digits, and spaces. */
export const plainCode = (typed: string): string => latinDigits(typed).replaceAll(/\s/g, '')

/** The address that an authenticator app reads from a QR code: the secret, and whose it is. */
export const otpauthUri = (secret: string, email: string): string =>
  new TOTP({ issuer: 'steadypay', label: email, secret: Secret.fromBase32(secret) }).toString()

/**
 * The step of 30 s whose code this is; null for a wrong code. It may be one step early or late (RFC 6238, section 5.2).
 * The code is as somebody has typed it, with spaces and in the digits of any script. `now` is in milliseconds since the
 * epoch.
 */
export function totpStep(secret: string, typed: string, now: number): number | null {
  const token = plainCode(typed)
  if (!/^\d{6}$/.test(token)) return null
  const late = new TOTP({ secret: Secret.fromBase32(secret) }).validate({ token, timestamp: now, window: 1 })
  return late === null ? null : Math.floor(now / stepMs) + late
}
