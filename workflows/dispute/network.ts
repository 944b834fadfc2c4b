import { log } from '@temporalio/workflow'
import type { DisputeActivities, DisputeSnapshot } from '../../activities/dispute/dispute.ts'
import { isUnanswered } from '../background-step.ts'
import { lastWordPolicy, railPolicy } from '../policies.ts'
import { proxyRailSteps } from '../rail-steps.ts'
import { createRailCalls } from '../rail-calls.ts'
import { now } from '../wait-until.ts'

type Steps = DisputeActivities
const { tellNetwork } = proxyRailSteps<Steps>(railPolicy('Send the merchant’s answer to the network'))
const { lookUpDispute } = proxyRailSteps<Steps>(railPolicy('Ask the network how the dispute stands'))

const lastWord = proxyRailSteps<Steps>(lastWordPolicy('Ask the network once more, before the dispute is lost'))

/** The subjects of the calls to the network. */
const [telling, asking] = ['the merchant’s answer', 'how it stands']

type Dispute = { id: string; current: () => DisputeSnapshot; applySnapshot: (snapshot: DisputeSnapshot) => void }

/**
 * The card network of a dispute. It is told and asked beside the waits of the process, so that no deadline waits for an
 * answer.
 */
export function createNetwork({ id, current, applySnapshot }: Dispute) {
  const calls = createRailCalls(applySnapshot)
  let [hasNews, isContradicted] = [false, false]

  async function ask(): Promise<DisputeSnapshot> {
    const after = await lookUpDispute(id, now())
    isContradicted = after.isContradicted
    return after.snapshot
  }

  return {
    /** The network has news, or is to be asked again: its word is then looked up. */
    hear: () => void (hasNews = true),
    hasNews: () => hasNews,
    /** Whether it has reported another end than the one that is booked. */
    isContradicted: () => isContradicted,
    isIdle: calls.isIdle,
    failures: calls.failures,

    /** Tells the network what it has to know, and asks it where an answer is due or it has announced news. */
    call(): void {
      const { railDue, pollAt } = current()
      if (railDue !== null && calls.mayStart(telling)) calls.start(telling, () => tellNetwork(id, now()))
      const isDue = hasNews || (pollAt !== null && pollAt <= now())
      if (!isDue || railDue !== null || !calls.mayStart(asking)) return
      hasNews = false
      calls.start(asking, ask)
    },

    /**
     * Asks the network before the dispute is lost at its deadline: the notice of a withdrawal may not have come. A
     * network that does not answer in half a minute keeps no dispute from its end.
     */
    async askOnce(): Promise<void> {
      try {
        applySnapshot((await lastWord.lookUpDispute(id, now())).snapshot)
      } catch (error) {
        if (!isUnanswered(error)) throw error
        log.warn('the network has not said how a dispute stands at its deadline')
      }
    },

    /** When it is told or asked next, in milliseconds since the epoch; Infinity: not before it has news. */
    nextAt(): number {
      const { railDue, pollAt } = current()
      if (railDue !== null) return calls.nextAt(telling, 0)
      return calls.nextAt(asking, hasNews ? 0 : (pollAt ?? Infinity))
    },
  }
}
