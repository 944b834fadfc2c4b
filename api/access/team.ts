import Type from 'typebox'
import { removePerson } from '../../commands/access/remove-person.ts'
import { FormerMember } from '../../db/access/team.ts'
import { User } from '../../db/access/user.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { Refusal } from '../../domain/refusal.ts'
import { MemberRole } from '../../schemas/access/invitation.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import { presentMember, RemovedMember, TeamMember } from '../../schemas/access/team.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { lockTeam, revokeInvitationsOf } from './invitation-rules.ts'
import { mailRemoved } from './team-mails.ts'
import { assertMayGive } from './team-rules.ts'

const path = '/v1/team/members'
const shared = { tag: 'Team', auth: ['user'], scope: null } as const
const MemberId = Type.Object({ user_id: idParameter('usr') })

export const listMembers = operation({
  ...shared,
  method: 'get',
  path,
  summary: 'List the people of your organization, newest first',
  query: Type.Object(pageQuery),
  returns: [200, page(TeamMember)],
  refuses: ['FORBIDDEN'],

  async handle({ query, caller: { accountId }, em, services }) {
    const { rows, pagination } = await listPage({ em, services }, User, { accountId }, query)
    return { items: rows.map(presentMember), pagination }
  },
})

export const readMember = operation({
  ...shared,
  method: 'get',
  path: `${path}/{user_id}`,
  summary: 'Read a person of your organization',
  params: MemberId,
  returns: [200, TeamMember],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, caller: { accountId }, em }) {
    return presentMember(await findMember(em, accountId, params.user_id))
  },
})

/** A person of the organization; one of another is refused like one that does not exist. */
async function findMember(em: EntityManager, accountId: string, id: string): Promise<User> {
  const member = await em.findOne(User, { id, accountId })
  if (!member) throw new Refusal('NOT_FOUND', 'no such person in your organization')
  return member
}

/** Refuses to take away the last owner. `em` holds the lock of the team. */
async function assertNotLastOwner(em: EntityManager, { accountId, role }: User): Promise<void> {
  if (role !== 'owner' || (await em.count(User, { accountId, role })) > 1) return
  throw new Refusal('CONFLICT', 'this is the last owner: make somebody else an owner first')
}

/** Revokes what the person has invited beyond their role, now that it has changed; null: they are removed. */
async function revokeBeyond(em: EntityManager, caller: Caller, member: User, role: User['role'] | null, at: number) {
  const revoked = await revokeInvitationsOf(em, member.id, role, at)
  for (const { id } of revoked) auditCaller(em, caller, { action: 'invitation.revoked', target: id }, at)
}

export const changeRole = operation({
  ...shared,
  managesTeam: true,
  method: 'patch',
  path: `${path}/{user_id}`,
  summary: 'Change the role of a person; it holds within a second',
  params: MemberId,
  body: Type.Object({ role: MemberRole }, { $id: 'ChangeTeamMember' }),
  returns: [200, TeamMember],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body: { role }, caller, em, services }) {
    const at = await services.clock.now()
    const manager = await lockTeam(em, caller)
    const member = await findMember(em, caller.accountId, params.user_id)
    assertMayGive(manager.role, member.role)
    assertMayGive(manager.role, role)
    if (member.role === role) return presentMember(member)
    await assertNotLastOwner(em, member)
    member.role = role
    await revokeBeyond(em, caller, member, role, at)
    auditCaller(em, caller, { action: `member.became_${role}`, target: member.id }, at)
    return presentMember(member)
  },
})

export const removeMember = operation({
  ...shared,
  managesTeam: true,
  method: 'delete',
  path: `${path}/{user_id}`,
  summary: 'Remove a person; their sessions end within a second, and the keys of the organization stay',
  params: MemberId,
  returns: [200, RemovedMember],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params: { user_id: id }, caller, em, services }) {
    const at = await services.clock.now()
    const manager = await lockTeam(em, caller)
    const removed = { user_id: id, status: 'removed' as const, deleted: true as const }
    const { accountId } = caller
    if ((await em.count(FormerMember, { id, accountId })) > 0) return removed
    const member = await lock(em, User, (await findMember(em, accountId, id)).id)
    assertMayGive(manager.role, member.role)
    await assertNotLastOwner(em, member)
    await revokeBeyond(em, caller, member, null, at)
    await removePerson(em, member, at)
    if (id !== manager.id) await mailRemoved(em, services, member, at)
    auditCaller(em, caller, { action: 'member.removed', target: id }, at)
    return removed
  },
})
