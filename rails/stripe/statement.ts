import Big from 'big.js'
import type Stripe from 'stripe'
import type { Database } from '../../db/core/database.ts'
import { isCurrency } from '../../domain/currency.ts'
import type { MoneyStatus, StatementLine } from '../../domain/reconciliation.ts'
import { type Identified, patiently, type Span, type Statement } from '../statement.ts'
import { fromMinor } from './amount.ts'
import { hasTaken } from './dispute.ts'
import { idOf, metadataKey } from './intent.ts'
import { ask, orNull } from './trouble.ts'

type Needs = { api: Stripe; database: Database; livemode: boolean; pause?: (ms: number) => Promise<unknown> }
type Listed = { id: string; created: number; livemode?: boolean }
type BookRow = { orderId: string; paymentId: string | null; stripeId: string | null }

const pageSize = 100

/**
 * Stripe's charges, refunds and disputes, by their time of creation. A charge is created when the card is charged, so
 * that a payment which was ordered before midnight and paid after it is one of the later day.
 */
export function createStripeStatement({ api, database, livemode, pause }: Needs): Statement {
  const patient = patiently(pause)
  const answered = <T>(what: string, request: () => Promise<T>) => patient(() => ask(what, request))

  async function* listed<T extends Listed>(
    what: string,
    list: (params: Stripe.ChargeListParams) => Promise<{ data: T[]; has_more: boolean }>,
    lineOf: (one: T) => StatementLine,
    { from, to }: Span,
  ): AsyncGenerator<StatementLine[]> {
    const created = { gte: Math.ceil(from / 1000), lt: Math.ceil(to / 1000) }
    for (let after: string | undefined; ;) {
      const params = { created, limit: pageSize, ...(after !== undefined && { starting_after: after }) }
      const { data, has_more: hasMore } = await answered(what, () => list(params))
      // Refunds do not say their mode; that of the key has been checked by the other lists.
      if (data.some((one) => one.livemode === !livemode)) throw new Error('Stripe answers in its other mode')
      yield data.map(lineOf)
      after = data.at(-1)?.id
      if (!hasMore || after === undefined) return
    }
  }

  async function* pages(span: Span): AsyncGenerator<StatementLine[]> {
    yield* listed('listing charges', (params) => api.charges.list(params), chargeLine, span)
    yield* listed('listing refunds', (params) => api.refunds.list(params), refundLine, span)
    yield* listed('listing disputes', (params) => api.disputes.list(params), disputeLine, span)
  }

  const booked = async (column: 'order_id' | 'stripe_id', ids: readonly (string | null)[]): Promise<BookRow[]> => {
    const known = ids.filter((id) => id !== null)
    const sql = `select order_id as "orderId", payment_id as "paymentId", stripe_id as "stripeId"
                 from stripe_orders where ${column} in (?)`
    return known.length > 0 ? database.orm.em.fork().execute<BookRow[]>(sql, [known]) : []
  }

  async function identify(lines: readonly StatementLine[]): Promise<Identified[]> {
    const theirIds = lines.flatMap(({ theirId, paymentTheirId }) => [theirId, paymentTheirId])
    const rows = new Map((await booked('stripe_id', theirIds)).map((row) => [row.stripeId, row]))
    return lines.map((line): Identified => {
      const row = rows.get(line.theirId)
      // A dispute is no order of ours.
      const ourId = line.kind === 'dispute' ? null : (row?.orderId ?? line.ourId)
      const payment = line.kind === 'payment' ? ourId : (rows.get(line.paymentTheirId)?.orderId ?? null)
      const paymentId = payment ?? row?.paymentId ?? null
      return { line, ourId, paymentId, isOurs: ourId !== null || paymentId !== null }
    })
  }

  /** Stripe's object; null where Stripe has none with this id. */
  const retrieved = <T>(what: string, request: () => Promise<T>) => orNull(() => answered(what, request), 'not_found')

  async function findPayment(stripeId: string): Promise<StatementLine | null> {
    const expand = ['latest_charge']
    const intent = await retrieved('retrieving a payment', () => api.paymentIntents.retrieve(stripeId, { expand }))
    return intent && intentLine(intent)
  }

  return {
    pages,
    identify,
    knows: async (ids) => new Set((await booked('order_id', ids)).map(({ orderId }) => orderId)),
    async find({ kind, id, networkId }) {
      if (kind === 'dispute') {
        const dispute = await retrieved('retrieving a dispute', () => api.disputes.retrieve(networkId ?? ''))
        return dispute && disputeLine(dispute)
      }
      const [row] = await booked('order_id', [id])
      const { stripeId } = row ?? { stripeId: null }
      if (stripeId === null) return null
      if (kind === 'payment') return findPayment(stripeId)
      const refund = await retrieved('retrieving a refund', () => api.refunds.retrieve(stripeId))
      return refund && refundLine(refund)
    },
  }
}

