import { log } from '@temporalio/workflow'
import type { DisputeActivities, DisputeSnapshot } from '../../activities/dispute/dispute.ts'
import { isDisputeEnded } from '../../domain/dispute/dispute.ts'
import { isUnanswered } from '../background-step.ts'
import { disputeAnswerPolicy, lastQuestionPolicy, railPolicy } from '../policies.ts'
import { proxyRailSteps } from '../rail-steps.ts'
import { createRailCalls } from '../rail-calls.ts'
import { now } from '../wait-until.ts'

type Steps = DisputeActivities
const { tellNetwork } = proxyRailSteps<Steps>(disputeAnswerPolicy('Send the merchant’s answer to the network'))
const { lookUpDispute } = proxyRailSteps<Steps>(railPolicy('Ask the network how the dispute stands'))

const lastQuestion = proxyRailSteps<Steps>(lastQuestionPolicy('Ask the network once more, before the dispute is lost'))

/** The subjects of the calls to the network: to send it the merchant's answer, and to ask for the dispute's status. */
const merchantAnswer = 'the merchant’s answer'
const disputeStatus = 'how it stands'

type Dispute = { id: string; current: () => DisputeSnapshot; applySnapshot: (snapshot: DisputeSnapshot) => void }

/**
 * The calls to the card network of a dispute. They run beside the waits of the process, so that no deadline waits for
 * an answer.
 */
export function createNetwork({ id, current, applySnapshot }: Dispute) {
  const calls = createRailCalls(applySnapshot)
  let hasNews = false
  let isContradicted = false

  async function ask(): Promise<DisputeSnapshot> {
    const after = await lookUpDispute(id, now())
    isContradicted = after.isContradicted
    return after.snapshot
  }

  async function tell(): Promise<DisputeSnapshot> {
    const { isContradicted: isOpposed, ...snapshot } = await tellNetwork(id, now())
    isContradicted = isOpposed ?? isContradicted
    // What the network has answered was lost, so it is asked.
    if (isOpposed === null && isDisputeEnded(snapshot.status)) hasNews = true
    return snapshot
  }

  return {
    /** Has the network asked at the next `startDueCalls`: it has announced news, or has not answered staff. */
    noteNews: () => void (hasNews = true),
    hasNews: () => hasNews,
    /** Whether the network has reported a different outcome than our books. */
    isContradicted: () => isContradicted,
    isIdle: calls.isIdle,
    changes: calls.changes,

    /** Sends the merchant's answer if it is due. Otherwise asks the network, if a poll is due or there is news. */
    startDueCalls(): void {
      const { railDue, pollAt } = current()
      if (railDue !== null && calls.mayStart(merchantAnswer)) calls.start(merchantAnswer, tell)
      const isDue = hasNews || (pollAt !== null && pollAt <= now())
      if (!isDue || railDue !== null || !calls.mayStart(disputeStatus)) return
      hasNews = false
      calls.start(disputeStatus, ask)
    },

    /**
     * Asks the network before the dispute is lost at its deadline: the notice of a withdrawal may not have come. A
     * network that does not answer in half a minute keeps no dispute from its end.
     */
    async askOnce(): Promise<void> {
      try {
        applySnapshot((await lastQuestion.lookUpDispute(id, now())).snapshot)
      } catch (error) {
        if (!isUnanswered(error)) throw error
        log.warn('the network has not said how a dispute stands at its deadline')
      }
    },

    /** When the network is called next, in milliseconds since the epoch; Infinity: not before it has news. */
    nextAt(): number {
      const { railDue, pollAt } = current()
      if (railDue !== null) return calls.nextAt(merchantAnswer, 0)
      return calls.nextAt(disputeStatus, hasNews ? 0 : (pollAt ?? Infinity))
    },
  }
}
