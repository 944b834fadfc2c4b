import type { Rail, RailAnswer, ChargeOrder } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { maskNumber } from '../../domain/checkout/mobile-money.ts'
import { assertSame, isPaystackCurrency, toMinor } from './amount.ts'
import { actionOf, failureOf, meaningOf, openAnswer, paidAnswer } from './answers.ts'
import { dataOf, type PaystackApi, PaystackUnclear, type Reply, unclear } from './api.ts'
import type { Channel, PaystackOrder } from './book.ts'
import type { Orders } from './orders.ts'
import { chargeReference } from './reference.ts'
import { isDuplicate, isNotFound, isRefusal } from './refusals.ts'
import { Charge, reader, Transaction } from './shapes.ts'
import type { Secrets } from './vault.ts'
import { walletOf } from './wallet.ts'

type Parts = { orders: Orders; api: PaystackApi; secrets: Secrets; pace: Pace }

/**
 * Waiting times, by the last sending. Before `checkAfterMs` Paystack wants no question about a charge without an
 * answer. After `lostAfterMs` an order that Paystack does not know cannot arrive any more. After `refundAgainAfterMs` a
 * refund without an answer, which is in no list, is sent again.
 */
export type Pace = { checkAfterMs: number; lostAfterMs: number; refundAgainAfterMs: number }

const refusedAnswer = { status: 'failed', failureCode: 'rail_unavailable' } as const

type Charges = Pick<Rail<'live'>, 'charge' | 'confirm' | 'lookUp' | 'cancelCharge'>

const readCharge = reader('a charge', Charge)
const readTransaction = reader('a transaction', Transaction)

/** What is sent for a charge: where to, and the body. */
type Request = { path: string; body: Record<string, unknown> }

