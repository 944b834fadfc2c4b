import type { IdPrefix } from '../id.ts'

/** Where the resources with a timeline are, by the prefixes of their ids. Payments and payouts share one. */
export const tracedPaths = {
  chk: ['/v1/checkout-sessions'],
  pay: ['/v1/payments', '/v1/payouts'],
  ref: ['/v1/refunds'],
  pd: ['/v1/payouts/destinations'],
  cnv: ['/v1/conversions'],
  dlv: ['/v1/webhooks/deliveries'],
  sub: ['/v1/subscriptions'],
  inv: ['/v1/invoices'],
  dsp: ['/v1/disputes'],
  acct: ['/v1/accounts'],
} as const satisfies Partial<Record<IdPrefix, readonly string[]>>
