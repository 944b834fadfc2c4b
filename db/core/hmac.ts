import { createHmac } from 'node:crypto'

/**
 * An HMAC for one purpose, in hex. Without the pepper, a copy of the table cannot confirm a guess, however short the
 * text is.
 */
export function computeHmac(pepper: Buffer, purpose: string, ...parts: (string | Buffer)[]): string {
  const hash = createHmac('sha256', pepper).update(purpose)
  for (const part of parts) hash.update('\0').update(part)
  return hash.digest('hex')
}
