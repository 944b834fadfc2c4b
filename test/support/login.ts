import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { BackupCode, hashBackupCode, newBackupCode, User } from '../../db/access/user.ts'
import { newId } from '../../domain/id.ts'
import type { Role } from '../../domain/access/role.ts'
import { bearer, fromAnywhere } from './api.ts'
import type { Reply } from './merchant.ts'
import type { Stack } from './stack.ts'

export const paths = {
  begin: '/api/v1/auth/login/init',
  password: '/api/v1/auth/login',
  verify: '/api/v1/auth/login/2fa/verify',
  resend: '/api/v1/auth/login/2fa/resend',
  refresh: '/api/v1/auth/refresh',
  logout: '/api/v1/auth/logout',
}

/** A person's login data. */
export type Person = { id: string; email: string; password: string; totpSecret: string; backupCodes: string[] }
type Challenge = { challenge_id: string; method: string; expires_at: string; backup_code_allowed: boolean }
export type Session = { access_token: string; refresh_token: string; user: Record<string, unknown> }

type NewPerson = {
  method?: 'totp' | 'email_otp'
  emailVerified?: boolean
  role?: Role
  accountId?: string | null
  fullName?: string
}

/** The code that an authenticator app shows at a time. */
export const totpAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

/** People, and their calls over real HTTP, each from a random address unless given. */
export function createLogins(stack: Stack) {
  const { services } = stack
  const now = async () => services.clock.now()
  let people = 0

  const post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    stack.merchant.call('POST', path, body, { authorization: '', ...fromAnywhere(), ...headers })
  const ok = <T>(reply: Reply): T => {
    assert.equal(reply.status, 200, reply.text)
    return reply.body as T
  }

  return {
    post,
    async addPerson(more: NewPerson = {}) {
      const { method = 'totp', emailVerified = true, role = 'owner', accountId, fullName = 'A Person' } = more
      const at = await now()
      const id = newId('usr', at)
      const email = `person${(people += 1)}.${id.slice(-6)}@example.com`
      const password = `marked-password-${id.slice(-8)}`
      const totpSecret = new Secret({ size: 20 }).base32
      const backupCodes = Array.from({ length: 3 }, newBackupCode)
      const em = stack.database.orm.em.fork()
      await em.insert(User, {
        id,
        email,
        emailVerified,
        method,
        role,
        fullName,
        lastTotpStep: null,
        accountId: accountId === undefined ? stack.organizationId : accountId,
        passwordHash: await services.passwords.hash(password),
        encryptedTotpSecret: services.encrypter.encrypt(totpSecret),
        createdAt: new Date(at),
      })
      for (const code of backupCodes) {
        const hash = hashBackupCode(services.config.keyPepper, id, code)
        await em.insert(BackupCode, { hash, userId: id, usedAt: null })
      }
      return { id, email, password, totpSecret, backupCodes } satisfies Person
    },
    async beginLogin(): Promise<string> {
      return ok<{ token: string }>(await post(paths.begin)).token
    },
    async sendPassword(
      { email, password }: { email: string; password: string },
      headers: Record<string, string> = {},
    ): Promise<Reply> {
      return post(paths.password, { email, password, login_token: await this.beginLogin() }, headers)
    },
    async challenge(person: Person): Promise<Challenge> {
      return ok(await this.sendPassword(person))
    },
    sendCode: ({ challenge_id }: { challenge_id: string }, code: string, code_type = 'primary'): Promise<Reply> =>
      post(paths.verify, { challenge_id, code, code_type }),
    /** Logs in with an authenticator app. One person can do that only once in 30 s. */
    async logIn(person: Person): Promise<Session> {
      return ok(await this.sendCode(await this.challenge(person), totpAt(person.totpSecret, await now())))
    },
    refresh: (refresh_token: string): Promise<Reply> => post(paths.refresh, { refresh_token }),
    logOut: (access: string, body: unknown): Promise<Reply> => post(paths.logout, body, bearer(access)),
    /** A call that any person of an organization may make. */
    read: (access: string): Promise<Reply> =>
      stack.merchant.call('GET', '/v1/payments', undefined, { ...fromAnywhere(), ...bearer(access) }),
    /** The mails to an address, oldest first. */
    async mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
      const rows = await stack.sql<{ sealed: string }>('select sealed from kept_mails order by created_at, id')
      const mails = rows.map(({ sealed }) => JSON.parse(services.encrypter.decrypt(sealed)) as Record<string, string>)
      return mails.filter(({ to }) => to === email) as { subject: string; text: string }[]
    },
    /** The newest code that was mailed to an address. */
    async codeTo(email: string): Promise<string> {
      return /\b\d{6}\b/.exec((await this.mailsTo(email)).at(-1)?.text ?? '')?.[0] ?? ''
    },
    /** The actions of a person in the audit log, oldest first. */
    async audited(userId: string): Promise<string[]> {
      const rows = await stack.sql<{ action: string }>(
        'select action from audit_entries where user_id = ? order by audit_entries.id',
        [userId],
      )
      return rows.map(({ action }) => action)
    },
  }
}
