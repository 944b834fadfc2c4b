import { endDispute } from '../../commands/dispute/change-dispute.ts'
import { type EntityManager, inTransaction, lock, writtenAt } from '../../db/core/database.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import type { DisputeResolution } from '../../domain/dispute/dispute.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { DisputeAnswer } from '../../rails/dispute-rail.ts'
import type { Deps } from '../deps.ts'
import { assertOwn, concludeAction, orThrow, readAction, takeUpAction } from '../operator-action.ts'
import { answerOrNull, withoutOverlap } from '../answer-or-null.ts'
import { type DisputeSnapshot, snapshotOf } from './snapshot.ts'

/** The steps of the `dispute` process that an operator action makes too. */
type Steps = {
  /** Tells the network what it still has to be told. */
  tell: (id: string, asked: number) => Promise<{ isContradicted?: boolean | null }>
  /** Asks the network how the dispute stands. */
  ask: (id: string, asked: number) => Promise<DisputeAnswer>
  /** Records what the network has answered. */
  record: (id: string, answer: DisputeAnswer, asked: number) => Promise<DisputeSnapshot>
}

/**
 * A dispute after an operator action. `asksAgain`: the process has to ask the network, which has not answered or has
 * reported a different outcome than our books.
 */
export type DisputeAfterAction = { snapshot: DisputeSnapshot; asksAgain: boolean }

/**
 * Carries out an operator action on a dispute, once. A retry tells the network what it has not got yet, or asks it how
 * the dispute stands. Before a mark the network is asked too, and its word counts for more than the staff's: a mark
 * that contradicts it is refused with `CONFLICT`, after the network's answer was recorded. A network that does not
 * answer stops nobody from acting.
 */
export async function carryOutOnDispute(
  { database }: Pick<Deps, 'database'>,
  { tell, ask, record }: Steps,
  { id, actionId }: { id: string; actionId: string },
  asked: number,
): Promise<DisputeAfterAction> {
  const reader = database.orm.em.fork()
  const { action, state, disputeId } = await readAction(reader, actionId)
  assertOwn(disputeId, id)
  const { railDue } = await reader.findOneOrFail(Dispute, { id })
  const isNew = state === 'approved'
  if (action === 'retry') {
    const call = async (): Promise<{ isContradicted?: boolean | null }> => {
      if (railDue) return tell(id, asked)
      const networkAnswer = await ask(id, asked)
      return { isContradicted: isContradicted(await record(id, networkAnswer, asked), networkAnswer) }
    }
    const after = isNew ? await answerOrNull(withoutOverlap(call)) : {}
    const snapshot = await inTransaction(database, (em) =>
      concludeRetry(em, { id, actionId, isUnanswered: after === null }, asked),
    )
    // Of an earlier try of this step it is not known what the network has said, so it is asked again.
    return { snapshot, asksAgain: after?.isContradicted ?? true }
  }
  const networkAnswer = isNew ? await answerOrNull(() => ask(id, asked)) : null
  const done = await inTransaction(database, (em) => mark(em, { id, actionId, networkAnswer }, asked))
  if (done instanceof Refusal && networkAnswer) await record(id, networkAnswer, asked)
  return { snapshot: orThrow(done), asksAgain: false }
}

/** A dispute and an action about it. Both are locked, the dispute first, as everywhere. */
async function lockActionAndDispute(em: EntityManager, id: string, actionId: string, asked: number) {
  const dispute = await lock(em, Dispute, id)
  const at = await writtenAt(em, await timeOf(em, dispute, asked))
  return { dispute, action: await takeUpAction(em, actionId), at }
}

type Retried = { id: string; actionId: string; isUnanswered: boolean }

async function concludeRetry(
  em: EntityManager,
  { id, actionId, isUnanswered }: Retried,
  asked: number,
): Promise<DisputeSnapshot> {
  const { dispute, action, at } = await lockActionAndDispute(em, id, actionId, asked)
  concludeAction(em, action, 'executed', at)
  if (isUnanswered) dispute.newsDueAt = new Date(at) // the process goes on asking
  return snapshotOf(em, dispute)
}

type Marking = { id: string; actionId: string; networkAnswer: DisputeAnswer | null }

/**
 * Ends a dispute as staff have ordered, unless the network says the opposite or it has ended otherwise meanwhile. What
 * the network still had to be told is not sent any more.
 */
async function mark(
  em: EntityManager,
  { id, actionId, networkAnswer }: Marking,
  asked: number,
): Promise<DisputeSnapshot | Refusal> {
  const { dispute, action, at } = await lockActionAndDispute(em, id, actionId, asked)
  if (action.state === 'executed') return snapshotOf(em, dispute)
  const end = action.action === 'mark_settled' ? 'won' : 'lost'
  const isOpposed = networkAnswer !== null && contradicts(networkAnswer, end)
  if (action.state === 'refused' || isOpposed || dispute.status !== 'under_review') {
    concludeAction(em, action, 'refused', at)
    return new Refusal(
      'CONFLICT',
      isOpposed ? `the network says: ${networkAnswer.status}` : `the dispute is ${dispute.status}`,
    )
  }
  dispute.railDue = null
  await endDispute(em, dispute, end, resolutionOf(networkAnswer), at)
  concludeAction(em, action, 'executed', at)
  return snapshotOf(em, dispute)
}

/** How a dispute was won or lost of which the network says this; null: it has not answered. */
export function resolutionOf(networkAnswer: DisputeAnswer | null): DisputeResolution {
  switch (networkAnswer?.status) {
    case 'withdrawn':
    case 'prevented':
      return 'withdrawn'
    case 'closed':
      return 'accepted'
    case 'lost':
      return networkAnswer.isAccepted ? 'accepted' : 'evidence'
    default:
      return 'evidence'
  }
}

type End = 'won' | 'lost' | 'prevented'

/**
 * What the network says against an end. What it still decides contradicts neither `won` nor `lost`, but it has not let
 * itself be prevented from raising the dispute.
 */
const opposites: Record<End, readonly DisputeAnswer['status'][]> = {
  won: ['lost', 'closed'],
  lost: ['won', 'withdrawn', 'prevented'],
  prevented: ['needs_response', 'under_review', 'lost'],
}

const contradicts = ({ status }: DisputeAnswer, end: End): boolean => opposites[end].includes(status)

/** Whether the network reports a different outcome than our books. */
export const isContradicted = ({ status }: Pick<DisputeSnapshot, 'status'>, networkAnswer: DisputeAnswer): boolean =>
  (status === 'won' || status === 'lost' || status === 'prevented') && contradicts(networkAnswer, status)
