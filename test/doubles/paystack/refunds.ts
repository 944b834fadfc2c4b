import type { ChargeBook } from './charges.ts'
import { pageOf, within } from './lists.ts'
import { type Answer, type Body, done, failed, type Route } from './server.ts'

type Refund = {
  id: bigint
  transaction: bigint
  amount: bigint
  currency: string
  status: string
  merchant_note: string
  createdAt: number
}

export type RefundBook = {
  refunds: Refund[]
  /** The status of the next new refunds. */
  nextRefundStatus: string
  /** The most refunds of a page, whatever is asked for. */
  refundsOfPage: number
}

const shown = ({ createdAt, ...refund }: Refund) => ({ ...refund, created_at: new Date(createdAt).toISOString() })

/** The refunds of Paystack's API, by its page "Refunds". */
export function refundRoutes(book: ChargeBook & RefundBook): Route[] {
  const transactionOf = (wanted: unknown) =>
    [...book.transactions.values()].find(({ id, reference }) => String(id) === wanted || reference === wanted)

  function create({ body }: { body: Body }): Answer {
    const paid = transactionOf(body['transaction'])
    if (!paid || paid.status !== 'success') return failed(404, 'Transaction not found', 'transaction_not_found')
    const { amount, merchant_note } = body
    if (typeof amount !== 'number' || amount <= 0) return failed(400, 'Amount is invalid', 'invalid_params')
    const given = book.refunds.filter(({ transaction, status }) => transaction === paid.id && status !== 'failed')
    const left = given.reduce((sum, refund) => sum - refund.amount, paid.amount)
    if (BigInt(amount) > left) return failed(400, 'Refund amount is more than the transaction', 'invalid_params')
    const made: Refund = {
      id: book.nextId(),
      transaction: paid.id,
      amount: BigInt(amount),
      currency: paid.currency,
      status: book.nextRefundStatus,
      merchant_note: String(merchant_note ?? `Refund for transaction ${paid.reference}`),
      createdAt: Date.now(),
    }
    book.refunds.push(made)
    const transaction = { id: paid.id, reference: paid.reference, amount: paid.amount, currency: paid.currency }
    return done({ ...shown(made), transaction, domain: 'live' }, 'Refund has been queued for processing')
  }

  function list({ query }: { query: URLSearchParams }): Answer {
    const of = query.get('transaction')
    const found = book.refunds.filter(({ transaction }) => of === null || String(transaction) === of)
    return done(pageOf(within(found, query), query, book.refundsOfPage).map(shown), 'Refunds retrieved')
  }

  function read(id: string): Answer {
    const found = book.refunds.find((one) => String(one.id) === id)
    return found ? done(shown(found)) : failed(404, 'Refund not found', 'refund_not_found')
  }

  return [
    { method: 'POST', path: /^\/refund$/, answer: create },
    { method: 'GET', path: /^\/refund$/, answer: list },
    { method: 'GET', path: /^\/refund\/(\d+)$/, answer: (_, [id = '']) => read(id) },
  ]
}

/** What becomes of refunds. */
export const refundEvents = ({ refunds }: RefundBook) => ({
  refundsOf: (note: string) => refunds.filter(({ merchant_note }) => merchant_note === note),
  settleRefund(note: string, status: string): void {
    for (const refund of refunds) if (refund.merchant_note === note) refund.status = status
  },
})
