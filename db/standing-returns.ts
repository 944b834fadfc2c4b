import { claimsMoney, disputeStatuses } from '../domain/dispute/dispute.ts'
import type { Amount } from '../domain/money.ts'
import type { EntityManager } from './core/database.ts'
import type { Transfer } from './transfer/transfer.ts'

/**
 * The refunds and disputes of a sale that stand and take their part of its share back, without one of them; each with
 * what it has taken so far. There may be any number of refunds, so they are added where they are stored.
 */
const standingSql = `with standing as (
    select 'refund' as kind, id, requested_amount as part from refunds
    where charge_id = ? and takes_back_share and status <> 'failed' and id <> ?
    union all select 'dispute', id, amount from disputes where payment_id = ? and status in (?) and id <> ?
  ), reversed as (
    select coalesce(refund_id, dispute_id) as id, sum(amount) as amount from transfer_reversals
    where transfer_id = ? and canceled_at is null and num_nonnulls(refund_id, dispute_id) = 1 group by 1
  ), returned as (
    select kind, s.id, part, coalesce(r.amount, 0) as taken from standing s left join reversed r on r.id = s.id
  )`
const claiming = disputeStatuses.filter(claimsMoney)

export type ReturnKind = 'refund' | 'dispute'

/** The part of a sale that is returned, and what was taken back of its share for it. */
type Returned = { kind: ReturnKind; part: Amount; taken: Amount }

/** All of them, added up: the refunds in one row, and the disputes in one. */
export const sumReturns = (em: EntityManager, transfer: Transfer, exceptId: string): Promise<Returned[]> =>
  read(em, 'select kind, sum(part) as part, sum(taken) as taken from returned group by kind', transfer, exceptId)

/** The first `limit` of them: refunds before disputes. */
export const findReturns = (
  em: EntityManager,
  transfer: Transfer,
  exceptId: string,
  limit: number,
): Promise<(Returned & { id: string })[]> =>
  read(em, `select * from returned order by kind desc, id limit ${limit}`, transfer, exceptId)

async function read<Row>(em: EntityManager, select: string, transfer: Transfer, exceptId: string): Promise<Row[]> {
  const { id, paymentId } = transfer
  await em.flush() // what the running transaction has changed counts too
  return em.execute<Row[]>(`${standingSql} ${select}`, [paymentId, exceptId, paymentId, claiming, exceptId, id])
}

/**
 * What the payer of a charge has got back. It is less than the charge's own `refundedAmount` where fees of refunds were
 * taken from what was returned.
 */
export async function returnedToPayer(em: EntityManager, chargeId: string): Promise<Amount> {
  const [row] = await em.execute<{ amount: Amount }[]>(
    `select coalesce(sum(refunded_amount), 0) as amount from refunds where charge_id = ?`,
    [chargeId],
  )
  return row?.amount ?? '0'
}
