import * as fc from 'fast-check'
import { acceptDispute, submitEvidence } from '../../activities/dispute/change.ts'
import { endDispute, preventDispute, raiseDispute } from '../../commands/dispute/change-dispute.ts'
import { openDisputes } from '../../commands/dispute/open-dispute.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { disputeFeeOf, isDisputable } from '../../domain/dispute/dispute.ts'
import { amountOf, book, count, followShare, type Known, lesser, partOf, type Run, unitsOf } from './split-run.ts'

const dayMs = 86_400_000
const ends = ['won', 'withdrawn', 'lost', 'expired', 'accepted'] as const

/**
 * Disputes of a sale. `part`: of what the buyer has paid, also more than what is left of it. `warning`: it is announced
 * first, and prevented or raised later. `isLate`: it comes once the others have ended.
 */
export const randomDisputes = fc.array(
  fc.record({
    part: fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 1, noNaN: true })),
    end: fc.constantFrom(...ends),
    warning: fc.option(fc.constantFrom('prevented', 'raised'), { freq: 3 }),
    isLate: fc.boolean(),
  }),
  { maxLength: 3 },
)
export type DisputeWish = typeof randomDisputes extends fc.Arbitrary<(infer T)[]> ? T : never

/** A dispute that holds something: what it has taken of the charge. */
export type Raised = { id: string; end: DisputeWish['end']; taken: bigint; dueAt: number }

let numbers = 0

/** A network raises a dispute of a sale. None where refunds and others leave nothing of it, or prevent it. */
export async function raiseOn(run: Run, known: Known, wish: DisputeWish, at: number): Promise<Raised[]> {
  const { paymentId, currency } = known
  const named = partOf(known.received, wish.part)
  if (!isDisputable(known.corridor) || named === 0n) return []
  const networkId = `dp_${++numbers}`
  const dueAt = at + 14 * dayMs
  const warnsUntil = wish.warning === null ? null : at + 3 * dayMs
  const details = { reason: 'general', networkReasonCode: null, dueAt, warnsUntil } as const
  await inTransaction(run.database, async (em) =>
    openDisputes(
      em,
      await lock(em, Payment, paymentId),
      [{ id: networkId, amount: amountOf(named, currency), ...details }],
      at,
    ),
  )
  const opened = await run.database.orm.em.fork().findOne(Dispute, { paymentId, networkId })
  const left = known.received - known.claimed - known.disputed
  if ((opened === null) !== (left === 0n)) run.violations.push(`${paymentId}: a dispute of ${named}, ${left} are left`)
  if (!opened) return []
  if (wish.warning !== null) count(run, 'warnings')
  const taken = lesser(named, left)
  if (unitsOf(opened.amount, currency) !== taken)
    run.violations.push(`${opened.id} takes ${opened.amount}, not ${taken}`)
  if (wish.warning === 'prevented') {
    await step(run, opened.id, (em, dispute) => preventDispute(em, dispute, at))
    return []
  }
  if (wish.warning === 'raised') await step(run, opened.id, (em, dispute) => raiseDispute(em, dispute, dueAt, at))
  count(run, 'disputes')
  known.disputed += taken
  book(run, known.sender, currency, -taken - unitsOf(disputeFeeOf(currency), currency))
  await followShare(run, known)
  return [{ id: opened.id, end: wish.end, taken, dueAt }]
}

/** The dispute ends: what was held comes back if it is won, and is gone otherwise. The fee is gone in any case. */
export async function endDisputeOf(run: Run, known: Known, raised: Raised, at: number): Promise<void> {
  const { id, end, taken, dueAt } = raised
  await step(run, id, async (em, dispute) => {
    if (end === 'accepted') return acceptDispute(em, dispute, id, at)
    if (end === 'expired') return endDispute(em, dispute, 'lost', 'expired', dueAt)
    if (end === 'withdrawn') return endDispute(em, dispute, 'won', 'withdrawn', at)
    dispute.evidence = { uncategorized_text: 'They have it.' }
    await submitEvidence(em, dispute, id, at)
    return endDispute(em, dispute, end, 'evidence', at)
  })
  count(run, `disputes ${end}`)
  if (end !== 'won' && end !== 'withdrawn') return
  known.disputed -= taken
  known.undone += 1
  book(run, known.sender, known.currency, taken)
  await followShare(run, known)
}

const step = (run: Run, id: string, work: (em: EntityManager, dispute: Dispute) => Promise<void>): Promise<void> =>
  inTransaction(run.database, async (em) => work(em, await lock(em, Dispute, id)))
