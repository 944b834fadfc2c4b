import { endInvitation } from '../../commands/access/invitation.ts'
import { newTotpSecret, otpauthUri, totpStep } from '../../db/access/authenticator.ts'
import { TeamInvitation } from '../../db/access/team.ts'
import { replaceBackupCodes, User } from '../../db/access/user.ts'
import { Account } from '../../db/core/account.ts'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  AcceptInvitation,
  ConfirmInvitation,
  JoinedTeam,
  InvitationAuthenticator,
  OpenedInvitation,
  presentOpened,
} from '../../schemas/access/invitation.ts'
import { presentUser } from '../../schemas/access/login.ts'
import { operation } from '../http/operation.ts'
import { lockInvitation } from './invitation-rules.ts'
import { mailJoined } from './team-mails.ts'

/** For the person who has got the mail, by the token of its link. Nobody exists as a user before the last step. */
const byLink = { tag: 'Team', auth: ['invitationToken'], scope: null } as const

export const openInvitation = operation({
  ...byLink,
  method: 'get',
  path: '/v1/invitation',
  summary: 'Read what an invitation is for, by the token of its link',
  returns: [200, OpenedInvitation],
  refuses: [],

  async handle({ caller: { invitationId, accountId }, em }) {
    const invitation = await em.findOneOrFail(TeamInvitation, { id: invitationId ?? '' })
    const account = accountId === '' ? null : await em.findOneOrFail(Account, { id: accountId })
    return presentOpened(invitation, account?.name ?? null)
  },
})

export const acceptInvitation = operation({
  ...byLink,
  method: 'post',
  path: '/v1/invitation/accept',
  summary: 'Choose name and password; answers with a new second factor that a code has to confirm',
  mode: 'read', // the password is hashed before the transaction begins, which would else wait for it
  body: AcceptInvitation,
  returns: [200, InvitationAuthenticator],
  refuses: [],

  async handle({ body, caller, services }) {
    const { encrypter, passwords, database, clock } = services
    const at = await clock.now()
    const passwordHash = await passwords.hash(body.password)
    const secret = newTotpSecret()
    const email = await inTransaction(database, async (em) => {
      const invitation = await lockInvitation(em, caller, at)
      const encryptedTotpSecret = encrypter.encrypt(secret)
      em.assign(invitation, { fullName: body.full_name, passwordHash, encryptedTotpSecret })
      return invitation.email
    })
    return { secret, otpauth_uri: otpauthUri(secret, email) }
  },
})

export const confirmInvitation = operation({
  ...byLink,
  method: 'post',
  path: '/v1/invitation/confirm',
  summary: 'Confirm the second factor and join the organization; only this answer shows the backup codes',
  usesUpCredential: true,
  body: ConfirmInvitation,
  returns: [200, JoinedTeam],
  refuses: ['INVALID_CODE', 'CONFLICT'],

  async handle({ body, caller, em, services }) {
    const at = await services.clock.now()
    const invitation = await lockInvitation(em, caller, at)
    const { accountId, role, id: target } = invitation
    const user = await createUser(em, services.encrypter, { invitation, code: body.code }, at)
    const codes = await replaceBackupCodes(em, services.config.keyPepper, user.id)
    endInvitation(invitation, 'accepted', at)
    await mailJoined(em, services, { user, invitation }, at)
    audit(em, { accountId, userId: user.id, action: 'invitation.accepted', target, address: caller.address }, at)
    return { user: presentUser(user), role, backup_codes: codes }
  },
})

/** The person whom an invitation is for, once a code confirms their second factor. */
async function createUser(
  em: EntityManager,
  encrypter: Encrypter,
  { invitation, code }: { invitation: TeamInvitation; code: string },
  at: number,
): Promise<User> {
  const { accountId, email, role, fullName, passwordHash, encryptedTotpSecret } = invitation
  if (passwordHash === null || encryptedTotpSecret === null)
    throw new Refusal('CONFLICT', 'choose a name and a password first')
  const lastTotpStep = totpStep(encrypter.decrypt(encryptedTotpSecret), code, at)
  if (lastTotpStep === null) throw new Refusal('INVALID_CODE', 'the code is wrong')
  // Whoever holds the link owns the address, so they may learn this.
  if ((await em.count(User, { email })) > 0)
    throw new Refusal('CONFLICT', 'a person already signs in with this email address')
  return em.create(User, {
    id: newId('usr', at),
    accountId,
    email,
    emailVerified: true,
    role,
    fullName: fullName ?? '',
    method: 'totp',
    passwordHash,
    encryptedTotpSecret,
    lastTotpStep,
    createdAt: new Date(at),
  })
}
