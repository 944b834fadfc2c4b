import { exactNumber } from '../../domain/exact-json.ts'
import type { PayoutAnswer, PayoutOrder, PayoutRail } from '../payout-rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { assertSame, toMinor } from './amount.ts'
import { type PaystackApi, PaystackUnclear, unclear } from './api.ts'
import type { PaystackOrder } from './book.ts'
import type { Orders } from './orders.ts'
import { recipientOf } from './recipient.ts'
import { isDuplicate, isInvalid, isNotFound, isRefusal } from './refusals.ts'
import { sendMarked } from './send-marked.ts'
import { reader, Recipient, Transfer } from './shapes.ts'

const readTransfer = reader('a transfer', Transfer)
const readRecipient = reader('a recipient', Recipient)

/** How Paystack's statuses of a transfer are read (docs/rails.md, "Payouts"). */
const statuses: Record<string, 'completed' | 'failed' | 'reversed' | 'processing'> = {
  success: 'completed',
  failed: 'failed',
  abandoned: 'failed',
  blocked: 'failed',
  rejected: 'failed',
  reversed: 'reversed',
  pending: 'processing',
  otp: 'processing',
  received: 'processing',
}

const nothing = { traceId: null, newsDueAt: null }
const canceled: PayoutAnswer = { status: 'failed', reason: 'The payout was canceled before it was sent.', ...nothing }
const refused: PayoutAnswer = { status: 'failed', reason: 'Paystack does not take the payout.', ...nothing }
const refusal = () => new RailRefusal('Paystack does not take the payout')

/** Payouts to banks in NGN, GHS and KES, and to wallets in GHS and KES. Our id is Paystack's reference. */
export function createPaystackPayouts({ orders, api }: { orders: Orders; api: PaystackApi }): PayoutRail<'live'> {
  /** How a transfer stands at Paystack; null where Paystack does not know it, or not yet. */
  async function ask(order: PaystackOrder): Promise<PayoutAnswer | null> {
    const reply = await api.get(`/transfer/verify/${order.id}`)
    if (isNotFound(reply)) return null
    if (!reply.isDone) throw unclear('a question about a transfer', reply)
    return record(order, reply.data)
  }

  async function record(order: PaystackOrder, data: unknown): Promise<PayoutAnswer> {
    const transfer = readTransfer(data)
    assertSame('a transfer', transfer, { ...order, reference: order.id, mode: api.mode })
    const status = Object.hasOwn(statuses, transfer.status) ? statuses[transfer.status] : undefined
    if (!status) throw new PaystackUnclear('Paystack reports a status of a transfer that its documents do not name')
    const entry = await orders.note(order.id, {
      answered: transfer.status,
      theirId: transfer.id,
      transferCode: transfer.transfer_code,
      succeeded: status === 'completed',
    })
    return answerOf(status, entry)
  }

  /** Makes the destination known to Paystack, which moves no money. The same account has the same code. */
  async function recipientFor(order: PaystackOrder, body: Record<string, string>): Promise<string> {
    if (order.recipientCode !== null) return order.recipientCode
    const reply = await api.send('POST', '/transferrecipient', body)
    if (isInvalid(reply) && order.sends === 0) throw await refuse(order)
    if (!reply.isDone) throw unclear('a recipient', reply)
    const { recipient_code: recipientCode } = readRecipient(reply.data)
    await orders.note(order.id, { recipientCode })
    return recipientCode
  }

  async function refuse({ id, sends }: PaystackOrder): Promise<RailRefusal> {
    await orders.refuse(id, sends)
    return refusal()
  }

  async function send(order: PaystackOrder, recipient: string, { reference }: PayoutOrder): Promise<PayoutAnswer> {
    const claim = await orders.claim(order.id, order.sends)
    try {
      const sending = await orders.markSent(claim)
      if (sending === null) return await lookUpPayout(order.id)
      const { currency } = order
      const amount = exactNumber(toMinor(order.amount))
      const common = { source: 'balance', amount, currency, recipient, reference: order.id }
      const post = () => api.send('POST', '/transfer', { ...common, reason: reference ?? order.id })
      const reply = await sendMarked(orders, claim, sending, post)
      const { sends } = sending
      if (isDuplicate(reply)) return (await ask(order)) ?? unknown(order)
      // A later refusal may be about the repetition, while the first sending is still on its way.
      if (sends === 1 && isRefusal(reply)) throw await refuse({ ...order, sends })
      if (!reply.isDone) throw unclear('a transfer', reply)
      return await record(order, reply.data)
    } finally {
      await orders.endClaim(claim)
    }
  }

  async function lookUpPayout(payoutId: string): Promise<PayoutAnswer> {
    const order = await orders.find(payoutId)
    if (order?.sends) return (await ask(order)) ?? unknown(order)
    if (order?.refusedAt) return refused
    return order?.canceledAt ? canceled : { status: 'not_found', ...nothing }
  }

  return {
    lookUpPayout,

    async payOut(given) {
      const body = recipientOf(given.target, given.currency)
      const { payoutId: id, amount, currency } = given
      const order = await orders.open({ id, kind: 'payout', amount, currency })
      if (order.sends > 0) {
        const known = await ask(order)
        if (known) return known
        if (order.canceledAt) return unknown(order)
      }
      if (order.refusedAt) throw refusal()
      if (order.canceledAt) return canceled
      return send(order, await recipientFor(order, body), given)
    },

    /**
     * Paystack cancels no transfer: nothing more is sent under the id. An order that has left, and that Paystack does
     * not know, may still be on its way, so its outcome is unknown.
     */
    async cancelPayout(payoutId) {
      await orders.cancel(payoutId, 'payout')
      return lookUpPayout(payoutId)
    },
  }
}

const unknown = ({ transferCode }: PaystackOrder): PayoutAnswer => ({
  status: 'unknown',
  traceId: transferCode,
  newsDueAt: null,
})

function answerOf(
  status: 'completed' | 'failed' | 'reversed' | 'processing',
  { transferCode, succeededAt }: PaystackOrder,
): PayoutAnswer {
  const common = { traceId: transferCode, newsDueAt: null }
  if (status === 'completed' || status === 'processing') return { status, ...common }
  // Paystack reports `reversed` also for a transfer that never arrived; only one that had arrived has come back.
  if (status === 'reversed' && succeededAt) return { status: 'returned', ...common }
  if (succeededAt) return { status: 'revoked', ...common }
  return { status: 'failed', reason: 'Paystack could not deliver the payout.', ...common }
}
