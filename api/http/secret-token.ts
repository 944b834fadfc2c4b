import { hashToken } from '../../db/core/token-hash.ts'
import { isSameSecret } from './same-secret.ts'

// A client secret, and the token of a link, is the id of its row and a secret: `chk_…_secret_…`. The row has its hash.

/** The id of the row that a token claims to open; empty text where it names none. */
export const idInToken = (token: string): string => token.split('_secret_')[0] ?? ''

/** Whether a token opens the row that stores this hash. The time that this takes tells nothing about the hash. */
export const isTokenOf = (tokenHash: string, token: string): boolean => isSameSecret(hashToken(token), tokenHash)
