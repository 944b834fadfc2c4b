import type { Environment } from '../../../domain/access/scope.ts'
import { newId } from '../../../domain/id.ts'
import type { Makers, Owner, Processes, Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'
import { subscriptionsOf } from '../subscription.ts'

/** A subscription that has ended, as the service writes it, with its customer and checkout; nothing was sold. */
async function makeSubscription(stack: Stack, { accountId }: Owner, environment: Environment) {
  const at = Date.now()
  const [customer, checkout, id] = [newId('cust', at), newId('chk', at), newId('sub', at)]
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
    `insert into subscriptions (id, account_id, environment, status, customer_id, line_items, amount, currency,
       interval, interval_count, collection, fee_preference, anchor, current_period_start, current_period_end,
       charged_from, invoiced_until, checkout_id, metadata, created_at, updated_at, ended_at)
     values (?, ?, ?, 'canceled', ?, ?, 25, 'USD', 'month', 1, 'automatic', 'org_pays', now(), now(),
       now() + interval '30 days', now(), now(), ?, '{}', now(), now(), now())`,
    [id, ...of, customer, JSON.stringify([line]), checkout],
  )
  return { id }
}

const line = {
  product_id: newId('prod', Date.now()),
  product_name: 'Team plan',
  currency: 'USD',
  price_type: 'fixed',
  minimum_amount: null,
  maximum_amount: null,
  quantity: 1,
  unit_amount: '25.00',
  line_total: '25.00',
}

/** A monthly plan that was paid by card. */
async function sellOne(stack: Stack, { keys }: Owner) {
  const plans = subscriptionsOf({ ...stack, merchant: keys.sandbox.merchant })
  return { id: (await plans.subscribe()).subscription_id }
}

export const makers: Makers = {
  subscription_id: { prefix: 'sub', make: makeSubscription, makeByCalls: sellOne },
}

const laterThisYear = new Date(Date.now() + 40 * 86_400_000).toISOString()

export const routes: Routes = {
  'GET /v1/subscriptions': {},
  'GET /v1/subscriptions/{subscription_id}': {},
  'PATCH /v1/subscriptions/{subscription_id}': {
    body: { metadata: { a: 'b' } },
    bodies: () => [{ metadata: { a: '' }, payment_method_id: newId('pm', Date.now()), trial_end: 'now' }],
  },
  'POST /v1/subscriptions/{subscription_id}/cancel': {
    body: {},
    bodies: () => [{ at_period_end: true, reason: 'too_expensive', comment: 'Not now.' }],
  },
  'POST /v1/subscriptions/{subscription_id}/uncancel': {},
  'POST /v1/subscriptions/{subscription_id}/pause': {
    body: {},
    bodies: () => [{ at_period_end: true, resumes_at: laterThisYear }],
  },
  'POST /v1/subscriptions/{subscription_id}/resume': {},
  'POST /v1/subscriptions/{subscription_id}/change-plan': {
    body: { quantity: 2 },
    bodies: ({ product_id }) => [{ product_id, quantity: 2, amount: '25.00', proration: 'none' }],
  },
  'POST /v1/subscriptions/{subscription_id}/preview-change': {
    body: { quantity: 2 },
    bodies: ({ product_id }) => [{ product_id, quantity: 2, amount: '25.00', proration: 'prorate' }],
  },
  'POST /v1/subscriptions/{subscription_id}/retry-payment': {},
  'GET /v1/customers/{customer_id}/state': {},
}

export const processes: Processes = {
  subscription: {
    begun: 'subscriptions',
    unfinished: `select id, account_id, environment from subscriptions
      where status <> 'canceled' or payment_id is not null`,
  },
}
