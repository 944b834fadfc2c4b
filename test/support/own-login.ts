import assert from 'node:assert/strict'
import { bearer, fromAnywhere } from './api.ts'
import { createLogins, type Person, totpAt } from './login.ts'
import type { Reply } from './merchant.ts'
import type { Stack } from './stack.ts'
import { until } from './until.ts'

export const own = {
  factor: '/api/v1/auth/second-factor',
  code: '/api/v1/auth/code',
  password: '/api/v1/auth/password',
  backupCodes: '/api/v1/auth/backup-codes',
  authenticator: '/api/v1/auth/authenticator',
  confirm: '/api/v1/auth/authenticator/confirm',
}

export const nextPassword = 'a-marked-new-password'

/** A backup code as the calls take it. */
export const backup = (code: string | undefined) => ({ code: code ?? '', code_type: 'backup' })

/** The body that changes a person's password. */
export const change = ({ password }: Person, code: object, more: object = {}) => ({
  current_password: password,
  new_password: nextPassword,
  ...code,
  ...more,
})

export const statuses = (replies: Reply[]) => replies.map(({ status }) => status).toSorted()

/** People who change what they sign in with. `time.now` is what the stack's clock says, in ms since the epoch. */
export function createOwnLogins(stack: Stack, time: { now: number }) {
  const logins = createLogins(stack)
  const post = (path: string, access: string, body?: object, from = fromAnywhere()) =>
    logins.post(path, body, { ...from, ...bearer(access) })

  async function logIn(person: Person, more: { secret?: string; password?: string } = {}) {
    const { secret = person.totpSecret, password = person.password } = more
    const opened = (await logins.sendPassword({ ...person, password })).body as Record<string, string>
    const code = opened['method'] === 'totp' ? totpAt(secret, time.now) : await logins.codeTo(person.email)
    const reply = await logins.sendCode({ challenge_id: opened['challenge_id'] ?? '' }, code)
    assert.equal(reply.status, 200, reply.text)
    return reply.body as Record<string, unknown> as { access_token: string; refresh_token: string }
  }

  return {
    logins,
    post,
    logIn,
    /** A person who is signed in. The code that they have signed in with is used up; half a minute has passed. */
    async signedIn(more: Parameters<typeof logins.addPerson>[0] = {}) {
      const person = await logins.addPerson(more)
      const session = await logIn(person)
      time.now += 30_000
      return { person, access: session.access_token, refresh: session.refresh_token }
    },
    factorOf: async (access: string) =>
      (await stack.merchant.call('GET', own.factor, undefined, { ...fromAnywhere(), ...bearer(access) })).body,
    codeOf: ({ totpSecret }: Person) => totpAt(totpSecret, time.now),
    isRefused: (access: string) =>
      until(async () => (await logins.read(access)).status === 401, 'its access token is refused', {
        withinMs: 1_500,
      }),
    mailsTo: async ({ email }: Person) => (await logins.mailsTo(email)).map(({ subject }) => subject),
    /** Whether a text can be read in a table of people and their logins. */
    async isStored(text: string): Promise<boolean> {
      const tables = ['users', 'backup_codes', 'login_challenges', 'pending_authenticators', 'audit_entries']
      for (const table of tables) {
        const rows = await stack.sql(`select 1 from ${table} r where r::text ilike ?`, [`%${text}%`])
        if (rows.length > 0) return true
      }
      return false
    },
  }
}
