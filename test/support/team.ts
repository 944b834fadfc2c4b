import assert from 'node:assert/strict'
import { TeamInvitation } from '../../db/access/team.ts'
import { hashToken } from '../../db/core/token-hash.ts'
import type { Role } from '../../domain/access/role.ts'
import { newId } from '../../domain/id.ts'
import { bearer, fromAnywhere } from './api.ts'
import { type createLogins, type Person, totpAt } from './login.ts'
import { createMerchant } from './merchant.ts'
import type { Stack } from './stack.ts'

type Logins = ReturnType<typeof createLogins>

type Given = { accountId: string | null; role?: Role; invitedBy?: string }

/** An open invitation that was mailed to nobody, with the token of its link. */
export async function addInvitation(
  { database }: Pick<Stack, 'database'>,
  { accountId, role = 'viewer', invitedBy = newId('usr', 0) }: Given,
): Promise<{ id: string; token: string; email: string }> {
  const at = Date.now()
  const id = newId('ti', at)
  const token = `${id}_secret_${'t'.repeat(32)}`
  const email = `${id}@example.com`
  await database.orm.em.fork().insert(TeamInvitation, {
    id,
    accountId,
    email,
    role,
    invitedBy,
    status: 'pending',
    fullName: null,
    tokenHash: hashToken(token),
    passwordHash: null,
    encryptedTotpSecret: null,
    createdAt: new Date(at),
    sentAt: new Date(at),
    expiresAt: new Date(at + 7 * 86_400_000),
    endedAt: null,
  })
  return { id, token, email }
}

/** An invitation as the API answers it to those who manage the team. */
export type Invitation = Record<'invitation_id' | 'email' | 'role' | 'status' | 'expires_at' | 'invited_by', string>

/** The tokens of the links that were mailed to an address, oldest first. */
export async function tokensTo({ mailsTo }: Pick<Logins, 'mailsTo'>, email: string): Promise<string[]> {
  const mails = await mailsTo(email)
  return mails.flatMap(({ text }) => /\/dashboard\/invitation\/(ti_\w+_secret_[\w-]+)/.exec(text)?.[1] ?? [])
}

/** The calls of the people of an organization and of the people whom they invite, each from a random address. */
export function createTeams(stack: Stack, logins: Logins, base = stack.baseUrl) {
  const { call: send } = base === stack.baseUrl ? stack.merchant : createMerchant(base, '')
  let people = 0
  const call = (method: string, path: string, token: string, body?: unknown, more: Record<string, string> = {}) =>
    send(method, path, body, { ...fromAnywhere(), ...bearer(token), ...more })
  return {
    call,
    newEmail: () => `invited${(people += 1)}.${newId('call', Date.now()).slice(-6)}@example.com`,
    invite: (token: string, email: string, role = 'developer', more: Record<string, string> = {}) =>
      call('POST', '/v1/team/invitations', token, { email, role }, more),
    accept: (link: string, password = 'a-long-password', full_name = 'Ada Obi') =>
      call('POST', '/v1/invitation/accept', link, { full_name, password }),
    async confirm(link: string, secret: string) {
      return call('POST', '/v1/invitation/confirm', link, { code: totpAt(secret, await stack.clock.now()) })
    },
    /** Does all that a mail asks for. Returns the person and what they sign in with. */
    async join(email: string): Promise<Person> {
      const link = (await tokensTo(logins, email)).at(-1) ?? ''
      const password = 'a-long-password'
      const totpSecret = String((await this.accept(link, password)).body['secret'])
      const joined = await this.confirm(link, totpSecret)
      assert.equal(joined.status, 200, joined.text)
      const { user, backup_codes: backupCodes } = joined.body as unknown as Joined
      return { id: user.id, email, password, totpSecret, backupCodes }
    },
    changeRole: (token: string, id: string, role: string) => call('PATCH', `/v1/team/members/${id}`, token, { role }),
    remove: (token: string, id: string) => call('DELETE', `/v1/team/members/${id}`, token),
  }
}

type Joined = { user: { id: string }; backup_codes: string[] }
