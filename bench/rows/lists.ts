import { readFileSync } from 'node:fs'
import type { Figure } from '../figure.ts'
import type { Testbed } from '../testbed.ts'
import { compare, fillShop, get, SMALL } from './size.ts'

const fill = readFileSync(new URL('./fill-lists.sql', import.meta.url), 'utf8')
/** One of those who have 100 subscriptions, in both shops. */
const customer = `cust_${'0'.repeat(33)}5`

/** Every list of the dashboard that grows with use, by what it is asked for most. */
const lists = [
  '/v1/products',
  '/v1/payment-links',
  '/api/v1/payments/refunds',
  '/api/v1/payments/refunds?status=failed',
  '/v1/payouts',
  '/v1/payouts?status=failed',
  '/v1/conversions',
  '/v1/conversions?status=failed',
  '/v1/transfers',
  '/v1/subscriptions',
  '/v1/subscriptions?status=canceled',
  `/v1/subscriptions?customer_id=${customer}`,
  '/v1/invoices',
  '/v1/invoices?status=open',
  '/v1/disputes',
  '/v1/disputes?status=needs_response',
  '/v1/webhooks/events',
  '/v1/webhooks/events?type=payout.failed',
  `/v1/webhooks/endpoints/we_${'0'.repeat(33)}1/deliveries`,
  `/v1/webhooks/endpoints/we_${'0'.repeat(33)}1/deliveries?status=failed`,
]

/** The lists of a shop with few rows of each kind, and of one with many. */
export async function measureLists(testbed: Testbed): Promise<Figure[]> {
  const small = await testbed.openShop('few-rows', 'bench-idle')
  const large = await testbed.openShop('many-rows', 'bench-idle')
  await Promise.all([fillShop(small, fill, { rows: SMALL }), fillShop(large, fill, { rows: testbed.size })])
  return compare(
    testbed,
    { small, large },
    lists.map((path) => get(path)),
  )
}
