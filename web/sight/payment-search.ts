import type { Context } from 'koa'
import { corridorKeys } from '../../domain/corridor.ts'
import { paymentStatuses } from '../../domain/checkout/payment.ts'
import { type IdPrefix, idPattern } from '../../domain/id.ts'
import type { Answer } from '../api.ts'
import type { Sessions } from '../access/site-session.ts'
import type { Listed } from './dashboard-lists.ts'
import { createdIn, dayIn, searchIn, wordIn } from './list-filter.ts'
import type { ListedPayment } from './payment-words.ts'

/** The filters of the list of payments, as its address has them; an empty one is not asked for. */
export type PaymentFilters = { status: string; method: string; from: string; to: string; search: string }

/** Reads the filters. What is no filter is left out. */
export const paymentFiltersIn = (ctx: Context): PaymentFilters => ({
  status: wordIn(ctx, 'status', paymentStatuses),
  method: wordIn(ctx, 'method', corridorKeys),
  from: dayIn(ctx, 'from'),
  to: dayIn(ctx, 'to'),
  search: searchIn(ctx),
})

/** The API's filters of a search for what a payment belongs to. */
const idFilters = [
  ['chk', 'checkout_id'],
  ['sub', 'subscription_id'],
  ['cust', 'customer_id'],
] as const
const referenceMax = 128

/** Whether a text is an id of this kind. A reference of the merchant may begin like one. */
const isId = (prefix: IdPrefix, text: string): boolean => new RegExp(idPattern(prefix)).test(text)

export type PaymentQuery = Record<string, string>

/**
 * What is asked of the API for these filters; null if no payment can match. An email is looked up among the customers,
 * as the API finds payments by customer. What is no id, nor the email of a customer, is a reference.
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
    if (customer.body !== null) return { ok: true, body: { ...query, customer_id: customer.body } }
  }
  const filter = idFilters.find(([prefix]) => isId(prefix, search))?.[1] ?? 'reference'
  return { ok: true, body: search.length > referenceMax ? null : { ...query, [filter]: search } }
}

/** The payment that is searched for by its id, if there is one; null where the search is not for an id. */
export async function paymentById(
  sessions: Sessions,
  ctx: Context,
  { search }: Pick<PaymentFilters, 'search'>,
): Promise<Answer<ListedPayment[]> | null> {
  if (!isId('pay', search)) return null
  const answer = await sessions.call<ListedPayment>(ctx, 'GET', `/v1/payments/${search}`)
  if (answer.ok) return { ok: true, body: [answer.body] }
  return answer.refused.status === 404 ? { ok: true, body: [] } : answer
}

/** A person has 100 calls a minute. So many pages hold 1,000 customers whose email or name has the text in it. */
const customerPagesMax = 10

/** The customer with exactly this email; null if there is none among the newest that have it in theirs. */
async function customerWith(sessions: Sessions, ctx: Context, email: string): Promise<Answer<string | null>> {
  type Customers = Listed<{ customer_id: string; email: string }>
  const query = new URLSearchParams({ search: email, limit: '100' })
  for (let page = 1; page <= customerPagesMax; page++) {
    const answer = await sessions.call<Customers>(ctx, 'GET', `/v1/customers?${query}`)
    if (!answer.ok) return answer.refused.status === 422 || answer.refused.status === 400 ? nobody : answer
    const found = answer.body.items.find((each) => each.email === email.toLowerCase())
    if (found) return { ok: true, body: found.customer_id }
    const { next_cursor: next } = answer.body.pagination
    if (next === null) break
    query.set('cursor', next)
  }
  return nobody
}

const nobody: Answer<null> = { ok: true, body: null }

export const noPayments: Listed<ListedPayment> = { items: [], pagination: { next_cursor: null, prev_cursor: null } }
