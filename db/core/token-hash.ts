import { hash } from 'node:crypto'

/** The hash under which a secret token is stored, in hexadecimal. Tokens are long and random, so it needs no key. */
export const hashToken = (token: string): string => hash('sha256', token)
