import assert from 'node:assert/strict'
import { hashToken } from '../../db/core/token-hash.ts'
import { CustomerSession } from '../../db/subscription/customer-session.ts'
import { newId } from '../../domain/id.ts'
import { bearer, fromAnywhere } from './api.ts'
import type { Merchant, Reply } from './merchant.ts'
import type { Stack } from './stack.ts'

/** A customer session as the API answers it. */
type PortalSession = {
  customer_session_id: string
  customer_id: string
  token: string
  url: string
  expires_at: string
  [field: string]: unknown
}

/** Opens the portal for a customer. */
export async function openPortal(merchant: Merchant, customerId: string, fields: object = {}): Promise<PortalSession> {
  const body = { customer_id: customerId, return_url: 'https://example.com/account', ...fields }
  const { status, text } = await merchant.call('POST', '/v1/customer-sessions', body)
  assert.equal(status, 201, text)
  return JSON.parse(text) as PortalSession
}

/** The calls of a customer with a token, each from a random address. Paths are relative to the portal's. */
export const portalCalls =
  (merchant: Merchant, token: string) =>
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    merchant.call(method, `/v1/customer-portal/${path}`, body, { ...bearer(token), ...fromAnywhere(), ...headers })

const tables: Record<string, string> = { sub: 'subscriptions', inv: 'invoices', pm: 'saved_payment_methods' }

/** A token of the customer to whom a row belongs, written as the service writes it. */
export async function tokenForOwnerOf(stack: Stack, id: string): Promise<string> {
  const table = tables[id.split('_')[0] ?? '']
  assert.ok(table, id)
  const [row] = await stack.sql<{ account_id: string; environment: 'sandbox' | 'live'; customer_id: string }>(
    `select account_id, environment, customer_id from ${table} where id = ?`,
    [id],
  )
  assert.ok(row, id)
  return addToken(stack, { accountId: row.account_id, environment: row.environment, customerId: row.customer_id })
}

type Owned = Pick<CustomerSession, 'accountId' | 'environment' | 'customerId'>

/** A token of a customer, written as the service writes it. */
export async function addToken({ database }: Stack, owner: Owned): Promise<string> {
  const at = Date.now()
  const id = newId('cs', at)
  const token = `${id}_secret_${'t'.repeat(32)}`
  const session = { ...owner, id, tokenHash: hashToken(token), returnUrl: 'https://example.com', flow: null }
  const times = { createdAt: new Date(at), expiresAt: new Date(at + 3_600_000) }
  await database.orm.em.fork().insert(CustomerSession, { ...session, ...times })
  return token
}
