import type { Environment } from '../../domain/access/scope.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Credential } from './operation.ts'

const realm = 'Bearer realm="steadypay"'

/** The `WWW-Authenticate` header of every 401 (RFC 9110, section 11.6.1). */
export const challenge = realm

/**
 * The challenge for a refused credential (RFC 6750, section 3). `detail` is the error in a bearer token. If no
 * credential was sent, the challenge names no error.
 */
export function challengeTo(authorization: string, detail: string): string {
  if (!/^Bearer\b/i.test(authorization)) return realm
  return `${realm}, error="invalid_token", error_description="${detail.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"`
}

/** The bearer token in an `Authorization` header; undefined if there is none. */
export const tokenIn = (authorization: string): string | undefined =>
  /^Bearer ([\x21-\x7e]{1,2000})$/i.exec(authorization)?.[1]

/** The kind of credential, by the form of the token; null if it is none of ours. */
export function kindOf(token: string | undefined): Exclude<Credential, 'none'> | null {
  if (token?.startsWith('sk_')) return 'apiKey'
  if (token?.startsWith('chk_')) return 'clientSecret'
  if (token?.startsWith('cs_')) return 'customerToken'
  if (token?.startsWith('os_')) return 'onboardingToken'
  if (token?.startsWith('ti_')) return 'invitationToken'
  return token?.startsWith('ey') ? 'user' : null
}

/** A 401 for a credential that the operation does not accept. It names the kind of credential, never its value. */
export function unauthorized(authorization: string, accepted: readonly Credential[]): Refusal {
  const needed = kinds.filter((kind) => accepted.includes(kind)).map((kind) => names[kind])
  const listed = new Intl.ListFormat('en', { type: 'disjunction' }).format(needed)
  return new Refusal('UNAUTHORIZED', `${seenIn(authorization)} This call needs ${listed} as a bearer token.`)
}

const kinds = ['apiKey', 'clientSecret', 'customerToken', 'onboardingToken', 'invitationToken', 'user'] as const
const names = {
  apiKey: 'an API key',
  clientSecret: "the checkout session's client secret",
  customerToken: 'the token of a customer session',
  onboardingToken: 'the token of an onboarding link',
  invitationToken: 'the token of an invitation',
  user: "a user's access token",
}

const seen = {
  apiKey: 'An API key was sent.',
  clientSecret: 'A client secret was sent.',
  customerToken: 'The token of a customer session was sent.',
  onboardingToken: 'The token of an onboarding link was sent.',
  invitationToken: 'The token of an invitation was sent.',
  user: "A user's access token was sent.",
}

function seenIn(authorization: string): string {
  if (authorization === '') return 'No credential was sent.'
  if (/^Basic\b/i.test(authorization)) return 'Basic authentication was sent.'
  if (kindOf(authorization)) return 'A credential without the word Bearer before it was sent.'
  const token = tokenIn(authorization)
  const kind = kindOf(token)
  if (kind) return seen[kind]
  return token ? 'A credential of no known kind was sent.' : 'The credential could not be read.'
}

/** The same for a key that is unknown and for one that was revoked. */
export const revokedKey = 'The API key is invalid or revoked'

/** The refusal of an unknown key. If the key is of another environment, it says so, as that service has another URL. */
export function unknownKey(key: string, deployment: string): Refusal {
  const own: Environment = deployment === 'live' ? 'live' : 'sandbox'
  const other: Environment = own === 'live' ? 'sandbox' : 'live'
  if (!key.startsWith(`sk_${other}_`)) return new Refusal('UNAUTHORIZED', revokedKey)
  return new Refusal('UNAUTHORIZED', `A ${other} API key was sent to the ${own} service, which does not know it`)
}
