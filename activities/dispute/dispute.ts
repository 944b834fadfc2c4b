import { log } from '@temporalio/activity'
import { endDispute, extendDeadline, preventDispute, raiseDispute } from '../../commands/dispute/change-dispute.ts'
import { isPreventedByRefunds } from '../../commands/dispute/prevention.ts'
import { recordDispute } from '../../commands/dispute/record-dispute.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { actsAs, type EntityManager, lock, writtenAt } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { holdsMoney, isDisputeEnded, moveDispute } from '../../domain/dispute/dispute.ts'
import { nextPollAt, noteAsked } from '../../domain/rail-polls.ts'
import { revise } from '../../domain/revision.ts'
import type { DisputeAnswer, DisputeOrder, EvidenceOrder } from '../../rails/dispute-rail.ts'
import { callRail, RailRefusal, RailUnavailable } from '../../rails/rail-refusal.ts'
import { changingOnClock } from '../change-on-clock.ts'
import type { Deps } from '../deps.ts'
import { acceptDispute, submitEvidence } from './change.ts'
import { evidenceOrderOf, orderOf } from './order.ts'
import { carryOutOnDispute, type DisputeAfterAction, isContradicted, resolutionOf } from './staff.ts'
import { type DisputeSnapshot, snapshotOf } from './snapshot.ts'

/** A dispute after the network was asked. `isContradicted`: it reports a different outcome than our books. */
type AfterAnswer = { snapshot: DisputeSnapshot; isContradicted: boolean }

/**
 * A dispute after the network was told. `isContradicted` as in `AfterAnswer`; null where it had been told already and
 * has answered somebody else. Histories from before 2026-11-28 do not say it.
 */
type AfterTelling = DisputeSnapshot & { isContradicted?: boolean | null }

/** What the network was told of a dispute. `wasRefunded`: it was prevented then, and the network was told that. */
type Told = { due: Dispute['railDue']; wasRefunded: boolean }

/** Whether what was told is what is due. What a prevented dispute has told is no acceptance of one that was raised. */
const isStillDue = ({ railDue, status }: Dispute, { due, wasRefunded }: Told): boolean =>
  railDue === due && (status === 'prevented') === wasRefunded

