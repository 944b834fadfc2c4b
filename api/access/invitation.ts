import type { FilterQuery } from '@mikro-orm/core'
import Type from 'typebox'
import { endInvitation, newInvitation, newToken } from '../../commands/access/invitation.ts'
import { TeamInvitation as InvitationRow } from '../../db/access/team.ts'
import { User } from '../../db/access/user.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  CreateInvitation,
  invitationStates,
  presentInvitation,
  TeamInvitation,
} from '../../schemas/access/invitation.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { assertMayMail, assertMayOpen, lockTeam } from './invitation-rules.ts'
import { mailInvitation } from './team-mails.ts'
import { assertMayGive } from './team-rules.ts'

/** The team is managed by people, never by keys: a leaked key must not bring a person in. */
const managed = { tag: 'Team', auth: ['user'], scope: null, managesTeam: true } as const
const path = '/v1/team/invitations'
const InvitationId = Type.Object({ invitation_id: idParameter('ti') })

export const createInvitation = operation({
  ...managed,
  method: 'post',
  path,
  summary: 'Invite a person by mail; an older open invitation to the same address is replaced',
  body: CreateInvitation,
  returns: [201, TeamInvitation],
  refuses: ['FORBIDDEN', 'CONFLICT'],

  async handle({ body, caller, em, services }) {
    // The link of an invitation expires by the real time, also where the organization is on a test clock.
    const at = await services.clock.now()
    const sender = await lockTeam(em, caller)
    assertMayGive(sender.role, body.role)
    const { accountId } = caller
    const email = body.email.toLowerCase()
    // Of people of other organizations nothing is said: see `mailInvitation`.
    if ((await em.count(User, { accountId, email })) > 0) throw new Refusal('CONFLICT', 'this person is in your team')
    await assertMayMail(em, sender, email, at)
    await replaceOlder(em, { accountId, email, sender }, at)
    await assertMayOpen(em, accountId, at)
    const { name: fullName = null, role } = body
    const { invitation, token } = newInvitation(em, { accountId, email, role, fullName, invitedBy: sender.id }, at)
    await mailInvitation(em, services, { invitation, token, sender }, at)
    auditCaller(em, caller, { action: 'invitation.created', target: invitation.id }, at)
    return presentInvitation(invitation, at)
  },
})

type ToReplace = { accountId: string; email: string; sender: User }

async function replaceOlder(em: EntityManager, { accountId, email, sender }: ToReplace, at: number): Promise<void> {
  const older = await em.findOne(InvitationRow, { accountId, email, status: 'pending' })
  if (!older) return
  assertMayGive(sender.role, older.role)
  endInvitation(older, 'replaced', at)
  await em.flush() // before the newer one: only one of them may be open
}

export const listInvitations = operation({
  ...managed,
  method: 'get',
  path,
  summary: 'List the invitations of your organization, newest first',
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(Type.Enum([...invitationStates], { description: 'Only those that stand like this.' })),
  }),
  returns: [200, page(TeamInvitation)],
  refuses: ['FORBIDDEN'],

  async handle({ query: { status, ...place }, caller: { accountId }, em, services }) {
    const at = await services.clock.now()
    const where = { accountId, ...(status && whereStanding(status, new Date(at))) }
    const { rows, pagination } = await listPage({ em, services }, InvitationRow, where, place)
    return { items: rows.map((row) => presentInvitation(row, at)), pagination }
  },
})

function whereStanding(status: (typeof invitationStates)[number], at: Date): FilterQuery<InvitationRow> & object {
  if (status === 'pending') return { status, expiresAt: { $gt: at } }
  return status === 'expired' ? { status: 'pending', expiresAt: { $lte: at } } : { status }
}

/** An invitation of the organization; that of another is refused like one that does not exist. */
async function findInvitation(em: EntityManager, accountId: string, id: string): Promise<InvitationRow> {
  const invitation = await em.findOne(InvitationRow, { id, accountId })
  if (!invitation) throw new Refusal('NOT_FOUND', 'no such invitation')
  return invitation
}

export const readInvitation = operation({
  ...managed,
  method: 'get',
  path: `${path}/{invitation_id}`,
  summary: 'Read an invitation',
  params: InvitationId,
  returns: [200, TeamInvitation],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, caller, em, services }) {
    const invitation = await findInvitation(em, caller.accountId, params.invitation_id)
    return presentInvitation(invitation, await services.clock.now())
  },
})

export const resendInvitation = operation({
  ...managed,
  method: 'post',
  path: `${path}/{invitation_id}/resend`,
  summary: 'Mail an invitation again, with a new link for 7 days; the earlier link no longer works',
  params: InvitationId,
  returns: [200, TeamInvitation],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, services }) {
    const at = await services.clock.now()
    const sender = await lockTeam(em, caller)
    const invitation = await findInvitation(em, caller.accountId, params.invitation_id)
    assertMayGive(sender.role, invitation.role)
    if (invitation.status !== 'pending') throw new Refusal('CONFLICT', `the invitation is ${invitation.status}`)
    await assertMayMail(em, sender, invitation.email, at)
    if (invitation.expiresAt.getTime() <= at) await assertMayOpen(em, caller.accountId, at)
    const { token, ...link } = newToken(invitation.id, at)
    // Who sends it again answers for it. What somebody has chosen by the earlier link is theirs no longer.
    em.assign(invitation, { ...link, invitedBy: sender.id, passwordHash: null, encryptedTotpSecret: null })
    await mailInvitation(em, services, { invitation, token, sender }, at)
    auditCaller(em, caller, { action: 'invitation.resent', target: invitation.id }, at)
    return presentInvitation(invitation, at)
  },
})

export const revokeInvitation = operation({
  ...managed,
  method: 'post',
  path: `${path}/{invitation_id}/revoke`,
  summary: 'Revoke an invitation; its link no longer works',
  params: InvitationId,
  returns: [200, TeamInvitation],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, services }) {
    const at = await services.clock.now()
    const manager = await lockTeam(em, caller)
    const invitation = await findInvitation(em, caller.accountId, params.invitation_id)
    assertMayGive(manager.role, invitation.role)
    if (invitation.status === 'accepted') throw new Refusal('CONFLICT', 'the person has joined: remove them instead')
    if (invitation.status === 'pending') {
      endInvitation(invitation, 'revoked', at)
      auditCaller(em, caller, { action: 'invitation.revoked', target: invitation.id }, at)
    }
    return presentInvitation(invitation, at)
  },
})
