import assert from 'node:assert/strict'
import { type Api, bearer, fromAnywhere } from './api.ts'
import type { Reply } from './merchant.ts'
import { changeAccount } from './rows.ts'
import type { Stack } from './stack.ts'
import { addUser, type TestUser } from './user.ts'

type Json = Record<string, unknown>
export const keysPath = '/api/v1/auth/api-keys'

/** What people do with the API keys of their organization. */
export function withKeys(stack: Stack, api: Api) {
  const call = async (
    user: TestUser,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> =>
    stack.merchant.call(method, path, body, { ...fromAnywhere(), ...bearer(await user.token()), ...headers })

  return {
    call,
    create: (user: TestUser, body: unknown = { key_name: 'A key' }, headers: Record<string, string> = {}) =>
      call(user, 'POST', keysPath, body, headers),
    revoke: (user: TestUser, id: unknown) => call(user, 'POST', `${keysPath}/${String(id)}/revoke`),
    async list(user: TestUser) {
      const reply = await call(user, 'GET', keysPath)
      assert.equal(reply.status, 200, reply.text)
      return { ...reply, keys: (reply.body as { keys?: Json[] }).keys ?? [] }
    },
    /** An owner of a new organization, which may take payments if `paymentsEnabled`. */
    async newOwner(paymentsEnabled = false): Promise<TestUser> {
      const accountId = await api.addAccount()
      await changeAccount(stack, accountId, { paymentsEnabled })
      return addUser(stack, { accountId, role: 'owner' })
    },
    /** The status of a call with a key. */
    reads: async (key: string, base = stack.baseUrl) =>
      (await fetch(`${base}/v1/payments`, { headers: bearer(key) })).status,
    /** The audit log of an organization. */
    actions: (accountId: string) =>
      stack.sql<Json>('select action, user_id, target, address from audit_entries where account_id = ? order by id', [
        accountId,
      ]),
  }
}

export async function created(reply: Promise<Reply> | Reply): Promise<Record<string, string>> {
  const { status, text, body } = await reply
  assert.equal(status, 201, text)
  return body as Record<string, string>
}
