import { timingSafeEqual } from 'node:crypto'

/**
 * Whether a secret that was sent, or its hash, is the expected one. The time that this takes does not tell how much of
 * it is right.
 */
export function isSameSecret(given: string, expected: string): boolean {
  const sent = Buffer.from(given)
  const own = Buffer.from(expected)
  return sent.length === own.length && timingSafeEqual(sent, own)
}
