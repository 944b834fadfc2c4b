import { randomBytes } from 'node:crypto'
import { TeamInvitation } from '../../db/access/team.ts'
import { hashToken } from '../../db/core/token-hash.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import { invitationMs } from '../../domain/access/team.ts'

/** A new token for an invitation, of which only the hash is stored. It works for some days, an earlier one no more. */
export function newToken(id: string, at: number) {
  const token = `${id}_secret_${randomBytes(24).toString('base64url')}`
  return { token, tokenHash: hashToken(token), sentAt: new Date(at), expiresAt: new Date(at + invitationMs) }
}

type Given = Pick<TeamInvitation, 'accountId' | 'email' | 'role' | 'fullName' | 'invitedBy'>

/** A new open invitation, and the token of its link. `at` is in milliseconds since the epoch. */
export function newInvitation(em: EntityManager, given: Given, at: number) {
  const id = newId('ti', at)
  const { token, ...link } = newToken(id, at)
  const chosen = { passwordHash: null, encryptedTotpSecret: null, endedAt: null }
  return { invitation: em.create(TeamInvitation, { ...given, ...link, ...chosen, id, createdAt: new Date(at) }), token }
}

/** The path of the link of an invitation, at the public address of the service. */
export const invitationPath = (token: string): string => `/dashboard/invitation/${token}`

/** Ends an invitation: its link no longer works, and what the person has chosen so far is deleted. */
export function endInvitation(
  invitation: TeamInvitation,
  status: 'accepted' | 'revoked' | 'replaced',
  at: number,
): void {
  invitation.status = status
  invitation.endedAt = new Date(at)
  invitation.passwordHash = null
  invitation.encryptedTotpSecret = null
}
