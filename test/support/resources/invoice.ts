import { newId } from '../../../domain/id.ts'
import type { Environment } from '../../../domain/access/scope.ts'
import type { Makers, Owner, Routes } from '../resource.ts'
import type { Stack } from '../stack.ts'
import { subscriptionsOf } from '../subscription.ts'

/** An invoice that is open, as the service writes it, with its subscription; nothing was sold. */
async function makeInvoice(stack: Stack, { accountId }: Owner, environment: Environment) {
  const at = Date.now()
  const [customer, checkout, subscription, id] = (['cust', 'chk', 'sub', 'inv'] as const).map((one) => newId(one, at))
  const of = [accountId, environment]
  const pageKey = id?.slice(-32)
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
     values (?, ?, ?, 'canceled', ?, '[]', 25, 'USD', 'month', 1, 'automatic', 'org_pays', now(), now(),
       now() + interval '30 days', now(), now(), ?, '{}', now(), now(), now())`,
    [subscription, ...of, customer, checkout],
  )
  await stack.sql(
    `insert into invoices (id, account_id, environment, number, status, billing_reason, customer_id, customer_email,
       subscription_id, line_items, currency, subtotal, total, period_start, period_end, due_at, page_key, metadata,
       created_at, updated_at)
     values (?, ?, ?, ?, 'uncollectible', 'subscription_cycle', ?, 'ada@example.com', ?, '[]', 'USD', 25, 25, now(),
       now() + interval '30 days', now(), ?, '{}', now(), now())`,
    [id, ...of, id?.slice(-20), customer, subscription, pageKey],
  )
  return { id: String(id), pageKey: String(pageKey) }
}

/** The first invoice of a subscription, paid by card. */
async function sellOne(stack: Stack, { keys }: Owner) {
  const plans = subscriptionsOf({ ...stack, merchant: keys.sandbox.merchant })
  const [invoice] = await plans.invoices((await plans.subscribe()).subscription_id)
  return {
    id: String(invoice?.invoice_id),
    pageKey: String(String(invoice?.['hosted_invoice_url']).split('/').at(-1)),
  }
}

export const makers: Makers = {
  invoice_id: { prefix: 'inv', make: makeInvoice, makeByCalls: sellOne },
  page_key: {
    prefix: 'inv',
    make: async (...of) => ({ id: (await makeInvoice(...of)).pageKey }),
    makeByCalls: async (stack, owner) => ({ id: (await sellOne(stack, owner)).pageKey }),
  },
}

export const routes: Routes = {
  'GET /v1/payments/{payment_id}/receipt': {},
  'GET /v1/invoices': {},
  'GET /v1/invoices/{invoice_id}': {},
  'GET /v1/invoices/{invoice_id}/pdf': {},
  'POST /v1/invoices/{invoice_id}/void': {},
  'POST /v1/invoices/{invoice_id}/retry-payment': {},
  'GET /v1/invoices/{page_key}/public': {},
  'GET /v1/invoices/{page_key}/public/pdf': {},
  'POST /v1/invoices/{page_key}/pay': {},
}