/** The steps of the `dispute` process. Each is safe to repeat: a dispute that has ended stays as it is. */
export const disputeActivities = ({ database, rails }: Deps) => {
  /** Changes a dispute at its own time: `asked`, or the time of its test clock. */
  const change = changingOnClock(database, Dispute, snapshotOf)

  /** Records the network's answer. `told`: what of that which was due it has received. */
  const record = (id: string, answer: DisputeAnswer, asked: number, told: Told | null = null) =>
    change(id, asked, async (em, dispute, at) => {
      actsAs(em, 'rail')
      if (told && isStillDue(dispute, told)) dispute.railDue = null
      dispute.newsDueAt = null
      revise(dispute)
      await applyAnswer(em, dispute, answer, await writtenAt(em, at))
    })

  /** The time of a call to the network: it may be tried for days after its process has asked for it. */
  const timeOfCall = async (em: EntityManager, dispute: Dispute, asked: number): Promise<number> =>
    (await clockTimeOf(em, dispute)) ?? Math.max(asked, (await database.clock?.now()) ?? asked)

  const lookUp = <E extends Environment>(order: DisputeOrder<E>, at: number): Promise<DisputeAnswer> =>
    callRail(() => rails.in(order.environment).of(order.corridor).lookUpDispute(order, at))

  const accept = <E extends Environment>(order: DisputeOrder<E>, at: number): Promise<DisputeAnswer> =>
    callRail(() => rails.in(order.environment).of(order.corridor).acceptDispute(order, at))

  const submit = <E extends Environment>(order: EvidenceOrder<E>, at: number): Promise<DisputeAnswer> =>
    callRail(() => rails.in(order.environment).of(order.corridor).submitEvidence(order, at))

  /** What the network says now. Nothing is recorded. */
  async function ask(id: string, asked: number): Promise<DisputeAnswer> {
    const em = database.orm.em.fork()
    const dispute = await em.findOneOrFail(Dispute, { id })
    return lookUp(orderOf(dispute), await timeOfCall(em, dispute, asked))
  }

  /**
   * How a dispute stands whose network has refused what it was told. Usually it has decided already, maybe otherwise
   * than is booked, as the buyer may have withdrawn. One that still waits for the evidence has found something wrong
   * with it: then the evidence stays due and is sent again, until the network's own deadline, and people see it.
   */
  async function afterRefusal<E extends Environment>(
    order: DisputeOrder<E>,
    due: Told['due'],
    refusal: RailRefusal,
    at: number,
  ): Promise<DisputeAnswer> {
    const answer = await lookUp(order, at)
    if (due !== 'evidence' || answer.status !== 'needs_response') return answer
    if (at >= answer.dueAt) {
      log.warn('the network has refused evidence until its deadline, and has none', { why: refusal.message })
      return answer
    }
    log.warn('the network refuses evidence for which it still waits', { why: refusal.message })
    throw new RailUnavailable(refusal.message, { cause: refusal })
  }

  /** Sends the network the evidence or the acceptance that is due. */
  async function tell(id: string, asked: number): Promise<AfterTelling> {
    const em = database.orm.em.fork()
    const dispute = await em.findOneOrFail(Dispute, { id })
    if (!dispute.railDue) return { ...(await snapshotOf(em, dispute)), isContradicted: null }
    const at = await timeOfCall(em, dispute, asked)
    const order = orderOf(dispute)
    const told = dispute.railDue
    const sent = told === 'evidence' ? submit(await evidenceOrderOf(em, dispute), at) : accept(order, at)
    const answer = await sent.catch((error: unknown) => {
      if (error instanceof RailRefusal) return afterRefusal(order, told, error, at)
      throw error
    })
    const { leftOut } = answer
    if (leftOut) log.warn('the network has refused documents, and has the evidence without them', { leftOut })
    const snapshot = await record(id, answer, asked, { due: told, wasRefunded: order.isRefunded })
    return { ...snapshot, isContradicted: isContradicted(snapshot, answer) }
  }

  return {
    readDispute: (id: string, asked: number): Promise<DisputeSnapshot> => change(id, asked, () => undefined),

    /** Does what is due: tells the merchant that 48 hours are left, or ends the dispute because nobody answered. */
    takeDisputeStep: (id: string, asked: number): Promise<DisputeSnapshot> =>
      change(id, asked, async (em, dispute, at) => {
        const { wakesAt, wakesFor } = dispute
        if (!wakesAt || wakesAt.getTime() > at) return
        if (wakesFor === 'evidence_deadline') return endDispute(em, dispute, 'lost', 'expired', at)
        dispute.remindedAt = new Date(at)
        await recordDispute(em, dispute, 'dispute.evidence_due_soon', at)
      }),

    /** Submits the evidence that is stored, once; `callId` is the call that asks for it. */
    submitDisputeEvidence: (id: string, callId: string, asked: number): Promise<DisputeSnapshot> =>
      change(id, asked, (em, dispute, at) => submitEvidence(em, dispute, callId, at)),

    /** Accepts the dispute, or refunds the charge after a warning, once; `callId` is the call that asks for it. */
    acceptDispute: (id: string, callId: string, asked: number): Promise<DisputeSnapshot> =>
      change(id, asked, (em, dispute, at) => acceptDispute(em, dispute, callId, at)),

    /** Ends a warning whose charge was refunded in full. Anything else stays as it is. */
    preventDisputeIfRefunded: (id: string, asked: number): Promise<DisputeSnapshot> =>
      change(id, asked, async (em, dispute, at) => {
        if (dispute.status !== 'early_warning') return
        const charge = await lock(em, Payment, dispute.paymentId)
        if (await isPreventedByRefunds(em, charge)) await preventDispute(em, dispute, at)
      }),

    /** Sends the network the evidence or the acceptance that it has not got yet, and records its answer. */
    tellNetwork: tell,

    /**
     * Asks the network for the dispute's status, and records its answer. Where the network still reports a
     * different outcome than our books then, `isContradicted` is true.
     */
    lookUpDispute: async (id: string, asked: number): Promise<AfterAnswer> => {
      const networkAnswer = await ask(id, asked)
      const snapshot = await record(id, networkAnswer, asked)
      return { snapshot, isContradicted: isContradicted(snapshot, networkAnswer) }
    },

    /** Carries out what staff have ordered, unless the network says the opposite. */
    carryOutOnDispute: (id: string, actionId: string, asked: number): Promise<DisputeAfterAction> =>
      carryOutOnDispute({ database }, { tell, ask, record }, { id, actionId }, asked),
  }
}

