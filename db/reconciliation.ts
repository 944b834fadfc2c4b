import { firstIdAt } from '../domain/id.ts'
import { add, type Amount, isLess, negate } from '../domain/money.ts'
import type { MoneyKind, MoneyStatus, OwnLine } from '../domain/reconciliation.ts'
import { returnedAmountOf } from '../domain/refund.ts'
import { Payment } from './checkout/payment.ts'
import type { Database, EntityManager } from './core/database.ts'
import { inSnapshot } from './core/database.ts'
import { Dispute } from './dispute/dispute.ts'
import type { MovementKind } from './ledger/tables.ts'
import { Payout } from './payout/payout.ts'
import { Refund } from './refund/refund.ts'

// What our rows and our ledger say about live money, for the comparison with a provider's statement. Only reads, in
// read-only transactions.

/** What is wanted: of a payment also under which ids of the provider its deposits may be posted. */
export type Wanted = { kind: MoneyKind; id: string; depositIds: readonly string[] }

/** A dispute as the provider names it. */
export type WantedDispute = { paymentId: string; networkId: string }

const keyOf = (kind: MoneyKind, id: string) => `${kind} ${id}`

/** Our lines by `kind id`. What there is no row of is left out. */
export async function readOwn(database: Database, wanted: readonly Wanted[]): Promise<Map<string, OwnLine>> {
  const idsOf = (kind: MoneyKind) => wanted.filter((one) => one.kind === kind).map(({ id }) => id)
  return inSnapshot(database.orm.em, async (em) => {
    const live = (kind: MoneyKind) => ({ id: { $in: idsOf(kind) }, environment: 'live' as const })
    const own = [
      ...(await em.find(Payment, live('payment'))).map(ofPayment),
      ...(await em.find(Refund, live('refund'))).map(ofRefund),
      ...(await em.find(Payout, live('payout'))).map(ofPayout),
      ...(await em.find(Dispute, live('dispute'))).map(ofDispute),
    ]
    const posted = await postedOf(em, own, wanted)
    return new Map(own.map((one) => [keyOf(one.kind, one.id), { ...one, posted: posted(one) }]))
  })
}

/** Our ids of disputes, by `payment network`. */
export async function findDisputes(database: Database, wanted: readonly WantedDispute[]): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map()
  const paymentId = { $in: wanted.map((one) => one.paymentId) }
  const fields = ['id', 'paymentId', 'networkId'] as const
  const found = await inSnapshot(database.orm.em, (em) =>
    em.find(Dispute, { paymentId, environment: 'live' }, { fields }),
  )
  return new Map(found.map((dispute) => [`${dispute.paymentId} ${dispute.networkId}`, dispute.id]))
}

type Row = Omit<OwnLine, 'posted'>

function ofPayment(payment: Payment): Row {
  const { id, status, amount, amountReceived, currency } = payment
  const isPaid = isLess('0', amountReceived) && (status === 'succeeded' || status === 'underpaid')
  const isOpen = status === 'requires_action' || status === 'processing'
  const unpaidStatus: MoneyStatus = isOpen ? 'open' : 'undone'
  return {
    kind: 'payment',
    id,
    networkId: null,
    paymentId: id,
    status: isPaid ? 'settled' : unpaidStatus,
    amount: isPaid ? amountReceived : amount,
    currency,
  }
}

/** The statuses in which money has ended; in every other status it is open. */
const refundStatuses: Record<string, MoneyStatus> = { succeeded: 'settled', failed: 'undone' }
const payoutStatuses: Record<string, MoneyStatus> = { completed: 'settled', failed: 'undone', rejected: 'undone' }
const disputeStatuses: Record<string, MoneyStatus> = { lost: 'settled', won: 'undone', prevented: 'undone' }

const ofRefund = (refund: Refund): Row => ({
  kind: 'refund',
  id: refund.id,
  networkId: null,
  paymentId: refund.chargeId,
  status: refundStatuses[refund.status] ?? 'open',
  amount: returnedAmountOf(refund),
  currency: refund.currency,
})

function ofPayout({ id, status, returnedAt, amount, currency }: Payout): Row {
  const moneyStatus = returnedAt === null ? (payoutStatuses[status] ?? 'open') : 'undone'
  return { kind: 'payout', id, networkId: null, paymentId: null, status: moneyStatus, amount, currency }
}