/** Charges at Paystack: transfers to an account of one charge, and wallets of mobile money. */
export function createPaystackCharges({ orders, api, secrets, pace }: Parts): Charges {
  /** How an order stands that may have reached Paystack. Only here a success is read, with amount and currency. */
  async function ask(order: PaystackOrder, at: number): Promise<RailAnswer> {
    const { id } = order
    const reference = chargeReference(id)
    const reply = await api.get(`/transaction/verify/${reference}`)
    if (isNotFound(reply)) return unknownAnswer(order)
    if (!reply.isDone) throw unclear('a question about a charge', reply)
    const transaction = readTransaction(reply.data)
    assertSame('a charge', transaction, { ...order, reference })
    await orders.dropPhone(order)
    const meaning = meaningOf(transaction.status)
    // An open transaction does not say for which code Paystack waits; the answer to the charge has said it.
    const noted = { theirId: transaction.id, ...(meaning !== 'open' && { answered: transaction.status }) }
    if (meaning === 'succeeded') return paidAnswer(await orders.note(id, { ...noted, succeeded: true }), transaction)
    const entry = await orders.note(id, noted)
    const isOver = meaning === 'failed' || (meaning === 'abandoned' && at >= (order.expiresAt?.getTime() ?? at))
    if (isOver) return { status: 'failed', failureCode: failureOf(entry, transaction) }
    return waiting(entry, at)
  }

  /** An open charge. One whose first answer was lost is asked about once more, for what the buyer has to do. */
  async function waiting(order: PaystackOrder, at: number): Promise<RailAnswer> {
    const isEarly = !order.nextAction && !(await orders.wasSentBefore(order.id, pace.checkAfterMs))
    if (isEarly) return openAnswer({ ...order, lookUps: 0 }, at)
    const lookUps = await orders.countLookUp(order.id)
    if (order.nextAction) return openAnswer({ ...order, lookUps }, at)
    const reference = chargeReference(order.id)
    const reply = await api.get(`/charge/${reference}`)
    if (!reply.isDone) return openAnswer({ ...order, lookUps }, at)
    const charge = readCharge(reply.data)
    assertSame('a charge', charge, { ...order, reference })
    const nextAction = actionOf(order, charge, at)
    return openAnswer({ ...(nextAction ? await orders.note(order.id, { nextAction }) : order), lookUps }, at)
  }

  /** Paystack does not know the reference. A request that was cut off may still be on its way. */
  async function unknownAnswer(order: PaystackOrder): Promise<RailAnswer> {
    if (order.refusedAt) return refusedAnswer
    if (!order.canceledAt) return { status: 'not_found' }
    if (await orders.wasSentBefore(order.id, pace.lostAfterMs)) return { status: 'canceled' }
    throw new PaystackUnclear('Paystack does not know yet of a charge that is to be cancelled')
  }

  async function lookUp(paymentId: string, at: number): Promise<RailAnswer> {
    const order = await orders.find(paymentId)
    if (!order || order.kind !== 'charge') return { status: 'not_found' }
    if (order.sends > 0) return ask(order, at)
    if (order.refusedAt) return refusedAnswer
    return { status: order.canceledAt ? 'canceled' : 'not_found' }
  }

  /** What Paystack answers to a charge, or to a code for it. */
  async function apply(order: PaystackOrder, reply: Reply, at: number): Promise<RailAnswer> {
    const reference = chargeReference(order.id)
    if (!reply.isDone && dataOf(reply)['reference'] !== reference) throw unclear('a charge', reply)
    const charge = readCharge(reply.data)
    assertSame('a charge', charge, { ...order, reference })
    await orders.dropPhone(order)
    const meaning = meaningOf(charge.status)
    if (meaning === 'succeeded') return ask(order, at)
    const nextAction = meaning === 'open' ? actionOf(order, charge, at) : null
    const entry = await orders.note(order.id, { answered: charge.status, nextAction })
    if (meaning === 'failed') return { status: 'failed', failureCode: failureOf(entry, charge) }
    return openAnswer({ ...entry, lookUps: 0 }, at)
  }

  /** Sends an order that Paystack does not know. */
  async function send(order: PaystackOrder, request: Request, at: number): Promise<RailAnswer> {
    await orders.claim(order.id)
    try {
      const sends = await orders.markSent(order.id)
      if (sends === null) return await lookUp(order.id, at)
      const reply = await api.send('POST', request.path, request.body)
      if (isDuplicate(reply)) return await ask(order, at)
      // A later refusal may be about the repetition, while the first sending is still on its way.
      if (sends === 1 && isRefusal(reply)) return await refuse(order)
      return await apply(order, reply, at)
    } finally {
      await orders.endSending(order.id)
    }
  }

  async function refuse(order: PaystackOrder, why = 'Paystack does not take the charge'): Promise<never> {
    await orders.refuse(order.id)
    await orders.dropPhone(order)
    throw new RailRefusal(why)
  }

  /** The request for an order; throws a `RailRefusal` where it cannot be sent, now or later. */
  function requestFor(given: ChargeOrder, channel: Channel, number: string | null): Request {
    const { paymentId, amount, currency, email, expiresAt } = given
    if (email === null) throw new RailRefusal('Paystack charges nobody without an email')
    const common = { email, amount: toMinor(amount), currency, reference: chargeReference(paymentId) }
    if (channel === 'bank_transfer') {
      const account_expires_at = new Date(expiresAt).toISOString()
      return { path: '/charge', body: { ...common, bank_transfer: { account_expires_at } } }
    }
    if (number === null) throw new RailRefusal('the phone number was forgotten before Paystack had the order')
    return { path: '/charge', body: { ...common, mobile_money: walletOf(given, number) } }
  }

  async function chargeOnce(given: ChargeOrder<'live'>, at: number): Promise<RailAnswer> {
    const { paymentId: id, amount, currency, expiresAt, token, provider } = given
    const channel = channelOf(given)
    const phoneToken = channel === 'mobile_money' ? token : null
    const entry = await orders.open({ id, kind: 'charge', channel, amount, currency, expiresAt, phoneToken })
    if (entry.sends > 0) {
      const known = await ask(entry, at)
      if (known.status !== 'not_found') return known
    }
    if (entry.refusedAt) throw new RailRefusal('Paystack does not take the charge')
    if (entry.canceledAt) {
      if (phoneToken !== null) await secrets.forget(phoneToken)
      return { status: 'canceled' }
    }
    const number = phoneToken === null ? null : await secrets.read(phoneToken)
    let request: Request
    try {
      request = requestFor(given, channel, number)
    } catch (error) {
      if (!(error instanceof RailRefusal)) throw error
      return refuse(entry, error.message)
    }
    const details = number === null ? {} : { details: { provider, phone_number: maskNumber(number) } }
    return send(await orders.note(id, details), request, at)
  }

  return {
    charge: chargeOnce,
    lookUp,

    /** Gives Paystack the code that the buyer has entered. A code that was sent before is not sent again. */
    async confirm(paymentId, codeToken, at) {
      const order = await orders.read(paymentId)
      const code = await secrets.read(codeToken)
      const field = order.answered === 'send_pin' ? 'pin' : 'otp'
      if (code === null || !['send_pin', 'send_otp'].includes(order.answered ?? '')) {
        await secrets.forget(codeToken)
        return lookUp(paymentId, at)
      }
      const reply = await api.send('POST', `/charge/submit_${field}`, {
        [field]: code,
        reference: chargeReference(paymentId),
      })
      await secrets.forget(codeToken)
      if (!reply.isDone && dataOf(reply)['reference'] === undefined) return lookUp(paymentId, at)
      return apply(order, reply, at)
    },

    /** Paystack cancels no charge: nothing more is sent under the id, and what was sent stands as it does. */
    async cancelCharge(paymentId, at) {
      const order = await orders.cancel(paymentId, 'charge')
      if (order.sends > 0) return lookUp(paymentId, at)
      await orders.dropPhone(order)
      return { status: 'canceled' }
    },
  }
}

function channelOf({ corridor, currency, securityCode }: ChargeOrder): Channel {
  const isKnown = isPaystackCurrency(currency) && securityCode === null
  if (isKnown && corridor === 'NGN_BANK_TRANSFER') return 'bank_transfer'
  if (isKnown && corridor.startsWith('MOMO_')) return 'mobile_money'
  throw new RailRefusal('Paystack takes no money in this corridor')
}
