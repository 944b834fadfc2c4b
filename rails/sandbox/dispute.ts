import { createHash } from 'node:crypto'
import type { Database, EntityManager } from '../../db/core/database.ts'
import { type DisputeReason, disputeReasons, type RaisedDispute } from '../../domain/dispute/dispute.ts'
import { evidenceTextKeys } from '../../domain/dispute/evidence.ts'
import type { Amount } from '../../domain/money.ts'
import type { DisputeAnswer, DisputeOrder, DisputeRail, EvidenceOrder } from '../dispute-rail.ts'
import type { RailAnswer } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { SimulatedDispute } from './book.ts'
import { losingEvidence, responseTimeMs, winningEvidence } from './test-values.ts'

/** Disputes of the simulated cards. The network decides at once where the evidence has one of the documented texts. */
export function createSimulatedDisputes({ orm }: Database): DisputeRail<'sandbox'> {
  async function lookUpDispute({ networkId }: DisputeOrder, at: number): Promise<DisputeAnswer> {
    const em = orm.em.fork()
    // A warning that no refund has answered becomes a dispute.
    await em.execute(
      `update simulated_disputes set status = 'needs_response', due_at = ?
       where network_id = ? and status = 'early_warning' and warns_until <= ?`,
      [new Date(at + responseTimeMs), networkId, new Date(at)],
    )
    const row = await em.findOne(SimulatedDispute, { networkId })
    if (!row) return { status: 'not_found' }
    return row.status === 'needs_response' ? { status: row.status, dueAt: row.dueAt.getTime() } : { status: row.status }
  }

  /**
   * Moves a dispute that waits for the merchant; one that was moved before, or has ended, stays as it is. So does one
   * that was raised although its charge was refunded after the warning.
   */
  async function moveFromWaiting(order: DisputeOrder, to: SimulatedDispute['status'], submissions: number) {
    const moved = await orm.em.fork().execute<object[]>(
      `update simulated_disputes set status = ?, submissions = submissions + ?
       where network_id = ? and (status = 'early_warning' or (status = 'needs_response' and not ?::boolean))
       returning network_id`,
      [to, submissions, order.networkId, order.isRefunded],
    )
    return moved.length > 0
  }

  return {
    lookUpDispute,
    async submitEvidence(order, at) {
      for (const document of order.documents) for await (const piece of document.read()) void piece
      if (await moveFromWaiting(order, verdictOn(order), 1)) return lookUpDispute(order, at)
      const known = await lookUpDispute(order, at)
      if (known.status === 'withdrawn' || known.status === 'closed') throw new RailRefusal('the dispute is over')
      return known
    },
    async acceptDispute(order, at) {
      await moveFromWaiting(order, 'closed', 0)
      return lookUpDispute(order, at)
    },
  }
}

function verdictOn({ texts }: EvidenceOrder): 'won' | 'lost' | 'under_review' {
  const given = evidenceTextKeys.map((key) => texts[key])
  if (given.includes(winningEvidence)) return 'won'
  return given.includes(losingEvidence) ? 'lost' : 'under_review'
}

type Raising = { amount: Amount; reason: DisputeReason; warnsUntil: number | null }

/** The network's id of a dispute of a charge: the same for the same `key`. */
export const networkIdOf = (paymentId: string, key: string): string =>
  `dp_${createHash('sha256').update(`${paymentId} ${key}`).digest('hex').slice(0, 24)}`

/** Enters a dispute of a charge into the network's book, once for each `key`. `at` is in ms since the epoch. */
export async function raiseInSandbox(
  em: EntityManager,
  { paymentId, key }: { paymentId: string; key: string },
  { amount, reason, warnsUntil }: Raising,
  at: number,
): Promise<string> {
  const networkId = networkIdOf(paymentId, key)
  await em.execute(
    `insert into simulated_disputes (network_id, payment_id, status, amount, reason, due_at, warns_until, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (network_id) do nothing`,
    [
      networkId,
      paymentId,
      warnsUntil === null ? 'needs_response' : 'early_warning',
      amount,
      reason,
      new Date(at + responseTimeMs),
      warnsUntil === null ? null : new Date(warnsUntil),
      new Date(at),
    ],
  )
  return networkId
}

/**
 * An answer about a charge that has succeeded, with the disputes that were raised by `at`, and when the next one will
 * be; both in milliseconds since the epoch.
 */
export async function withDisputes(
  em: EntityManager,
  paymentId: string,
  answer: RailAnswer,
  at: number,
): Promise<RailAnswer> {
  if (answer.status !== 'succeeded') return answer
  const rows = await em.find(SimulatedDispute, { paymentId }, { orderBy: { createdAt: 'asc', networkId: 'asc' } })
  const next = rows.find(({ createdAt }) => createdAt.getTime() > at)
  const disputes = rows.filter(({ createdAt }) => createdAt.getTime() <= at).map(toRaised)
  return { ...answer, disputes, ...(next && { newsDueAt: next.createdAt.getTime() }) }
}

const toRaised = ({ networkId, amount, reason, dueAt, warnsUntil }: SimulatedDispute): RaisedDispute => ({
  id: networkId,
  amount,
  reason,
  networkReasonCode: disputeReasons[reason],
  dueAt: dueAt.getTime(),
  warnsUntil: warnsUntil?.getTime() ?? null,
})