function ofDispute({ id, networkId, paymentId, status, amount, currency }: Dispute): Row {
  const moneyStatus = disputeStatuses[status] ?? 'open'
  return { kind: 'dispute', id, networkId, paymentId, status: moneyStatus, amount, currency }
}

/** The movements that change what a rail holds for us: what comes in is a debit, what goes out a credit. */
const movements: Record<MoneyKind, readonly MovementKind[]> = {
  payment: ['settlement', 'deposit'],
  refund: ['refund_paid', 'refund_returned'],
  payout: ['payout_paid', 'payout_returned'],
  dispute: ['dispute_paid'],
}
const everyMovement = Object.values(movements).flat()

type PostedRow = { kind: MovementKind; sourceId: string; currency: string; amount: Amount }

/** What the ledger has posted at the rail of each line: what has come in or gone out, as a positive amount. */
async function postedOf(em: EntityManager, own: readonly Row[], wanted: readonly Wanted[]) {
  const depositsOf = new Map(wanted.map(({ kind, id, depositIds }) => [keyOf(kind, id), depositIds]))
  const sourcesOf = ({ kind, id }: Row): string[] => [
    id,
    ...(depositsOf.get(keyOf(kind, id)) ?? []).map((depositId) => `${id}/${depositId}`),
  ]
  const sources = own.flatMap(sourcesOf)
  const rows = sources.length === 0 ? [] : await em.execute<PostedRow[]>(postedSql, [everyMovement, sources])
  const bySource = Map.groupBy(rows, ({ sourceId }) => sourceId)
  return (one: Row): Amount | null => {
    const posted = sourcesOf(one)
      .flatMap((source) => bySource.get(source) ?? [])
      .filter(({ kind }) => movements[one.kind].includes(kind))
    // A payout that was exchanged leaves the ledger in the currency of the balance.
    if (posted.some(({ currency }) => currency !== one.currency)) return null
    const sum = posted.reduce((total, { amount }) => add(total, amount), '0')
    return one.kind === 'payment' ? negate(sum) : sum
  }
}

const postedSql = `select t.kind, t.source_id as "sourceId", e.currency, sum(e.amount) as amount
  from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where t.kind in (?) and t.source_id in (?) and e.book = 'rail' and e.environment = 'live'
  group by 1, 2, 3`

/** What a movement of the ledger is about, and the order by which a rail knows it. */
export type Moved = Wanted & { orderId: string }

type MovedRow = { id: string; kind: MovementKind; sourceId: string; disputedId: string | null }

const usualPageSize = 500

/**
 * What the ledger has posted at live rails within a span, in milliseconds since the epoch, in pages. The ids of the
 * ledger's transactions begin with their time, so a span is a range of the primary key.
 */
export async function* movedWithin(
  database: Database,
  { from, to }: { from: number; to: number },
  pageSize = usualPageSize,
): AsyncGenerator<Moved[]> {
  let after = firstIdAt('txn', from)
  const end = firstIdAt('txn', to)
  for (;;) {
    const values = [after, end, everyMovement, pageSize]
    const rows = await inSnapshot(database.orm.em, (em) => em.execute<MovedRow[]>(movedSql, values))
    yield rows.map(toMoved)
    const last = rows.at(-1)
    if (rows.length < pageSize || !last) return
    after = last.id
  }
}

const movedSql = `select t.id, t.kind, t.source_id as "sourceId", d.payment_id as "disputedId"
  from ledger_transactions t left join disputes d on t.kind = 'dispute_paid' and d.id = t.source_id
  where t.id > ? and t.id < ? and t.kind in (?) and exists (
    select from ledger_entries e where e.transaction_id = t.id and e.environment = 'live' and e.book = 'rail')
  order by t.id limit ?`

function toMoved({ kind: movement, sourceId, disputedId }: MovedRow): Moved {
  const [id = sourceId, ...deposit] = sourceId.split('/')
  const kinds = Object.keys(movements) as MoneyKind[]
  const kind = kinds.find((one) => movements[one].includes(movement)) ?? 'payment'
  return { kind, id, depositIds: deposit.length > 0 ? [deposit.join('/')] : [], orderId: disputedId ?? id }
}
