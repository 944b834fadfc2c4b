import type { CardSetups, ChargeOrder, Rail, RailAnswer } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { maskNumber } from '../../domain/checkout/mobile-money.ts'
import { assertSame } from './amount.ts'
import { actionOf, failureOf, meaningOf, newsDueAt, openAnswer, paidAnswer, pausedForOwner } from './answers.ts'
import { dataOf, isNotSent, type PaystackApi, PaystackUnclear, type Reply, unclear } from './api.ts'
import { type Channel, isOfCard, type PaystackOrder } from './book.ts'
import type { Cards } from './cards.ts'
import type { PaystackDisputes } from './dispute.ts'
import type { NewOrder, Orders } from './orders.ts'
import { chargeReference } from './reference.ts'
import { isDuplicate, isNotFound, isRefusal } from './refusals.ts'
import { channelOf, pageRequest, type Request, savedCardRequest, transferRequest, walletRequest } from './request.ts'
import { sendMarked } from './send-marked.ts'
import { Charge, Page, reader, Transaction } from './shapes.ts'
import type { Secrets } from './vault.ts'

type Parts = {
  orders: Orders
  api: PaystackApi
  secrets: Secrets
  cards: Cards
  disputes: PaystackDisputes
  pace: Pace
}

/**
 * Waiting times, by the last sending. Before `checkAfterMs` Paystack wants no question about a charge without an
 * answer. After `lostAfterMs` an order that Paystack does not know cannot arrive any more. After `refundAgainAfterMs` a
 * refund without an answer, which is in no list, is sent again.
 */
export type Pace = { checkAfterMs: number; lostAfterMs: number; refundAgainAfterMs: number }

const ownerAbsent = { status: 'failed', failureCode: 'authentication_failed' } as const
const noAnswer = 'Paystack does not answer'
const refusedAnswer = { status: 'failed', failureCode: 'rail_unavailable' } as const

type Charges = Pick<Rail<'live'>, 'charge' | 'confirm' | 'lookUp' | 'cancelCharge'> &
  Pick<CardSetups<'live'>, 'chargeSaved'>

const readCharge = reader('a charge', Charge)
const readPage = reader('a page', Page)
const readTransaction = reader('a transaction', Transaction)

