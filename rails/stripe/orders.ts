import Big from 'big.js'
import type Stripe from 'stripe'
import type { Database } from '../../db/core/database.ts'
import type { Currency } from '../../domain/currency.ts'
import type { Amount } from '../../domain/money.ts'
import type { Line } from '../line.ts'
import type { StripeOrder } from './book.ts'

type Kind = StripeOrder['kind']

/** An order as the book has it, with what its age says. */
export type BookedOrder = Pick<
  StripeOrder,
  'orderId' | 'kind' | 'paymentId' | 'stripeId' | 'customerId' | 'amount' | 'currency' | 'answered'
> & {
  isCancelled: boolean
  /** Whether it may have reached Stripe. */
  isSent: boolean
  /** Whether it was last sent so long ago that Stripe's search, which may be an hour late, finds what it has made. */
  isSearchable: boolean
}

/** What is ordered. `amount` and `currency` are null for what has no amount. */
export type NewOrder = {
  orderId: string
  kind: Kind
  paymentId?: string
  amount?: Amount | null
  currency?: Currency | null
}

/**
 * A sending of an order. `isFirst`: nothing was sent under its id before; `isAfterLong`: the sending before was so long
 * ago that Stripe's search finds what it has made. `sentAt` and `sentBefore`: when it and the sending before were made,
 * as the database writes it; `sentBefore` is null for the first.
 */
export type Sending = { isFirst: boolean; isAfterLong: boolean; sentAt: string; sentBefore: string | null }

const columns = `order_id as "orderId", kind, payment_id as "paymentId", stripe_id as "stripeId",
  customer_id as "customerId", amount, currency, answered, cancelled_at is not null as "isCancelled",
  sent_at is not null as "isSent", coalesce(sent_at < now() - interval '1 hour', false) as "isSearchable"`

/** The queries of the book. Each is one statement, so that two calls about one order meet in the database. */
export function createOrders({ orm }: Database) {
  const execute = <Row>(sql: string, values: unknown[]) => orm.em.fork().execute<Row[]>(sql, values)

  const find = async (orderId: string): Promise<BookedOrder | null> => {
    const [row] = await execute<BookedOrder>(`select ${columns} from stripe_orders where order_id = ?`, [orderId])
    return row ?? null
  }

  const read = async (orderId: string): Promise<BookedOrder> => {
    const row = await find(orderId)
    if (!row) throw new Error(`the book of Stripe has no order ${orderId}`)
    return row
  }

  return {
    find,
    read,

    /**
     * Enters an order before anything is sent. Throws where the book has another order under this id, but not for one
     * that was cancelled before it came.
     */
    async open(order: NewOrder): Promise<BookedOrder> {
      const { orderId, kind, paymentId = null, amount = null, currency = null } = order
      await execute(
        `insert into stripe_orders (order_id, kind, payment_id, amount, currency) values (?, ?, ?, ?, ?)
         on conflict (order_id) do nothing`,
        [orderId, kind, paymentId, amount, currency],
      )
      const row = await read(orderId)
      const isSame = row.kind === kind && row.paymentId === paymentId && row.currency === currency
      if (!row.isCancelled && !(isSame && isSameAmount(row.amount, amount)))
        throw new Error(`the order ${orderId} differs from the one in the book of Stripe`)
      return row
    },

    /**
     * Marks an order as sent, right before it is. Null: it must not be sent, as it was cancelled, refused or answered
     * meanwhile. From the commit of a cancellation on, nothing is sent any more.
     */
    async markSent(orderId: string): Promise<Sending | null> {
      const [sending] = await execute<Sending>(
        `update stripe_orders o set sent_at = greatest(now(), before.sent_at + interval '1 millisecond')
         from (select order_id, sent_at from stripe_orders where order_id = ? for update) before
         where o.order_id = before.order_id
           and o.cancelled_at is null and o.stripe_id is null and o.answered is null
         returning before.sent_at is null as "isFirst",
           coalesce(before.sent_at < now() - interval '1 hour', false) as "isAfterLong",
           o.sent_at::text as "sentAt", before.sent_at::text as "sentBefore"`,
        [orderId],
      )
      return sending ?? null
    },

    /**
     * Takes back the mark of a sending that has surely made nothing, so that the order's age is that of the sending
     * before. A later sending keeps its mark.
     */
    takeBack: (orderId: string, { sentAt, sentBefore }: Sending) =>
      execute(
        `update stripe_orders set sent_at = ?::timestamptz
         where order_id = ? and sent_at = ?::timestamptz and stripe_id is null`,
        [sentBefore, orderId, sentAt],
      ),

    /** Stores Stripe's id of an order. Throws where the order has another one: then Stripe has done it twice. */
    async adopt(orderId: string, stripeId: string): Promise<BookedOrder> {
      await execute(`update stripe_orders set stripe_id = ? where order_id = ? and stripe_id is null`, [
        stripeId,
        orderId,
      ])
      const row = await read(orderId)
      if (row.stripeId !== stripeId) throw new Error(`Stripe has two objects for the order ${orderId}`)
      return row
    },

    /** Stores the customer of an order, unless it has one; returns the one that it has. */
    async keepCustomer(orderId: string, customerId: string): Promise<string> {
      await execute(`update stripe_orders set customer_id = coalesce(customer_id, ?) where order_id = ?`, [
        customerId,
        orderId,
      ])
      return (await read(orderId)).customerId ?? customerId
    },

    /** Notes what was answered before it is answered. */
    note: (orderId: string, answered: NonNullable<StripeOrder['answered']>) =>
      execute(`update stripe_orders set answered = ? where order_id = ?`, [answered, orderId]),

    /** Refuses an order that was never sent, so that it never is. False where it may have reached Stripe. */
    async refuseUnsent(orderId: string): Promise<boolean> {
      const refused = await execute(
        `update stripe_orders set answered = 'refused'
         where order_id = ? and sent_at is null and cancelled_at is null returning order_id`,
        [orderId],
      )
      return refused.length > 0
    },

    /** Cancels a charge for good. One that was not ordered yet is entered as cancelled, and is never sent. */
    async cancel(paymentId: string): Promise<BookedOrder> {
      await execute(
        `insert into stripe_orders (order_id, kind, cancelled_at) values (?, 'charge', now())
         on conflict (order_id) do update set cancelled_at = coalesce(stripe_orders.cancelled_at, now())`,
        [paymentId],
      )
      return read(paymentId)
    },

    /** The order with this id of Stripe's; null: none of ours. */
    async findByStripeId(stripeId: string): Promise<BookedOrder | null> {
      const [row] = await execute<BookedOrder>(`select ${columns} from stripe_orders where stripe_id = ?`, [stripeId])
      return row ?? null
    },
  }
}

export type Orders = ReturnType<typeof createOrders>

/** What every part of the rail works with. */
export type Needs = { api: Stripe; orders: Orders; livemode: boolean; line: Line }

const isSameAmount = (left: Amount | null, right: Amount | null): boolean =>
  left === null || right === null ? left === right : new Big(left).eq(right)
