import { createHmac } from 'node:crypto'

/**
 * A keyed hash for one purpose, in hex: without the pepper a dump of the table confirms no guess, however short the
 * text.
 */
export function keyedHash(pepper: Buffer, purpose: string, ...parts: (string | Buffer)[]): string {
  const hash = createHmac('sha256', pepper).update(purpose)
  for (const part of parts) hash.update('\0').update(part)
  return hash.digest('hex')
}