type Money = Pick<StatementLine, 'amount' | 'currency'>

/** An amount as Stripe counts it. One in a currency that this service does not know stays in its smallest unit. */
function moneyOf(minor: number, code: string): Money {
  const currency = code.toUpperCase()
  if (isCurrency(currency)) return { amount: fromMinor(minor, currency), currency }
  if (!Number.isSafeInteger(minor)) throw new Error('Stripe reports an amount that is not a whole number')
  return { amount: new Big(minor).toFixed(), currency: `${currency} (smallest units)` }
}

/** Our id in the metadata of what we have ordered. */
function ourIdIn(metadata: Stripe.Metadata | null | undefined, prefix: 'pay' | 'ref'): string | null {
  const id = metadata?.[metadataKey] ?? ''
  return new RegExp(`^${prefix}_[0-9a-z]{1,60}$`).test(id) ? id : null
}

/** A word of Stripe's lists; no other text of its answers is passed on. */
const wordOf = (status: string | null): string => (/^[a-z_]{1,40}$/.test(status ?? '') ? String(status) : 'unknown')

const common = { reference: null, paymentTheirId: null }
const timeOf = ({ created }: Listed) => created * 1000

function chargeLine(charge: Stripe.Charge): StatementLine {
  const isTaken = charge.status === 'succeeded' && charge.captured !== false
  const untakenStatus: MoneyStatus = charge.status === 'failed' ? 'undone' : 'open'
  return {
    ...common,
    ...moneyOf(isTaken ? charge.amount_captured : charge.amount, charge.currency),
    kind: 'payment',
    // The book has the id of the payment. A charge of somebody else may have none.
    theirId: idOf(charge.payment_intent) ?? charge.id,
    ourId: ourIdIn(charge.metadata, 'pay'),
    status: isTaken ? 'settled' : untakenStatus,
    word: wordOf(charge.status),
    at: timeOf(charge),
  }
}

const intentStatuses: Record<string, MoneyStatus> = {
  succeeded: 'settled',
  canceled: 'undone',
  requires_payment_method: 'undone',
}

/** A payment by its own answer; when it has succeeded, by the time of its charge. */
function intentLine(intent: Stripe.PaymentIntent): StatementLine {
  const { latest_charge: charge, status: word } = intent
  const isSettled = word === 'succeeded'
  return {
    ...common,
    ...moneyOf(isSettled ? intent.amount_received : intent.amount, intent.currency),
    kind: 'payment',
    theirId: intent.id,
    ourId: ourIdIn(intent.metadata, 'pay'),
    status: intentStatuses[word] ?? 'open',
    word: wordOf(word),
    at: charge && typeof charge !== 'string' ? timeOf(charge) : timeOf(intent),
  }
}

/** The statuses in which money has ended; in every other status it is open. */
const refundStatuses: Record<string, MoneyStatus> = { succeeded: 'settled', failed: 'undone', canceled: 'undone' }

const refundLine = (refund: Stripe.Refund): StatementLine => ({
  ...common,
  ...moneyOf(refund.amount, refund.currency),
  kind: 'refund',
  theirId: refund.id,
  ourId: ourIdIn(refund.metadata, 'ref'),
  paymentTheirId: idOf(refund.payment_intent),
  status: refundStatuses[refund.status ?? ''] ?? 'open',
  word: wordOf(refund.status),
  at: timeOf(refund),
})

const disputeStatuses: Record<string, MoneyStatus> = {
  lost: 'settled',
  won: 'undone',
  warning_closed: 'undone',
}

const disputeStatusOf = (dispute: Stripe.Dispute): MoneyStatus => {
  if (dispute.status === 'prevented') return hasTaken(dispute) ? 'settled' : 'undone'
  return disputeStatuses[dispute.status] ?? 'open'
}

const disputeLine = (dispute: Stripe.Dispute): StatementLine => ({
  ...common,
  ...moneyOf(dispute.amount, dispute.currency),
  kind: 'dispute',
  theirId: dispute.id,
  ourId: null,
  paymentTheirId: idOf(dispute.payment_intent),
  status: disputeStatusOf(dispute),
  word: wordOf(dispute.status),
  at: timeOf(dispute),
})
