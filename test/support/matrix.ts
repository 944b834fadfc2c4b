import { newId, type IdPrefix } from '../../domain/id.ts'
import type { Environment } from '../../domain/scope.ts'
import type { Api } from './api.ts'
import { buyer, card, cards, sale } from './merchant.ts'
import type { Stack } from './stack.ts'

/** An organization that owns rows in both environments. */
export type Owner = {
  accountId: string
  keys: Record<Environment, Awaited<ReturnType<Api['addKey']>>>
}

/** A row, and the client secret that opens it where it has one. */
export type Made = { id: string; secret?: string }

type Maker = {
  prefix: IdPrefix
  /** Whether people see both environments' rows at once. */
  inBothEnvironments?: boolean
  make(stack: Stack, owner: Owner, environment: Environment): Promise<Made>
}

/** What makes a row of an owner, by the name of the path parameter that its id goes into. */
export const makers: Record<string, Maker> = {
  checkout_id: {
    prefix: 'chk',
    async make(_stack, { keys }, environment) {
      // A live account has no rail yet: it can sell only what is free.
      const amount = environment === 'live' ? '0.00' : sale.amount
      const { checkout_id: id, client_secret: secret } = await keys[environment].merchant.createCheckout({
        ...sale,
        amount,
      })
      return { id, secret }
    },
  },
  payment_id: {
    prefix: 'pay',
    async make(stack, { accountId }, environment) {
      const id = newId('pay', Date.now())
      await stack.sql(
        `insert into payments (id, account_id, environment, status, amount, settles, fee, fee_usd, fee_preference,
           currency, corridor, metadata, created_at, updated_at)
         values (?, ?, ?, 'succeeded', 10, 10, 0, 0, 'org_pays', 'USD', 'USD_CARD', '{}', now(), now())`,
        [id, accountId, environment],
      )
      return { id }
    },
  },
  virtual_account_id: {
    prefix: 'va',
    async make(stack, { accountId }, environment) {
      const id = newId('va', Date.now())
      const customerId = newId('cust', Date.now())
      await stack.sql(
        `insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
         values (?, ?, ?, ?, '{}', now(), now())`,
        [customerId, accountId, environment, `${customerId}@example.com`],
      )
      await stack.sql(
        `insert into virtual_accounts (id, account_id, environment, customer_id, currency, account_number,
           account_name, bank_code, bank_name, created_at)
         values (?, ?, ?, ?, 'NGN', lpad(floor(random() * 1e10)::bigint::text, 10, '0'), 'A', '998', 'A bank', now())`,
        [id, accountId, environment, customerId],
      )
      return { id }
    },
  },
  api_key_id: {
    prefix: 'key',
    inBothEnvironments: true,
    async make(stack, { accountId }, environment) {
      const id = newId('key', Date.now())
      await stack.sql(
        `insert into api_keys (id, account_id, environment, name, hash, last_four, scopes, is_active, created_at)
         values (?, ?, ?, 'An old key', ?, 'none', '{}', false, now())`,
        [id, accountId, environment, id],
      )
      return { id }
    },
  },
}

const payment = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer }

/** Every route, with a body that it takes: a refusal then is about the caller or the id, not about the input. */
export const routes: Record<string, { body?: Record<string, unknown> }> = {
  'POST /v1/checkout-sessions': { body: sale },
  'GET /v1/checkout-sessions': {},
  'GET /v1/checkout-sessions/{checkout_id}': {},
  'POST /v1/checkout-sessions/{checkout_id}/cancel': {},
  'GET /v1/checkout-sessions/{checkout_id}/public': {},
  'POST /v1/checkout-sessions/{checkout_id}/pay': { body: payment },
  'POST /v1/checkout-sessions/{checkout_id}/confirm': { body: {} },
  'GET /v1/payments': {},
  'GET /v1/payments/{payment_id}': {},
  'POST /v1/virtual-accounts': {
    body: { customer_id: newId('cust', Date.now()), currency: 'NGN', account_name: 'Ada Buyer' },
  },
  'GET /v1/virtual-accounts': {},
  'GET /v1/virtual-accounts/{virtual_account_id}': {},
  'PUT /api/v1/notifications/webhooks/configuration': { body: { webhook_url: 'https://example.com/hooks' } },
  'GET /api/v1/notifications/webhooks/endpoint': {},
  'POST /api/v1/notifications/webhooks/test': {},
  'POST /v1/test-helpers/checkout-sessions/{checkout_id}/pay': { body: {} },
  'POST /v1/test-helpers/payments/{payment_id}/deposit': { body: {} },
  'POST /v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits': { body: { amount: '1.00' } },
  'POST /v1/test-helpers/events/trigger': { body: { type: 'refund.paid' } },
  'GET /v1/test-helpers/emails': {},
  'POST /api/v1/auth/login/init': {},
  'POST /api/v1/auth/login': { body: {} },
  'POST /api/v1/auth/login/2fa/verify': { body: {} },
  'POST /api/v1/auth/login/2fa/resend': { body: {} },
  'POST /api/v1/auth/refresh': { body: {} },
  'POST /api/v1/auth/logout': { body: { logout_all_devices: true } },
  'POST /api/v1/auth/api-keys': { body: { key_name: 'A key' } },
  'GET /api/v1/auth/api-keys': {},
  'POST /api/v1/auth/api-keys/{api_key_id}/revoke': {},
  'PATCH /api/v1/auth/api-keys/{api_key_id}': { body: { scopes: ['payments:read'] } },
}
