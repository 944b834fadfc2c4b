import type { Static, TSchema } from 'typebox'
import type { Database } from '../../db/core/database.ts'
import type { StatementLine } from '../../domain/reconciliation.ts'
import { type Asked, type Identified, patiently, type Span, type Statement } from '../statement.ts'
import { type PaystackApi, PaystackUnclear, unclear } from './api.ts'
import { identifyLines, knownIds, ordersOf, ownNumbers } from './owned.ts'
import { chargeReference, isIdentifier } from './reference.ts'
import { isNotFound } from './refusals.ts'
import { ListedDeposit, ListedDispute, ListedRefund, ListedTransaction, ListedTransfer, reader } from './shapes.ts'
import { disputeLine, refundLine, transactionLine, transferLine } from './statement-line.ts'
import { dayMs } from '../../domain/duration.ts'
import { fieldsOf } from '../../domain/narrow.ts'

type Needs = { api: PaystackApi; database: Database; pause?: (ms: number) => Promise<unknown> }

/** Paystack's own size: its transactions are long, and an answer may have a megabyte at most. */
const perPage = 50
const pagesMax = 400_000
/**
 * Paystack lists transactions by when they were begun, and a buyer may pay later: an account for a transfer is open for
 * 8 hours, and a page without end. So the days before are read too, and what was paid on other days is left out.
 */
const begunBeforeMs = 14 * dayMs

/** Paystack's transactions, refunds, transfers and disputes. A payment belongs to the moment at which it was paid. */
export function createPaystackStatement({ api, database, pause }: Needs): Statement {
  const patient = patiently(pause)

  async function* listed<T extends TSchema>(
    list: { path: string; shape: T; lineOf: (one: Static<T>) => StatementLine },
    span: Span,
    from = span.from,
  ): AsyncGenerator<StatementLine[]> {
    const { path, shape, lineOf } = list
    const readEntry = reader(`the list ${path}`, shape)
    const times = { from: new Date(from).toISOString(), to: new Date(span.to).toISOString() }
    for (let page = 1; page <= pagesMax; page++) {
      const query = new URLSearchParams({ ...times, perPage: String(perPage), page: String(page) })
      const reply = await patient(() => api.get(`${path}?${query.toString()}`))
      if (!reply.isDone || !Array.isArray(reply.data)) throw unclear(`the list ${path}`, reply)
      // Its documents name no largest page, so a page with fewer than were asked for need not be the last one.
      if (reply.data.length === 0) return
      const lines = reply.data.map((entry: unknown) => lineOf(assertMode(readEntry(entry))))
      yield lines.filter(({ at }) => at >= span.from && at < span.to)
    }
    throw new PaystackUnclear(`the list ${path} does not end`)
  }

  /** What Paystack has moved with a key of one mode is of that mode. */
  function assertMode<T>(entry: T): T {
    const { domain } = entry as { domain?: unknown }
    if (domain != null && domain !== api.mode) throw new PaystackUnclear('Paystack answers in its other mode')
    return entry
  }

  async function* pages(span: Span): AsyncGenerator<StatementLine[]> {
    const transactions = { path: '/transaction', shape: ListedTransaction, lineOf: transactionLine }
    yield* listed(transactions, span, span.from - begunBeforeMs)
    yield* listed({ path: '/refund', shape: ListedRefund, lineOf: refundLine }, span)
    yield* listed({ path: '/transfer', shape: ListedTransfer, lineOf: transferLine }, span)
    yield* listed({ path: '/dispute', shape: ListedDispute, lineOf: disputeLine }, span)
  }

  async function read<T extends TSchema>(path: string, shape: T): Promise<Static<T> | null> {
    const reply = await patient(() => api.get(path))
    if (isNotFound(reply) || reply.code === 'refund_not_found') return null
    if (!reply.isDone) throw unclear('a question about one order', reply)
    return assertMode(reader('one order', shape)(reply.data))
  }

  /** The reference of a payment: of ours for what we have ordered, Paystack's for a transfer to a virtual account. */
  async function referenceOf(paymentId: string): Promise<string | null> {
    const { orders, deposits } = await ordersOf(database, [paymentId])
    if (orders.length > 0) return chargeReference(paymentId)
    return deposits[0]?.reference ?? null
  }

  async function find({ kind, id, networkId }: Asked): Promise<StatementLine | null> {
    if (kind === 'payment') {
      const reference = await referenceOf(id)
      if (reference === null || !isIdentifier(reference)) return null
      const found = await read(`/transaction/verify/${reference}`, ListedTransaction)
      return found && transactionLine(found)
    }
    if (kind === 'payout') {
      const found = await read(`/transfer/verify/${id}`, ListedTransfer)
      return found && transferLine(found)
    }
    const theirId = kind === 'dispute' ? networkId : ((await ordersOf(database, [id])).orders[0]?.theirId ?? null)
    if (theirId === null || !/^\d{1,20}$/.test(theirId)) return null
    if (kind === 'dispute') {
      const dispute = await read(`/dispute/${theirId}`, ListedDispute)
      return dispute && disputeLine(dispute)
    }
    const refund = await read(`/refund/${theirId}`, ListedRefund)
    return refund && refundLine(refund)
  }

  /** A refund names its payment by Paystack's number, which our book has of our charges alone. */
  async function withReference(line: StatementLine): Promise<StatementLine> {
    const { kind, paymentTheirId } = line
    if (kind !== 'refund' || paymentTheirId === null) return line
    const transaction = await read(`/transaction/${paymentTheirId}`, ListedTransaction)
    return { ...line, reference: transaction?.reference ?? null }
  }

  /** The account that a transfer went into; null where Paystack does not say it. */
  async function receiverOf({ reference }: StatementLine): Promise<string | null> {
    if (reference === null || !isIdentifier(reference)) return null
    const made = await read(`/transaction/verify/${reference}`, ListedDeposit)
    const { receiver_bank_account_number: number } = fieldsOf(made?.authorization)
    return typeof number === 'string' ? number : null
  }

  /** A transfer that nobody has told us of is ours if it went into a virtual account of ours. */
  async function withDeposits(identified: readonly Identified[]): Promise<Identified[]> {
    const receivers = new Map<StatementLine, string>()
    for (const { line, isOurs } of identified) {
      if (isOurs || !line.isDeposit || line.status !== 'settled') continue
      const number = await receiverOf(line)
      if (number !== null) receivers.set(line, number)
    }
    const own = await ownNumbers(database, [...receivers.values()])
    return identified.map((one) => ({ ...one, isOurs: one.isOurs || own.has(receivers.get(one.line) ?? '') }))
  }

  /** Paystack is asked about refunds of unknown payments: somebody may have refunded a virtual account's transfer. */
  async function identify(lines: readonly StatementLine[]): Promise<Identified[]> {
    const identified = await identifyLines(database, lines)
    const known = identified.filter(({ isOurs }) => isOurs)
    const named: StatementLine[] = []
    for (const { line, isOurs } of identified) if (!isOurs) named.push(await withReference(line))
    return [...known, ...(await withDeposits(await identifyLines(database, named)))]
  }

  return {
    pages,
    find,
    identify,
    knows: (ids) => knownIds(database, ids),
  }
}
