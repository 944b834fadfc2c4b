import type { Context } from 'koa'
import { corridorKeys } from '../../domain/corridor.ts'
import { paymentObjectStatuses } from '../../domain/checkout/payment.ts'
import type { Answer } from '../api.ts'
import type { Sessions } from '../access/site-session.ts'
import type { Listed } from './dashboard-lists.ts'
import { createdIn, dayIn, searchIn, wordIn } from './list-filter.ts'
import type { ListedPayment } from './payment-words.ts'

/** The filters of the list of payments, as its address has them; an empty one is not asked for. */
export type PaymentFilters = { status: string; method: string; from: string; to: string; search: string }

/** Reads the filters. What is no filter is left out. */
export const paymentFiltersIn = (ctx: Context): PaymentFilters => ({
  status: wordIn(ctx, 'status', paymentObjectStatuses),
  method: wordIn(ctx, 'method', corridorKeys),
  from: dayIn(ctx, 'from'),
  to: dayIn(ctx, 'to'),
  search: searchIn(ctx),
})

/** The API's filters of a search: by payment, by what it belongs to, else by your reference. */
const idFilters: Record<string, string> = { chk: 'checkout_id', sub: 'subscription_id', cust: 'customer_id' }

export type PaymentQuery = Record<string, string>

/**
 * What is asked of the API for these filters; null if no payment can match. An email is looked up among the customers,
 * as the API finds payments by customer.
 */
export async function paymentQuery(
  sessions: Sessions,
  ctx: Context,
  { status, method, from, to, search }: PaymentFilters,
): Promise<Answer<PaymentQuery | null>> {
  const query = {
    status,
    payment_method: method,
    ...createdIn({ from, to }),
  }
  if (search === '') return { ok: true, body: query }
  if (search.includes('@')) {
    const customer = await customerWith(sessions, ctx, search)
    if (!customer.ok) return customer
    return { ok: true, body: customer.body === null ? null : { ...query, customer_id: customer.body } }
  }
  const [prefix = ''] = search.split('_', 1)
  const byId = Object.hasOwn(idFilters, prefix) && search.startsWith(`${prefix}_`) ? idFilters[prefix] : undefined
  const longest = byId ? 64 : 128
  return { ok: true, body: search.length > longest ? null : { ...query, [byId ?? 'reference']: search } }
}

/** The payment that is searched for by its id, if there is one; null where the search is not for an id. */
export async function paymentById(
  sessions: Sessions,
  ctx: Context,
  { search }: Pick<PaymentFilters, 'search'>,
): Promise<Answer<ListedPayment[]> | null> {
  if (!search.startsWith('pay_')) return null
  const answer = await sessions.call<ListedPayment>(ctx, 'GET', `/v1/payments/${encodeURIComponent(search)}`)
  if (answer.ok) return { ok: true, body: [answer.body] }
  return [400, 404, 422].includes(answer.refused.status) ? { ok: true, body: [] } : answer
}

/** The customer with exactly this email; null if there is none. */
async function customerWith(sessions: Sessions, ctx: Context, email: string): Promise<Answer<string | null>> {
  type Customers = Listed<{ customer_id: string; email: string }>
  const path = `/v1/customers?${new URLSearchParams({ search: email, limit: '100' })}`
  const answer = await sessions.call<Customers>(ctx, 'GET', path)
  if (!answer.ok) return answer.refused.status === 422 || answer.refused.status === 400 ? nobody : answer
  const found = answer.body.items.find((each) => each.email === email.toLowerCase())
  return { ok: true, body: found?.customer_id ?? null }
}

const nobody: Answer<null> = { ok: true, body: null }

export const noPayments: Listed<ListedPayment> = { items: [], pagination: { next_cursor: null, prev_cursor: null } }