/** Charges at Paystack: transfers to an account of one charge, wallets of mobile money, and cards. */
export function createPaystackCharges({ orders, api, secrets, cards, disputes, pace }: Parts): Charges {
  /** How an order stands that may have reached Paystack. Only here a success is read, with amount and currency. */
  async function ask(order: PaystackOrder, at: number): Promise<RailAnswer> {
    const { id } = order
    const reference = chargeReference(id)
    const reply = await api.get(`/transaction/verify/${reference}`)
    if (isNotFound(reply)) return unknownAnswer(order)
    if (!reply.isDone) throw unclear('a question about a charge', reply)
    const transaction = readTransaction(reply.data)
    assertSame('a charge', transaction, { ...order, reference, mode: api.mode })
    await orders.dropPhone(order)
    const meaning = meaningOf(transaction.status)
    const isPage = order.channel === 'card_page' || order.nextAction?.type === 'redirect'
    // No page can be closed: who has its address may pay there after the session's time.
    const isClosed = at >= (order.expiresAt?.getTime() ?? at) && !(isPage && order.nextAction)
    const isOver = meaning === 'failed' || (meaning === 'abandoned' && isClosed)
    // A transaction that is not over does not say for which code Paystack waits; the answer to the charge has said it.
    const isEnd = isOver || meaning === 'succeeded'
    const noted = { theirId: transaction.id, ...(isEnd && { answered: transaction.status }) }
    if (meaning === 'succeeded') {
      const saved = order.savesCard ? await cards.keep(transaction) : null
      return paidAnswer(await orders.note(id, { ...noted, succeeded: true }), transaction, saved)
    }
    if (order.answered === pausedForOwner) return ownerAbsent
    const entry = await orders.note(id, noted)
    if (!isOver) return waiting(entry, at)
    const failed: RailAnswer = { status: 'failed', failureCode: failureOf(entry, transaction) }
    // After a card that was declined the page takes another one.
    if (!isPage) return failed
    return { ...failed, newsDueAt: newsDueAt(at, await orders.countLookUp(id)) }
  }

  /** An open charge. One whose first answer was lost is asked about once more, for what the buyer has to do. */
  async function waiting(order: PaystackOrder, at: number): Promise<RailAnswer> {
    const isEarly = !order.nextAction && !(await orders.wasSentBefore(order.id, pace.checkAfterMs))
    if (isEarly) return openAnswer({ ...order, lookUps: 0 }, at)
    const lookUps = await orders.countLookUp(order.id)
    // Paystack gives the account of a transfer or the prompt again, and a page only once.
    const isKnown = order.nextAction !== null || isOfCard(order)
    if (isKnown) return openAnswer({ ...order, lookUps }, at)
    const reference = chargeReference(order.id)
    const reply = await api.get(`/charge/${reference}`)
    if (!reply.isDone) return openAnswer({ ...order, lookUps }, at)
    const charge = readCharge(reply.data)
    assertSame('a charge', charge, { ...order, reference, mode: api.mode })
    const nextAction = actionOf(order, charge, at)
    if (!nextAction) return openAnswer({ ...order, lookUps }, at)
    const entry = await orders.note(order.id, { nextAction, answered: charge.status })
    return openAnswer({ ...entry, lookUps }, at)
  }

  /** Paystack does not know the reference. A request that was cut off may still be on its way. */
  async function unknownAnswer(order: PaystackOrder): Promise<RailAnswer> {
    if (order.refusedAt) return refusedAnswer
    if (!order.canceledAt) return { status: 'not_found' }
    if (await orders.wasSentBefore(order.id, pace.lostAfterMs)) return { status: 'canceled' }
    throw new PaystackUnclear('Paystack does not know yet of a charge that is to be canceled')
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
    const { reference: theirs, authorization_url: page, status } = dataOf(reply)
    if (!reply.isDone && theirs !== reference) throw unclear('a charge', reply)
    if (page !== undefined && status === undefined) return applyPage(order, reply, at)
    const charge = readCharge(reply.data)
    assertSame('a charge', charge, { ...order, reference, mode: api.mode })
    await orders.dropPhone(order)
    const meaning = meaningOf(charge.status)
    if (meaning === 'succeeded') return ask(order, at)
    const nextAction = meaning === 'open' ? actionOf(order, charge, at) : null
    const entry = await orders.note(order.id, { answered: charge.status, nextAction })
    if (meaning === 'failed') return { status: 'failed', failureCode: failureOf(entry, charge) }
    return openAnswer({ ...entry, lookUps: 0 }, at)
  }

  /** Paystack wants the buyer on a page of its own. The owner of a saved card who is away cannot be sent there. */
  async function applyPage(order: PaystackOrder, reply: Reply, at: number): Promise<RailAnswer> {
    const page = readPage(reply.data)
    assertSame('a charge', page, { ...order, reference: chargeReference(order.id), mode: api.mode })
    if (order.expiresAt === null) {
      await orders.note(order.id, { answered: pausedForOwner })
      return ownerAbsent
    }
    const nextAction = { type: 'redirect', url: page.authorization_url } as const
    return openAnswer({ ...(await orders.note(order.id, { nextAction })), lookUps: 0 }, at)
  }

  /** Sends an order that Paystack did not know when it had been sent `seen` times. */
  async function send(order: PaystackOrder, request: Request, at: number, seen: number): Promise<RailAnswer> {
    const claim = await orders.claim(order.id, seen)
    try {
      const sending = await orders.markSent(claim)
      if (sending === null) return await lookUp(order.id, at)
      const { sends } = sending
      const post = () => api.send('POST', request.path, request.body)
      const reply = await sendMarked(orders, claim, sending, post)
      if (isDuplicate(reply)) return await ask(order, at)
      // A later refusal may be about the repetition, while the first sending is still on its way.
      if (sends === 1 && isRefusal(reply)) return await refuse({ ...order, sends })
      return await apply(order, reply, at)
    } finally {
      await orders.endClaim(claim)
    }
  }

  async function refuse(order: PaystackOrder, why = 'Paystack does not take the charge'): Promise<never> {
    await orders.refuse(order.id, order.sends)
    await orders.dropPhone(order)
    throw new RailRefusal(why)
  }

  /** Sends an order that can be sent; `request` throws a `RailRefusal` for one that cannot, now or later. */
  async function deliver(
    fresh: NewOrder,
    at: number,
    request: (entry: PaystackOrder) => Promise<Request>,
  ): Promise<RailAnswer> {
    const entry = await orders.open(fresh)
    if (entry.sends > 0) {
      const known = await ask(entry, at)
      if (known.status !== 'not_found') return known
    }
    if (entry.refusedAt) throw new RailRefusal('Paystack does not take the charge')
    if (entry.canceledAt) {
      if (fresh.phoneToken) await secrets.forget(fresh.phoneToken)
      return { status: 'canceled' }
    }
    // The buyer can choose another payment method, while nothing has been sent. A renewal has nobody who waits.
    const isAwaited = fresh.channel !== 'saved_card' || fresh.expiresAt !== undefined
    const isRefusable = isAwaited && entry.sends === 0
    if (isRefusable && api.isDown()) return refuse(entry, noAnswer)
    let made: Request
    try {
      made = await request(entry)
    } catch (error) {
      if (!(error instanceof RailRefusal)) throw error
      return refuse(entry, error.message)
    }
    try {
      return await send(await orders.read(entry.id), made, at, entry.sends)
    } catch (error) {
      // Paystack went down, or another order began to try it, since it was asked above whether it is down.
      if (!isRefusable || !isNotSent(error)) throw error
      return refuse(entry, noAnswer)
    }
  }

  async function requestFor(given: ChargeOrder, channel: Channel): Promise<Request> {
    const { token, provider } = given
    if (channel === 'bank_transfer') return transferRequest(given)
    if (channel === 'card_page') return pageRequest(given)
    if (channel === 'saved_card') return savedCardRequest(given, token ?? '', await cards.emailOf(token ?? ''))
    const number = token === null ? null : await secrets.read(token)
    const made = walletRequest(given, number)
    await orders.note(given.paymentId, { details: { provider, phone_number: maskNumber(number ?? '') } })
    return made
  }

  /**
   * A paid charge with its disputes. If Paystack does not answer about them, a charge that is new as paid counts
   * without them. One that was known as paid may have been looked up because of a dispute, so there the error is thrown
   * and the rail is asked again.
   */
  async function withDisputes(paymentId: string, answer: RailAnswer, wasPaid: boolean): Promise<RailAnswer> {
    const order = answer.status === 'succeeded' ? await orders.read(paymentId) : null
    if (!order?.theirId || !isOfCard(order)) return answer
    const { theirId, currency } = order
    const raised = await disputes.raisedAbout({ theirId, currency }).catch((error: unknown) => {
      if (error instanceof PaystackUnclear && !wasPaid) return []
      throw error
    })
    return raised.length > 0 && answer.status === 'succeeded' ? { ...answer, disputes: raised } : answer
  }

  return {
    async charge(given, at) {
      const { paymentId: id, amount, currency, expiresAt, token, savesCard } = given
      const channel = channelOf(given)
      const phoneToken = channel === 'mobile_money' ? token : null
      const fresh = { id, kind: 'charge', channel, amount, currency, expiresAt, phoneToken, savesCard } as const
      return deliver(fresh, at, () => requestFor(given, channel))
    },

    /** Charges a saved card while its owner is away. Where their bank wants to see them, nothing is taken. */
    async chargeSaved(given, at) {
      const { paymentId: id, amount, currency, corridor, token } = given
      if (corridor !== 'NGN_CARD') throw new RailRefusal('Paystack has saved no card in this corridor')
      const fresh = { id, kind: 'charge', channel: 'saved_card', amount, currency } as const
      return deliver(fresh, at, async () => savedCardRequest(given, token, await cards.emailOf(token)))
    },

    async lookUp(paymentId, at) {
      const before = await orders.find(paymentId)
      return withDisputes(paymentId, await lookUp(paymentId, at), before?.succeededAt != null)
    },

    /**
     * Gives Paystack the code that the buyer has entered, and forgets it once Paystack has answered. After a lost
     * answer the same code is sent again; where the first one has arrived, Paystack's answer says how the charge
     * stands, or Paystack is asked.
     */
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
