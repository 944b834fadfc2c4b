import { exactNumber } from '../../domain/exact-json.ts'
import type { RefundAnswer, RefundRail } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { assertSame, toMinor } from './amount.ts'
import { type PaystackApi, PaystackUnclear, unclear } from './api.ts'
import type { PaystackOrder } from './book.ts'
import type { Claim, Orders } from './orders.ts'
import { chargeReference } from './reference.ts'
import { isRefusal } from './refusals.ts'
import { sendMarked } from './send-marked.ts'
import { reader, Refund, Transaction } from './shapes.ts'

type Parts = { orders: Orders; api: PaystackApi; pace: { refundAgainAfterMs: number } }

const readRefund = reader('a refund', Refund)
const readTransaction = reader('a transaction', Transaction)

/** How Paystack's statuses of a refund are read (docs/rails.md, "Refunds"). */
const statuses: Record<string, RefundAnswer> = {
  processed: 'succeeded',
  failed: 'failed',
  pending: 'unknown',
  processing: 'unknown',
  'needs-attention': 'unknown',
}

const perPage = 100
const pagesMax = 50

/**
 * Refunds. Paystack takes no key for one, so our id is its note, and before every sending the list of the payment's
 * refunds is searched for it. No document says that this list is never late: after a lost answer an order is repeated
 * only when some time has passed.
 */
export function createPaystackRefunds({ orders, api, pace }: Parts): RefundRail<'live'> {
  /** Paystack's number of the refunded payment: of our charge, or of a transfer into a virtual account. */
  async function transactionOf(paymentId: string, transferReference: string | null): Promise<string> {
    const known = transferReference === null ? (await orders.find(paymentId))?.theirId : null
    if (known) return known
    const reference = transferReference ?? chargeReference(paymentId)
    const reply = await api.get(`/transaction/verify/${reference}`)
    if (!reply.isDone) throw unclear('a question about a charge', reply)
    const transaction = readTransaction(reply.data)
    if (transaction.reference !== reference) throw new PaystackUnclear('Paystack answers about another charge')
    return transaction.id
  }

  /** The refund with our id, in the list of the payment's refunds; null where there is none. */
  async function findInList({ id }: PaystackOrder, transaction: string): Promise<Refund | null> {
    const known = new Map<string, Refund>()
    for (let page = 1; page <= pagesMax; page++) {
      const reply = await api.get(`/refund?transaction=${transaction}&perPage=${perPage}&page=${page}`)
      if (!reply.isDone || !Array.isArray(reply.data)) throw unclear('the list of refunds', reply)
      const before = known.size
      for (const refund of reply.data.map(readRefund)) known.set(refund.id, refund)
      // Paystack may give fewer than was asked for, so that only a page without anything new is the end.
      if (known.size === before) {
        const found = [...known.values()].filter(({ merchant_note }) => merchant_note?.trim() === id)
        if (found.length > 1) throw new PaystackUnclear(`Paystack has ${found.length} refunds for ${id}`)
        return found[0] ?? null
      }
    }
    throw new PaystackUnclear('the list of refunds does not end')
  }

  async function record(order: PaystackOrder, transaction: string, refund: Refund): Promise<RefundAnswer> {
    assertSame('a refund', refund, { ...order, reference: null, mode: api.mode })
    const { transaction: of } = refund
    const theirs = typeof of === 'string' ? of : of?.id
    if (theirs !== undefined && theirs !== transaction) throw new PaystackUnclear('a refund is of another payment')
    const status = Object.hasOwn(statuses, refund.status) ? statuses[refund.status] : undefined
    if (!status) throw new PaystackUnclear('Paystack reports a status of a refund that its documents do not name')
    const noted = { answered: refund.status, theirId: refund.id, succeeded: status === 'succeeded' }
    const { succeededAt } = await orders.note(order.id, noted)
    return status === 'failed' && succeededAt ? 'returned' : status
  }

  async function refuse({ id, sends }: PaystackOrder): Promise<never> {
    await orders.refuse(id, sends)
    throw new RailRefusal('Paystack does not take the refund')
  }

  /** Searches for the refund and sends it where it is not there; nobody else does so at the same time. */
  async function findOrSend(order: PaystackOrder, transaction: string, claim: Claim): Promise<RefundAnswer> {
    const { id, currency } = order
    const found = await findInList(order, transaction)
    if (found) return record(order, transaction, found)
    const isEarly = order.sends > 0 && !(await orders.wasSentBefore(id, pace.refundAgainAfterMs))
    if (isEarly) throw new PaystackUnclear('a refund without an answer is not sent again yet')
    const sending = await orders.markSent(claim)
    if (sending === null) return refuse(order)
    const { sends } = sending
    const amount = exactNumber(toMinor(order.amount))
    const post = () => api.send('POST', '/refund', { transaction, amount, currency, merchant_note: id })
    const reply = await sendMarked(orders, claim, sending, post)
    if (sends === 1 && isRefusal(reply)) return refuse({ ...order, sends })
    if (!reply.isDone) throw unclear('a refund', reply)
    return record(order, transaction, readRefund(reply.data))
  }

  async function lookUpRefund(refundId: string): Promise<RefundAnswer> {
    const order = await orders.find(refundId)
    if (!order?.paymentId || order.kind !== 'refund') return 'not_found'
    if (order.sends === 0) return order.refusedAt ? 'failed' : 'not_found'
    const transaction = await transactionOf(order.paymentId, order.transferCode)
    if (order.theirId === null) {
      const found = await findInList(order, transaction)
      if (found) return record(order, transaction, found)
      return order.refusedAt ? 'failed' : 'unknown'
    }
    const reply = await api.get(`/refund/${order.theirId}`)
    if (!reply.isDone) throw unclear('a question about a refund', reply)
    return record(order, transaction, readRefund(reply.data))
  }

  return {
    lookUpRefund,

    async refund({ refundId: id, paymentId, transferReference, amount, currency }) {
      await orders.open({ id, kind: 'refund', paymentId, amount, currency })
      const order = await orders.note(id, transferReference === null ? {} : { transferCode: transferReference })
      if (order.theirId !== null) return lookUpRefund(id)
      if (order.refusedAt) throw new RailRefusal('Paystack does not take the refund')
      const transaction = await transactionOf(paymentId, order.transferCode)
      const claim = await orders.claim(id)
      try {
        return await findOrSend(await orders.read(id), transaction, claim)
      } finally {
        await orders.endClaim(claim)
      }
    },
  }
}
