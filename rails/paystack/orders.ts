import Big from 'big.js'
import type { Database } from '../../db/core/database.ts'
import type { MethodDetails } from '../../db/checkout/payment.ts'
import type { NextAction } from '../../domain/checkout/payment.ts'
import type { Amount } from '../../domain/money.ts'
import { type Channel, type OrderKind, PaystackOrder } from './book.ts'

/** How long one worker has an order for itself: longer than the time-outs of its calls. */
const claimSeconds = 120

export type NewOrder = {
  id: string
  kind: OrderKind
  amount: Amount
  currency: string
  paymentId?: string
  channel?: Channel
  expiresAt?: number
  phoneToken?: string | null
  savesCard?: boolean
}

/** What Paystack's answer says about an order; a field that is left out stays as it is. */
export type Noted = {
  answered?: string
  theirId?: string
  transferCode?: string
  recipientCode?: string
  nextAction?: NextAction | null
  details?: MethodDetails
  succeeded?: boolean
}

/** An order that a worker has for itself, until this moment of the database's time. */
export type Claim = { id: string; until: Date }

/**
 * A sending of an order: which one it is, from 1, and when the one before was made, as the database writes it; null for
 * the first.
 */
export type Sending = { sends: number; sentBefore: string | null }

/** Another worker sends the order at this moment; the step is repeated. */
class BeingSent extends Error {
  override readonly name = 'BeingSent'
  readonly code = 'PAYSTACK_BEING_SENT'
}