/**
 * Applies the network's answer to a dispute that is open, or was prevented: what the network raises all the same is
 * taken up again. An answer about any other that has ended changes nothing.
 */
async function applyAnswer(em: EntityManager, dispute: Dispute, answer: DisputeAnswer, at: number): Promise<void> {
  const isWarning = dispute.status === 'early_warning' || dispute.status === 'prevented'
  const dueAt = answer.status === 'needs_response' ? answer.dueAt : at
  if (dispute.status === 'prevented' && isContradicted(dispute, answer)) await raiseDispute(em, dispute, dueAt, at)
  if (isDisputeEnded(dispute.status)) {
    if (isContradicted(dispute, answer))
      log.warn('the network reports a different outcome of this dispute than our books')
    return
  }
  if (isWarning && (answer.status === 'prevented' || answer.status === 'closed'))
    return preventDispute(em, dispute, at, 'network')
  if (answer.status === 'withdrawn' || answer.status === 'prevented')
    return endDispute(em, dispute, 'won', 'withdrawn', at)
  if (answer.status === 'closed') return endDispute(em, dispute, 'lost', 'accepted', at)
  if (dispute.status === 'early_warning' && answer.status !== 'early_warning' && answer.status !== 'not_found')
    await raiseDispute(em, dispute, dueAt, at)
  if ((answer.status === 'won' || answer.status === 'lost') && holdsMoney(dispute.status))
    return endDispute(em, dispute, answer.status, resolutionOf(answer), at)
  if (isWarning && answer.status === 'under_review' && holdsMoney(dispute.status))
    return reviewAtNetwork(em, dispute, at)
  const isLater = dueAt > at && dueAt > dispute.evidenceDueAt.getTime()
  if (isLater && dispute.status === 'needs_response') return extendDeadline(em, dispute, dueAt, at)
  if (answer.status === 'not_found') log.warn('the network does not know a dispute that it has raised')
  if (dispute.nextPollAt) noteAsked(dispute, nextDisputePollAt(dispute, at))
}

/**
 * The network has raised a dispute of a warning and reviews it already, by evidence that it has received elsewhere. The
 * merchant has nothing to submit and no deadline, and the network is asked until it decides.
 */
function reviewAtNetwork(em: EntityManager, dispute: Dispute, at: number): Promise<void> {
  moveDispute(dispute, 'under_review')
  noteAsked(dispute, nextDisputePollAt(dispute, at))
  return recordDispute(em, dispute, 'dispute.updated', at)
}

/** When the network is asked next: at the end of a warning, and after it, or after the submission, by the schedule. */
function nextDisputePollAt({ submittedAt, warnsUntil, createdAt }: Dispute, at: number): number {
  const since = (submittedAt ?? warnsUntil ?? createdAt).getTime()
  return at < since ? since : nextPollAt(since, at)
}

/** The types of the activities, for the process that calls them. */
export type DisputeActivities = ReturnType<typeof disputeActivities>
export type { DisputeSnapshot } from './snapshot.ts'
