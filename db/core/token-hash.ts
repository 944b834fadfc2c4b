import { hash } from 'node:crypto'

/** The hash under which a session's client secret is stored; the secret is long and random, so it needs no key. */
export const hashToken = (secret: string): string => hash('sha256', secret)
