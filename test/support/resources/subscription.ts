import { newId } from '../../../domain/id.ts'
import type { Environment } from '../../../domain/access/scope.ts'
import type { Makers, Owner, Processes, Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'
import { subscriptionsOf } from '../subscription.ts'

type Rows = Record<'customer' | 'checkout' | 'card' | 'subscription' | 'invoice' | 'pageKey', string>

/** A customer with a canceled subscription, its card and its invoice, as the service writes them; nothing was sold. */
export async function writeSubscription(
  stack: Stack,
  { accountId }: Pick<Owner, 'accountId'>,
  environment: Environment,
): Promise<Rows> {
  const at = Date.now()
  const [customer, checkout, card] = [newId('cust', at), newId('chk', at), newId('pm', at)]
  const [subscription, invoice] = [newId('sub', at), newId('inv', at)]
  const pageKey = invoice.slice(-32)
  const of = [accountId, environment]
  await stack.sql(
    `insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
     values (?, ?, ?, ?, '{}', now(), now())`,
    [customer, ...of, `${customer}@example.com`],
  )
  await stack.sql(
    `insert into checkouts (id, account_id, environment, status, payment_status, amount, currency, source_type,
       fee_preference, success_url, metadata, client_secret_hash, expires_at, created_at, updated_at)
     values (?, ?, ?, 'cancelled', 'requires_payment_method', 25, 'USD', 'CHECKOUT_SESSION', 'org_pays',
       'https://example.com', '{}', '', now(), now(), now())`,
    [checkout, ...of],
  )
  await stack.sql(
    `insert into saved_payment_methods (id, account_id, environment, customer_id, corridor, rail_token, brand, last4,
       exp_month, exp_year, country, checkout_id, created_at)
     values (?, ?, ?, ?, 'USD_CARD', ?, 'visa', '4242', 12, 2040, 'US', ?, now())`,
    [card, ...of, customer, card, checkout],
  )
  const item = {
    product_id: newId('prod', at),
    product_name: 'Plan',
    currency: 'USD',
    price_type: 'fixed',
    minimum_amount: null,
    maximum_amount: null,
    quantity: 1,
    unit_amount: '25.00',
    line_total: '25.00',
  }
  await stack.sql(
    `insert into subscriptions (id, account_id, environment, status, customer_id, line_items, amount, currency,
       interval, interval_count, collection, fee_preference, anchor, current_period_start, current_period_end,
       charged_from, invoiced_until, payment_method_id, checkout_id, metadata, created_at, updated_at, ended_at)
     values (?, ?, ?, 'canceled', ?, ?, 25, 'USD', 'month', 1, 'automatic', 'org_pays', now(), now(),
       now() + interval '30 days', now(), now(), ?, ?, '{"shelf": "7"}', now(), now(), now())`,
    [subscription, ...of, customer, JSON.stringify([item]), card, checkout],
  )
  await stack.sql(
    `insert into invoices (id, account_id, environment, number, status, billing_reason, customer_id, customer_email,
       subscription_id, line_items, currency, subtotal, total, period_start, period_end, due_at, page_key, metadata,
       created_at, updated_at)
     values (?, ?, ?, ?, 'uncollectible', 'subscription_cycle', ?, 'ada@example.com', ?, '[]', 'USD', 25, 25, now(),
       now() + interval '30 days', now(), ?, '{}', now(), now())`,
    [invoice, ...of, invoice.slice(-20), customer, subscription, pageKey],
  )
  return { customer, checkout, card, subscription, invoice, pageKey }
}

/** A monthly plan that was paid by card. */
export const sell = ({ keys }: Owner, stack: Stack) =>
  subscriptionsOf({ ...stack, merchant: keys.sandbox.merchant }).subscribe()

export const makers: Makers = {
  subscription_id: {
    prefix: 'sub',
    make: async (...of) => ({ id: (await writeSubscription(...of)).subscription }),
    makeByCalls: async (stack, owner) => ({ id: (await sell(owner, stack)).subscription_id }),
  },
  payment_method_id: {
    prefix: 'pm',
    make: async (...of) => ({ id: (await writeSubscription(...of)).card }),
    makeByCalls: async (stack, owner) => ({ id: String((await sell(owner, stack)).payment_method_id) }),
  },
}

const [one, portal] = ['/v1/subscriptions/{subscription_id}', '/v1/customer-portal']
const own = `${portal}/subscriptions/{subscription_id}`

export const routes: Routes = {
  'GET /v1/subscriptions': {},
  [`GET ${one}`]: {},
  [`PATCH ${one}`]: { body: {}, bodies: () => [{ metadata: { a: 'b' } }, { trial_end: 'now' }] },
  [`POST ${one}/cancel`]: { body: {}, bodies: () => [{ at_period_end: false, reason: 'other', comment: 'Bye' }] },
  [`POST ${one}/uncancel`]: {},
  [`POST ${one}/pause`]: { body: {}, bodies: () => [{ at_period_end: false, resumes_at: '2999-01-01T00:00:00Z' }] },
  [`POST ${one}/resume`]: {},
  [`POST ${one}/change-plan`]: { body: {}, bodies: ({ product_id }) => [{ product_id, proration: 'none' }] },
  [`POST ${one}/preview-change`]: { body: {}, bodies: ({ product_id }) => [{ product_id, quantity: 2 }] },
  [`POST ${one}/retry-payment`]: {},
  'GET /v1/customers/{customer_id}/state': {},
  'POST /v1/customer-sessions': {
    body: { customer_id: newId('cust', 0), return_url: 'https://example.com' },
    bodies: ({ customer_id }) => [
      { customer_id, return_url: 'https://example.com/account' },
      { customer_id, return_url: 'https://example.com', flow: { type: 'subscription_cancel' } },
    ],
  },
  [`GET ${portal}/me`]: {},
  [`PATCH ${portal}/me`]: {
    body: {},
    bodies: () => [{ name: 'Ada', billing_address: { line1: '12 Marina Road', country: 'NG' } }],
  },
  [`GET ${portal}/subscriptions`]: {},
  [`GET ${own}`]: {},
  [`GET ${own}/plans`]: {},
  [`POST ${own}/cancel`]: { body: {}, bodies: () => [{ reason: 'too_expensive', comment: 'Bye' }] },
  [`POST ${own}/uncancel`]: {},
  [`POST ${own}/change-plan`]: { body: { product_id: newId('prod', 0) } },
  [`POST ${own}/preview-change`]: { body: { product_id: newId('prod', 0) } },
  [`POST ${own}/payment-method`]: { body: { payment_method_id: newId('pm', 0) } },
  [`POST ${own}/retry-payment`]: {},
  [`GET ${portal}/invoices`]: {},
  [`GET ${portal}/invoices/{invoice_id}`]: {},
  [`GET ${portal}/payment-methods`]: {},
  [`POST ${portal}/payment-methods`]: { body: {} },
  [`DELETE ${portal}/payment-methods/{payment_method_id}`]: {},
}

export const processes: Processes = {
  subscription: {
    begun: 'subscriptions',
    unfinished: `select id, account_id, environment from subscriptions
      where status <> 'canceled' or payment_id is not null`,
  },
}
