import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Router from '@koa/router'
import { createHttpServer } from '../../api/http/http-server.ts'
import type { Services } from '../../api/http/services.ts'
import { Account } from '../../db/core/account.ts'
import { ApiKey, newKey } from '../../db/access/api-key.ts'
import { newId } from '../../domain/id.ts'
import { type Environment, type RateTier, type Scope, scopes } from '../../domain/access/scope.ts'
import { createCheckedApp } from './answers.ts'
import { anyAddress } from './any-address.ts'
import { createMerchant, type Reply } from './merchant.ts'
import { changeAccount, liftRateLimits } from './rows.ts'
import type { Stack } from './stack.ts'

type NewKey = {
  accountId?: string
  environment?: Environment
  scopes?: readonly Scope[]
  rateTier?: RateTier
  expiresAt?: Date | null
  isActive?: boolean
}

/** What tests of the API need beside the stack: more accounts, keys and processes, and callers at many addresses. */
export function withApi(stack: Stack) {
  const { database, config } = stack.services
  const servers: Server[] = []

  return {
    /** Lifts the rate limit of the demo key, and lets each call name the address that it comes from. */
    async lift(): Promise<void> {
      config.trustedProxyHops = 1
      await liftRateLimits(stack)
    },
    async addAccount(): Promise<string> {
      const now = Date.now()
      const id = newId('acct', now)
      await database.orm.em.fork().insert(Account, { id, name: 'Another Organization', createdAt: new Date(now) })
      return id
    },
    /** An account that belongs to a platform, in both environments unless one is named. */
    async addConnected(ownerId: string, environment: Environment | null = null): Promise<string> {
      const id = await this.addAccount()
      await changeAccount(stack, id, { ownerId, environment })
      return id
    },
    /** A key of the demo organization, or of another account; in the sandbox by default. */
    async addKey(options: NewKey = {}) {
      const { accountId = stack.organizationId, environment = 'sandbox', isActive = true, expiresAt = null } = options
      const details = { accountId, environment, expiresAt, name: 'A test key', scopes: options.scopes ?? scopes }
      const { key, row } = newKey(config.keyPepper, details, Date.now())
      const { rateTier = 'unlimited' } = options
      await database.orm.em.fork().insert(ApiKey, { ...row, isActive, rateTier })
      return { id: row.id, key, accountId, merchant: createMerchant(stack.baseUrl, key) }
    },
    /** A merchant of another organization, with a key of every scope. */
    async addMerchant(environment: Environment = 'sandbox') {
      return this.addKey({ accountId: await this.addAccount(), environment })
    },
    /** Another API process on the same database, with pages of a test's own. */
    async addProcess(overrides: Partial<Services> = {}, addPages?: (router: Router) => void): Promise<string> {
      const services = { ...stack.services, ...overrides }
      const server = createHttpServer(createCheckedApp(services, addPages), services).listen(0, '127.0.0.1')
      servers.push(server)
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    close(): void {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

export type Api = ReturnType<typeof withApi>

/** Headers of a call from a random address, so that no limit by address is reached. */
export const fromAnywhere = (): Record<string, string> => ({
  'x-forwarded-for': anyAddress(),
})

export const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` })

type FieldError = { field: string; message: string; type: string; code?: string }

/** Asserts that an answer is exactly the error object, and returns its entries. */
export function assertError(reply: Reply, status: number, code: string): FieldError[] {
  assert.equal(reply.status, status, reply.text)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
  const { detail, error_code, doc_url, errors, ...rest } = reply.body as Record<string, unknown>
  assert.deepEqual(rest, {})
  assert.ok(String(doc_url).endsWith(`/docs/errors#${code}`), reply.text)
  assert.equal(error_code, code, reply.text)
  assert.equal(typeof detail, 'string')
  const fieldErrors = (errors ?? []) as FieldError[]
  for (const error of fieldErrors) {
    for (const name of ['field', 'message', 'type'] as const) assert.equal(typeof error[name], 'string', reply.text)
    assert.match(error.type, /^value_error(\.[a-z]+)?$/)
  }
  return fieldErrors
}

/** Asserts a 400 that names exactly these fields, with their types. */
export function assertFieldErrors(reply: Reply, expected: Record<string, string>): void {
  const errors = assertError(reply, 400, 'VALIDATION_ERROR')
  assert.deepEqual(Object.fromEntries(errors.map(({ field, type }) => [field, type])), expected)
}

type Pagination = Record<'next_cursor' | 'prev_cursor', string | null> &
  Record<'limit' | 'offset' | 'returned' | 'total', number> & { has_more: boolean }

/** A list's answer, read as the page it must be. */
export function pageOf({ status, text }: Reply) {
  assert.equal(status, 200, text)
  return JSON.parse(text) as { items: Record<string, unknown>[]; pagination: Pagination }
}
