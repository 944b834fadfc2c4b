import type { Database } from '../../db/core/database.ts'
import type { StatementLine } from '../../domain/reconciliation.ts'
import type { Identified } from '../statement.ts'
import { paymentOf } from './reference.ts'

type OrderRow = { id: string; kind: string; paymentId: string | null; theirId: string | null }
type DepositRow = { id: string; reference: string }

const orderColumns = `id, kind, payment_id as "paymentId", their_id as "theirId"`
const depositColumns = `id, session_id as "reference"`

/** Reads the rows of a list of texts, which stands in the statement as `?`. */
const run = async <T extends object>({ orm }: Database, sql: string, texts: readonly string[]): Promise<T[]> =>
  texts.length > 0 ? orm.em.fork().execute<T[]>(sql, [texts]) : []

/**
 * What of these ids of ours went to Paystack: orders, and transfers into live virtual accounts, which all are
 * Paystack's.
 */
export async function ordersOf(database: Database, ids: readonly string[]) {
  const [orders, deposits] = await Promise.all([
    run<OrderRow>(database, `select ${orderColumns} from paystack_orders where id in (?)`, ids),
    run<DepositRow>(database, `select ${depositColumns} from deposits where id in (?) and environment = 'live'`, ids),
  ])
  return { orders, deposits }
}

export async function knownIds(database: Database, ids: readonly string[]): Promise<Set<string>> {
  const { orders, deposits } = await ordersOf(database, ids)
  return new Set([...orders, ...deposits].map(({ id }) => id))
}

/** Which of these account numbers are live virtual accounts of ours. */
export async function ownNumbers(database: Database, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await run<{ number: string }>(
    database,
    `select account_number as "number" from virtual_accounts where account_number in (?) and environment = 'live'`,
    numbers,
  )
  return new Set(rows.map(({ number }) => number))
}

/**
 * Whose each line is. A payment is found by our reference, or by Paystack's reference of a transfer into a virtual
 * account; a refund by the note that we have given it; a payout by its reference; each also by Paystack's number.
 */
export async function identifyLines(database: Database, lines: readonly StatementLine[]): Promise<Identified[]> {
  const theirIds = lines.flatMap(({ theirId, paymentTheirId }) => [
    theirId,
    ...(paymentTheirId ? [paymentTheirId] : []),
  ])
  const references = lines.flatMap(({ reference }) => (reference === null || paymentOf(reference) ? [] : [reference]))
  const [orders, deposits] = await Promise.all([
    run<OrderRow>(database, `select ${orderColumns} from paystack_orders where their_id in (?)`, theirIds),
    run<DepositRow>(
      database,
      `select ${depositColumns} from deposits where session_id in (?) and environment = 'live'`,
      references,
    ),
  ])
  // Paystack counts transactions, refunds and transfers apart: the same number may stand for one of each.
  const numbered = new Map(orders.map((row) => [`${row.kind} ${row.theirId}`, row]))
  const deposited = new Map(deposits.map(({ id, reference }) => [reference, id]))
  const charged = (number: string | null) => (number === null ? null : (numbered.get(`charge ${number}`)?.id ?? null))
  return lines.map((line): Identified => {
    const { kind, theirId, ourId, reference, paymentTheirId } = line
    const payment =
      kind === 'payout'
        ? null
        : (charged(paymentTheirId) ??
          (reference === null ? null : (paymentOf(reference) ?? deposited.get(reference) ?? null)))
    if (kind === 'payment') return { line, ourId: payment, paymentId: payment, isOurs: payment !== null }
    if (kind === 'dispute') return { line, ourId: null, paymentId: payment, isOurs: payment !== null }
    const row = numbered.get(`${kind} ${theirId}`)
    const id = row?.id ?? ourId
    const paymentId = payment ?? row?.paymentId ?? null
    return { line, ourId: id, paymentId, isOurs: id !== null || paymentId !== null }
  })
}
