import { Event } from '../../db/webhook/event.ts'
import { newEndpoint, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { newId, type IdPrefix } from '../../domain/id.ts'
import type { Environment } from '../../domain/access/scope.ts'
import type { Api } from './api.ts'
import { destinations, register } from './destination.ts'
import { buyer, card, cards, type Merchant, sale } from './merchant.ts'
import type { Stack } from './stack.ts'
import { createLink, newLink, slugOf } from './payment-link.ts'
import { formType, pdfForm, png, sendFile } from './upload.ts'

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

async function makePayment(stack: Stack, { accountId }: Owner, environment: Environment): Promise<string> {
  const id = newId('pay', Date.now())
  await stack.sql(
    `insert into payments (id, account_id, environment, status, amount, settles, fee, fee_usd, fee_preference,
       currency, corridor, metadata, created_at, updated_at)
     values (?, ?, ?, 'succeeded', 10, 10, 0, 0, 'org_pays', 'USD', 'USD_CARD', '{}', now(), now())`,
    [id, accountId, environment],
  )
  return id
}

async function makeQuote(stack: Stack, { accountId }: Owner, environment: Environment): Promise<string> {
  const id = newId('quo', Date.now())
  await stack.sql(
    `insert into conversion_quotes (id, account_id, environment, from_amount, from_currency, to_amount, to_currency,
       rate, fee, expires_at, created_at)
     values (?, ?, ?, 100, 'USD', 158400, 'NGN', 1600, 1, now() + interval '5 minutes', now())`,
    [id, accountId, environment],
  )
  return id
}

async function makeDestination({ keys }: Owner, environment: Environment): Promise<string> {
  return (await register(keys[environment].merchant, 'GBP')).id
}

/** A refund and its charge, as the service writes them; nothing is booked. */
async function makeRefund(stack: Stack, owner: Owner, environment: Environment) {
  const { accountId } = owner
  const [refundId, chargeId] = [newId('ref', Date.now()), await makePayment(stack, owner, environment)]
  await stack.sql(
    `insert into refunds (id, account_id, environment, charge_id, reference, currency, requested_amount, fee_amount,
       fee_bearer, created_at, updated_at)
     values (?, ?, ?, ?, 'return-1', 'USD', 10, 0.3, 'ORG', now(), now())`,
    [refundId, accountId, environment, chargeId],
  )
  return { refundId, chargeId }
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
  payment_id: { prefix: 'pay', make: async (...of) => ({ id: await makePayment(...of) }) },
  product_id: {
    prefix: 'prod',
    make: async (_stack, { keys }, environment) => ({
      id: await make(keys[environment].merchant, '/v1/products', freeProduct, 'product_id'),
    }),
  },
  product_group_id: {
    prefix: 'pg',
    async make(_stack, { keys }, environment) {
      const { merchant } = keys[environment]
      const product = await make(merchant, '/v1/products', freeProduct, 'product_id')
      return { id: await make(merchant, '/v1/product-groups', { name: 'A', products: [product] }, 'product_group_id') }
    },
  },
  payment_link_id: {
    prefix: 'pl',
    async make(_stack, { keys }, environment) {
      return { id: (await createLink(keys[environment].merchant, { price: freePrice })).payment_link_id }
    },
  },
  slug: {
    prefix: 'pl',
    async make(_stack, { keys }, environment) {
      return { id: slugOf(await createLink(keys[environment].merchant, { price: freePrice })) }
    },
  },
  upload_id: {
    prefix: 'upl',
    async make(_stack, { keys }, environment) {
      const { body } = await sendFile(keys[environment].merchant, png)
      return { id: String(body['upload_id']) }
    },
  },
  customer_id: {
    prefix: 'cust',
    async make(_stack, { keys }, environment) {
      const email = `${newId('cust', Date.now())}@example.com`
      const { body } = await keys[environment].merchant.call('POST', '/v1/customers', { email })
      return { id: String(body['customer_id']) }
    },
  },
  refund_id: { prefix: 'ref', make: async (...of) => ({ id: (await makeRefund(...of)).refundId }) },
  payout_id: {
    prefix: 'pay',
    async make(stack, owner, environment) {
      const [id, destinationId] = [newId('pay', Date.now()), await makeDestination(owner, environment)]
      await stack.sql(
        `insert into payouts (id, account_id, environment, destination_id, destination_type, amount, currency,
           source_amount, source_currency, fee, quote_fee, metadata, created_at, updated_at)
         values (?, ?, ?, ?, 'bank_account', 10, 'USD', 10, 'USD', 0, 0, '{}', now(), now())`,
        [id, owner.accountId, environment, destinationId],
      )
      return { id }
    },
  },
  charge_id: { prefix: 'pay', make: async (...of) => ({ id: (await makeRefund(...of)).chargeId }) },
  quote_id: { prefix: 'quo', make: async (...of) => ({ id: await makeQuote(...of) }) },
  conversion_id: {
    prefix: 'cnv',
    async make(stack, owner, environment) {
      const [id, at] = [newId('cnv', Date.now()), new Date()]
      await stack.sql(
        `insert into conversions (id, account_id, environment, quote_id, from_amount, from_currency, to_amount,
           to_currency, rate, fee, metadata, created_at, updated_at)
         values (?, ?, ?, ?, 100, 'USD', 158400, 'NGN', 1600, 1, '{}', ?, ?)`,
        [id, owner.accountId, environment, await makeQuote(stack, owner, environment), at, at],
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
  destination_id: {
    prefix: 'pd',
    make: async (_stack, owner, environment) => ({ id: await makeDestination(owner, environment) }),
  },
  review_id: {
    prefix: 'rvw',
    async make(stack, { accountId }, environment) {
      const id = newId('rvw', Date.now())
      await stack.sql(
        `insert into reviews (id, account_id, environment, type, resource_id, reason, reminds_at, escalates_at,
           created_at, updated_at)
         values (?, ?, ?, 'payout', ?, 'A reason', now(), now(), now(), now())`,
        [id, accountId, environment, newId('pay', Date.now())],
      )
      return { id }
    },
  },
  endpoint_id: {
    prefix: 'we',
    async make({ database }, { accountId }, environment) {
      const [id, now] = [newId('we', Date.now()), new Date()]
      await database.orm.em.fork().insert(WebhookEndpoint, {
        ...{ id, accountId, environment, createdAt: now, updatedAt: now },
        ...newEndpoint,
        events: ['invoice.paid'], // nothing of what the matrix sets off
        url: 'http://127.0.0.1:9/hooks',
      })
      return { id }
    },
  },
  recovery_id: {
    prefix: 'rcv',
    async make(stack, { accountId }, environment) {
      const id = newId('rcv', Date.now())
      await stack.sql(
        `insert into webhook_recoveries
           (id, account_id, environment, endpoint_id, since, until, created_at, completed_at)
         values (?, ?, ?, ?, now() - interval '1 hour', now(), now(), now())`,
        [id, accountId, environment, newId('we', Date.now())],
      )
      return { id }
    },
  },
  event_id: {
    prefix: 'evt',
    async make({ database }, { accountId }, environment) {
      const [id, createdAt, type] = [newId('evt', Date.now()), new Date(), 'refund.paid' as const]
      const body = JSON.stringify({ id, type, created_at: createdAt.toISOString(), data: {} })
      const event = { id, accountId, environment, type, resourceId: newId('ref', 0), body, createdAt }
      await database.orm.em.fork().insert(Event, event)
      return { id }
    },
  },
}

async function make(merchant: Merchant, path: string, body: object, idField: string): Promise<string> {
  const reply = await merchant.call('POST', path, body)
  return String(reply.body[idField])
}

const freeProduct = { name: 'A product', price_type: 'free', currency: 'USD' }
const freePrice = { price_type: 'free', currency: 'USD' }
const payment = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer }

/** Every route, with a body that it takes: a refusal then is about the caller or the id, not about the input. */
export const routes: Record<string, { body?: Record<string, unknown> | string; type?: string }> = {
  'POST /v1/checkout-sessions': { body: sale },
  'GET /v1/checkout-sessions': {},
  'GET /v1/checkout-sessions/{checkout_id}': {},
  'POST /v1/checkout-sessions/{checkout_id}/cancel': {},
  'GET /v1/checkout-sessions/{checkout_id}/public': {},
  'POST /v1/checkout-sessions/{checkout_id}/pay': { body: payment },
  'POST /v1/checkout-sessions/{checkout_id}/confirm': { body: {} },
  'PUT /v1/accounts/checkout/settings': { body: { fee_preference: 'org_pays' } },
  'GET /v1/accounts/checkout/settings': {},
  'GET /v1/account': {},
  'PATCH /v1/account': { body: { timezone: 'Africa/Lagos' } },
  'POST /v1/payment-links': { body: { ...newLink, price: freePrice } },
  'GET /v1/payment-links': {},
  'GET /v1/payment-links/{payment_link_id}': {},
  'PATCH /v1/payment-links/{payment_link_id}': { body: { name: 'Another name' } },
  'GET /v1/payment-links/{slug}/public': {},
  'POST /v1/payment-links/{slug}/sessions': { body: {} },
  'GET /v1/payments': {},
  'GET /v1/payments/{payment_id}': {},
  'POST /v1/payments/{payment_id}/accept': {},
  'POST /v1/products': { body: freeProduct },
  'GET /v1/products': {},
  'GET /v1/products/{product_id}': {},
  'PATCH /v1/products/{product_id}': { body: { name: 'Another name' } },
  'DELETE /v1/products/{product_id}': {},
  'POST /v1/product-groups': { body: { name: 'A group', products: ['prod_of_nobody'] } },
  'GET /v1/product-groups': {},
  'GET /v1/product-groups/{product_group_id}': {},
  'PATCH /v1/product-groups/{product_group_id}': { body: { name: 'Another name' } },
  'DELETE /v1/product-groups/{product_group_id}': {},
  'POST /v1/utilities/uploads': { body: pdfForm, type: formType },
  'DELETE /v1/utilities/uploads/{upload_id}': {},
  'GET /v1/reference/product-categories': {},
  'POST /v1/customers': { body: { email: buyer.email } },
  'GET /v1/customers': {},
  'GET /v1/customers/{customer_id}': {},
  'GET /v1/customers/{customer_id}/payment-methods': {},
  'POST /v1/customers/{customer_id}/payment-methods': { body: { payment_method_id: newId('pm', Date.now()) } },
  'PATCH /v1/customers/{customer_id}': { body: { name: 'Ada Changed' } },
  'GET /v1/payment-methods': {},
  'POST /api/v1/payments/refunds': { body: { charge_id: newId('pay', Date.now()), reference: 'return-1' } },
  'GET /api/v1/payments/refunds': {},
  'GET /api/v1/payments/refunds/{refund_id}': {},
  'GET /api/v1/payments/payins/{charge_id}/refund': {},
  'POST /v1/payouts': { body: { destination: newId('pd', Date.now()), amount: '10.00' } },
  'POST /v1/payouts/estimate': { body: { destination: newId('pd', Date.now()), amount: '10.00' } },
  'GET /v1/payouts': {},
  'GET /v1/payouts/{payout_id}': {},
  'GET /api/v1/admin/payouts/{payout_id}': {},
  'POST /api/v1/admin/payouts/{payout_id}/review': { body: { decision: 'approve' } },
  'POST /api/v1/admin/payouts/{payout_id}/retry': { body: { reason: 'A reason' } },
  'POST /api/v1/admin/payouts/{payout_id}/mark-settled': { body: { reason: 'A reason', proof_ref: 'P-1' } },
  'POST /api/v1/admin/payouts/{payout_id}/mark-failed': { body: { reason: 'A reason' } },
  'GET /api/v1/admin/stuck': {},
  'POST /v1/test-helpers/payouts/{payout_id}/settle': { body: {} },
  'POST /v1/payouts/destinations': { body: { name: 'Main', ...destinations.NGN } },
  'GET /v1/payouts/destinations': {},
  'POST /v1/payouts/destinations/resolve': {
    body: { currency: 'NGN', bank_code: destinations.NGN.bank_code, account_number: destinations.NGN.account_number },
  },
  'GET /v1/payouts/destinations/{destination_id}': {},
  'PATCH /v1/payouts/destinations/{destination_id}': { body: { name: 'Another name' } },
  'DELETE /v1/payouts/destinations/{destination_id}': {},
  'GET /v1/reference/banks': {},
  'GET /api/v1/admin/payout-destinations/{destination_id}': {},
  'POST /api/v1/admin/payout-destinations/{destination_id}/review': { body: { decision: 'approve' } },
  'GET /api/v1/admin/reviews': {},
  'POST /api/v1/admin/reviews/{review_id}/claim': {},
  'POST /v1/conversions/quotes': { body: { from_currency: 'USD', to_currency: 'NGN', from_amount: '100.00' } },
  'GET /v1/conversions/quotes/{quote_id}': {},
  'POST /v1/conversions': { body: { quote_id: newId('quo', Date.now()) } },
  'GET /v1/conversions': {},
  'GET /v1/conversions/{conversion_id}': {},
  'POST /v1/balance_settings': { body: { schedule_by_currency: { NGN: { interval: 'manual' } } } },
  'GET /v1/balance_settings': {},
  'GET /v1/balances': {},
  'GET /v1/balances/transactions': {},
  'POST /v1/virtual-accounts': {
    body: { customer_id: newId('cust', Date.now()), currency: 'NGN', account_name: 'Ada Buyer' },
  },
  'GET /v1/virtual-accounts': {},
  'GET /v1/virtual-accounts/{virtual_account_id}': {},
  'PUT /api/v1/notifications/webhooks/configuration': { body: { webhook_url: 'https://example.com/hooks' } },
  'GET /api/v1/notifications/webhooks/endpoint': {},
  'POST /api/v1/notifications/webhooks/test': {},
  'POST /v1/webhooks/endpoints': { body: { url: 'https://example.com/hooks' } },
  'GET /v1/webhooks/endpoints': {},
  'GET /v1/webhooks/endpoints/{endpoint_id}': {},
  'PATCH /v1/webhooks/endpoints/{endpoint_id}': { body: { description: 'Another' } },
  'DELETE /v1/webhooks/endpoints/{endpoint_id}': {},
  'GET /v1/webhooks/endpoints/{endpoint_id}/secret': {},
  'POST /v1/webhooks/endpoints/{endpoint_id}/secret/rotate': { body: {} },
  'POST /v1/webhooks/endpoints/{endpoint_id}/test': { body: {} },
  'GET /v1/webhooks/endpoints/{endpoint_id}/deliveries': {},
  'GET /v1/webhooks/recoveries/{recovery_id}': {},
  'POST /v1/webhooks/endpoints/{endpoint_id}/recover': { body: { since: new Date(Date.now() - 60_000).toISOString() } },
  'GET /v1/webhooks/events': {},
  'GET /v1/webhooks/events/{event_id}': {},
  'POST /v1/webhooks/events/{event_id}/resend': { body: {} },
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