/** The book's entries and how they change. Each call is one statement, so two workers never see half of a change. */
export function createOrders({ orm }: Database) {
  const run = <T extends object>(sql: string, params: unknown[]) => orm.em.fork().execute<T[]>(sql, params)
  const find = (id: string): Promise<PaystackOrder | null> => orm.em.fork().findOne(PaystackOrder, { id })

  async function read(id: string): Promise<PaystackOrder> {
    const found = await find(id)
    if (!found) throw new Error(`the book of Paystack has no ${id}`)
    return found
  }

  return {
    find,
    read,

    /** Enters an order before it is sent. The same one again changes nothing; another one under its id is an error. */
    async open(order: NewOrder): Promise<PaystackOrder> {
      const {
        id,
        kind,
        amount,
        currency,
        paymentId = null,
        channel = null,
        phoneToken = null,
        savesCard = false,
        expiresAt,
      } = order
      const until = expiresAt === undefined ? null : new Date(expiresAt)
      await run(
        `insert into paystack_orders
           (id, kind, payment_id, channel, amount, currency, phone_token, saves_card, expires_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
        [id, kind, paymentId, channel, amount, currency, phoneToken, savesCard, until],
      )
      const entry = await read(id)
      const isSame = entry.kind === kind && entry.currency === currency && new Big(entry.amount).eq(amount)
      if (!entry.canceledAt && !isSame) throw new Error(`${id} was ordered with other terms before`)
      return entry
    },

    /**
     * Takes an order for one step that nobody else may do at the same time. Throws where another worker has it. A
     * worker that was frozen for so long that another one has taken the order does not have it any more. `sends` is how
     * often the caller has seen it sent: where it was sent meanwhile, the caller has to ask first.
     */
    async claim(id: string, sends: number | null = null): Promise<Claim> {
      const [taken] = await run<{ sending_until: Date | string }>(
        `update paystack_orders set sending_until = now() + interval '${claimSeconds} seconds'
         where id = ? and (sending_until is null or sending_until <= now()) and sends = coalesce(?, sends)
         returning sending_until`,
        [id, sends],
      )
      if (!taken) throw new BeingSent(`${id} is being sent to Paystack`)
      return { id, until: new Date(taken.sending_until) }
    },

    /**
     * Notes, right before an order is sent, that it is sent. Null where it must not be sent: it was cancelled or
     * refused.
     */
    async markSent({ id, until }: Claim): Promise<Sending | null> {
      const [sent] = await run<Sending>(
        `update paystack_orders o set sends = o.sends + 1, sent_at = now()
         from (select id, sent_at from paystack_orders where id = ? for update) before
         where o.id = before.id and o.sending_until = ? and o.sending_until > now()
           and o.canceled_at is null and o.refused_at is null
         returning o.sends, before.sent_at::text as "sentBefore"`,
        [id, until],
      )
      if (sent) return sent
      const { canceledAt, refusedAt } = await read(id)
      if (canceledAt || refusedAt) return null
      throw new BeingSent(`${id} was taken over by another worker`)
    },

    /** Takes back the mark of a sending that has not left. An order that another worker has taken over keeps it. */
    takeBack: async ({ id, until }: Claim, { sends, sentBefore }: Sending): Promise<void> =>
      void (await run(
        `update paystack_orders set sends = sends - 1, sent_at = ?::timestamptz
         where id = ? and sends = ? and sending_until = ?`,
        [sentBefore, id, sends, until],
      )),

    /** Ends a step, however it went. */
    endClaim: async ({ id, until }: Claim): Promise<void> =>
      void (await run('update paystack_orders set sending_until = null where id = ? and sending_until = ?', [
        id,
        until,
      ])),

    async note(id: string, noted: Noted): Promise<PaystackOrder> {
      const { answered, theirId, transferCode, recipientCode, nextAction, details, succeeded } = noted
      const json = (value: object | null | undefined) => (value == null ? null : JSON.stringify(value))
      await run(
        `update paystack_orders set answered = coalesce(?, answered), their_id = coalesce(their_id, ?),
           transfer_code = coalesce(transfer_code, ?), recipient_code = coalesce(?, recipient_code),
           next_action = case when ? then ?::jsonb else next_action end, details = coalesce(?::jsonb, details),
           succeeded_at = case when ? then coalesce(succeeded_at, now()) else succeeded_at end
         where id = ?`,
        [
          answered ?? null,
          theirId ?? null,
          transferCode ?? null,
          recipientCode ?? null,
          nextAction !== undefined,
          json(nextAction),
          json(details),
          succeeded ?? false,
          id,
        ],
      )
      return read(id)
    },

    /** Counts a question about an open order, and returns how many there were. */
    async countLookUp(id: string): Promise<number> {
      const [row] = await run<{ look_ups: number }>(
        'update paystack_orders set look_ups = look_ups + 1 where id = ? returning look_ups',
        [id],
      )
      return row?.look_ups ?? 1
    },

    /** The phone number is not needed any more: Paystack has the order, or will never have it. */
    async dropPhone({ id, phoneToken }: PaystackOrder): Promise<void> {
      if (phoneToken === null) return
      await run(
        `with dropped as (update paystack_orders set phone_token = null where id = ?)
         delete from paystack_secrets where token = ?`,
        [id, phoneToken],
      )
    },

    /**
     * From now on nothing is sent under this id, as Paystack will not take it. `sends` is how often the caller has seen
     * it sent. Throws where it was sent meanwhile: Paystack may have taken that.
     */
    async refuse(id: string, sends: number): Promise<void> {
      const [refused] = await run(
        'update paystack_orders set refused_at = coalesce(refused_at, now()) where id = ? and sends = ? returning id',
        [id, sends],
      )
      if (!refused) throw new BeingSent(`${id} is being sent to Paystack`)
    },

    /** From now on nothing is sent under this id, even if the order only comes later. */
    async cancel(id: string, kind: OrderKind): Promise<PaystackOrder> {
      await run(
        `insert into paystack_orders (id, kind, amount, currency, canceled_at) values (?, ?, 0, '', now())
         on conflict (id) do update set canceled_at = coalesce(paystack_orders.canceled_at, now())`,
        [id, kind],
      )
      return read(id)
    },

    /** Whether the last sending is at least so long ago; the database's time, as a step may be repeated much later. */
    async wasSentBefore(id: string, ms: number): Promise<boolean> {
      const [row] = await run<{ is: boolean }>(
        `select sent_at <= now() - interval '1 millisecond' * ? as is from paystack_orders where id = ?`,
        [ms, id],
      )
      return row?.is ?? false
    },
  }
}

export type Orders = ReturnType<typeof createOrders>
