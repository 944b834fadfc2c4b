import { allHandlersFinished, condition, continueAsNew, proxyActivities, setHandler } from '@temporalio/workflow'
import type { DisputeActivities, DisputeSnapshot } from '../activities/dispute/dispute.ts'
import { isDisputeEnded } from '../domain/dispute/dispute.ts'
import { disputeWaitsFor } from '../domain/dispute/process.ts'
import { shouldContinueAsNew } from './continue-as-new.ts'
import { validateId } from './id-validator.ts'
import { keepLatestSnapshot } from './latest-snapshot.ts'
import { proxyLocalSteps } from './local-steps.ts'
import { signalOf, updateOf } from './messages.ts'
import { ledgerPolicy, railPolicy } from './policies.ts'
import { createRailCalls } from './rail-calls.ts'
import { showStatus } from './search-attributes.ts'
import { followTestClock } from './test-clock.ts'
import { now, waitFor, waitUntil } from './wait-until.ts'

type Steps = DisputeActivities
const { readDispute } = proxyLocalSteps<Steps>(ledgerPolicy('Read the dispute'))
const { takeDisputeStep } = proxyLocalSteps<Steps>(ledgerPolicy('Do what is due'))
const { submitDisputeEvidence } = proxyLocalSteps<Steps>(ledgerPolicy('Submit the evidence'))
const { acceptDispute } = proxyLocalSteps<Steps>(ledgerPolicy('Accept the dispute'))
const { preventDisputeIfRefunded } = proxyLocalSteps<Steps>(ledgerPolicy('See whether a refund prevents it'))
const { tellNetwork } = proxyActivities<Steps>(railPolicy('Send the merchant’s answer to the network'))
const { lookUpDispute } = proxyActivities<Steps>(railPolicy('Ask the network how the dispute stands'))

/** The subjects of the calls to the network. */
const [telling, asking] = ['the merchant’s answer', 'how it stands']

/**
 * A dispute: early_warning -> prevented | needs_response -> under_review -> won | lost. It warns the merchant 48 hours
 * before the deadline, and is lost at the deadline if nobody has answered. The network is told and asked beside the
 * waits, so that no deadline waits for an answer.
 */
export async function dispute(id: string): Promise<string> {
  followTestClock()
  const { applySnapshot, current } = keepLatestSnapshot<DisputeSnapshot>()
  let [hasNews, isRefunded] = [false, false]
  const onCall = { validator: validateId('call') }
  setHandler(
    updateOf('dispute', 'submit'),
    async (by) => applySnapshot(await submitDisputeEvidence(id, by, now())),
    onCall,
  )
  setHandler(updateOf('dispute', 'accept'), async (by) => applySnapshot(await acceptDispute(id, by, now())), onCall)
  setHandler(signalOf('dispute', 'networkAnswered'), () => void (hasNews = true))
  setHandler(signalOf('dispute', 'chargeRefunded'), () => void (isRefunded = true))

  applySnapshot(await readDispute(id, now()))
  isRefunded = current().status === 'early_warning' // a refund may have succeeded before
  const calls = createRailCalls(applySnapshot)
  let shown = ''
  for (;;) {
    const { status, wakesAt, railDue } = current()
    if (status !== shown) showStatus((shown = status), disputeWaitsFor(status))
    callNetwork()
    const isQuiet = calls.isIdle() && allHandlersFinished() && !hasNews && !isRefunded
    if (wakesAt !== null && wakesAt <= now()) applySnapshot(await takeDisputeStep(id, now()))
    else if (isRefunded) {
      isRefunded = false
      applySnapshot(await preventDisputeIfRefunded(id, now()))
    } else if (isDisputeEnded(status) && railDue === null && isQuiet) return status
    else if (shouldContinueAsNew() && isQuiet) await continueAsNew<typeof dispute>(id)
    else await waitForNext()
  }

  /** Tells the network what it has to know, and asks it where an answer is due or it has announced news. */
  function callNetwork(): void {
    const { railDue, pollAt } = current()
    if (railDue !== null && calls.mayStart(telling)) calls.start(telling, () => tellNetwork(id, now()))
    const isDue = hasNews || (pollAt !== null && pollAt <= now())
    if (!isDue || railDue !== null || !calls.mayStart(asking)) return
    hasNews = false
    calls.start(asking, () => lookUpDispute(id, now()))
  }

  /** Waits until something is due, until an answer, or until a message. */
  async function waitForNext(): Promise<void> {
    const { status, wakesAt, pollAt, railDue, evidenceDueAt, revision } = current()
    const [wasIdle, failures, hadNews] = [calls.isIdle() && allHandlersFinished(), calls.failures(), hasNews]
    const isIdle = () => calls.isIdle() && allHandlersFinished()
    const unless = () =>
      current().revision !== revision ||
      isIdle() !== wasIdle ||
      calls.failures() !== failures ||
      hasNews !== hadNews ||
      isRefunded
    const tellsAt = railDue === null ? Infinity : calls.nextAt(telling, 0)
    const asksAt = railDue !== null ? Infinity : calls.nextAt(asking, hasNews ? 0 : (pollAt ?? Infinity))
    const until = Math.min(wakesAt ?? Infinity, tellsAt, asksAt)
    const isAtNetwork = status === 'under_review' || railDue !== null
    const helps = isAtNetwork
      ? 'The evidence is with the network, which decides.'
      : status === 'early_warning'
        ? 'The network has announced a dispute: a full refund prevents it.'
        : `Without evidence by ${new Date(evidenceDueAt).toISOString()} the dispute is lost.`
    const wait = { for: isAtNetwork ? ('rail' as const) : ('merchant' as const), helps, unless }
    if (until < Infinity) await waitUntil(until, wait)
    else if (wasIdle) await waitFor(wait)
    else await condition(unless)
  }
}
