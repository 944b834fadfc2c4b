import { randomBytes } from 'node:crypto'
import type { Encrypter } from '../core/encryption.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/** A fresh signing secret in the form of Standard Webhooks: 256 random bits. */
export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

type Replacing = { encrypter: Encrypter; graceMs: number; at: number }

/** Whether an endpoint has this secret already. One that cannot be decrypted any more is another one. */
export function hasSecret({ encryptedSecret }: WebhookEndpoint, secret: string, encrypter: Encrypter): boolean {
  if (encryptedSecret === null) return false
  try {
    return encrypter.decrypt(encryptedSecret) === secret
  } catch {
    return false
  }
}

/**
 * Replaces an endpoint's secret. The previous one also signs for `graceMs`; an older one that was still in its grace
 * period is dropped. The same secret again leaves the previous one its time, unless `graceMs` is 0. `at` is in
 * milliseconds since the epoch.
 */
export function replaceSecret(row: WebhookEndpoint, secret: string, { encrypter, graceMs, at }: Replacing): void {
  if (graceMs > 0 && hasSecret(row, secret, encrypter)) return
  const keeps = graceMs > 0 && row.encryptedSecret !== null
  row.previousEncryptedSecret = keeps ? row.encryptedSecret : null
  row.previousSecretUntil = keeps ? new Date(at + graceMs) : null
  row.encryptedSecret = encrypter.encrypt(secret)
}

/** The encrypted previous secret while it still signs, else null. `at` is in ms since the epoch. */
export const secretInGrace = ({ previousEncryptedSecret, previousSecretUntil }: WebhookEndpoint, at: number) =>
  previousSecretUntil !== null && at < previousSecretUntil.getTime() ? previousEncryptedSecret : null
