import { allHandlersFinished, continueAsNew, proxyActivities, setHandler } from '@temporalio/workflow'
import type { DisputeActivities, DisputeSnapshot } from '../../activities/dispute/dispute.ts'
import { isDisputeEnded } from '../../domain/dispute/dispute.ts'
import { disputeWaitsFor } from '../../domain/dispute/process.ts'
import { shouldContinueAsNew } from '../continue-as-new.ts'
import { validateId } from '../id-validator.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { signalOf, updateOf } from '../messages.ts'
import { ledgerPolicy, railPolicy } from '../policies.ts'
import { createRailCalls } from '../rail-calls.ts'
import { showStatus } from '../search-attributes.ts'
import { followStaffOrders, showOutcome } from '../staff-orders.ts'
import { followTestClock } from '../test-clock.ts'
import { now } from '../wait-until.ts'
import { asking, telling, waitForNext } from './wait.ts'

type Steps = DisputeActivities
const { readDispute } = proxyLocalSteps<Steps>(ledgerPolicy('Read the dispute'))
const { takeDisputeStep } = proxyLocalSteps<Steps>(ledgerPolicy('Do what is due'))
const { submitDisputeEvidence } = proxyLocalSteps<Steps>(ledgerPolicy('Submit the evidence'))
const { acceptDispute } = proxyLocalSteps<Steps>(ledgerPolicy('Accept the dispute'))
const { preventDisputeIfRefunded } = proxyLocalSteps<Steps>(ledgerPolicy('See whether a refund prevents it'))
const { tellNetwork } = proxyActivities<Steps>(railPolicy('Send the merchant’s answer to the network'))
const { lookUpDispute } = proxyActivities<Steps>(railPolicy('Ask the network how the dispute stands'))
const { carryOutOnDispute } = proxyActivities<Steps>(railPolicy('Carry out what staff ordered, if the network agrees'))

/**
 * A dispute: early_warning -> prevented | needs_response -> under_review -> won | lost. It warns the merchant 48 hours
 * before the deadline, and is lost at the deadline if nobody has answered. The network is told and asked beside the
 * waits, so that no deadline waits for an answer.
 */
export async function dispute(id: string): Promise<string> {
  followTestClock()
  const { applySnapshot, current } = keepLatestSnapshot<DisputeSnapshot>()
  let [hasNews, isRefunded, isContradicted] = [false, false, false]
  const onCall = { validator: validateId('call') }
  setHandler(
    updateOf('dispute', 'submit'),
    async (by) => applySnapshot(await submitDisputeEvidence(id, by, now())),
    onCall,
  )
  setHandler(updateOf('dispute', 'accept'), async (by) => applySnapshot(await acceptDispute(id, by, now())), onCall)
  setHandler(signalOf('dispute', 'networkAnswered'), () => void (hasNews = true))
  setHandler(signalOf('dispute', 'chargeRefunded'), () => void (isRefunded = true))
  followStaffOrders(['retry', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      const { snapshot, asksAgain } = await carryOutOnDispute(id, actionId, now())
      if (asksAgain) hasNews = true
      applySnapshot(snapshot)
    } catch (error) {
      applySnapshot(await readDispute(id, now())) // a refused mark has recorded what the network says
      throw error
    }
  })

  applySnapshot(await readDispute(id, now()))
  isRefunded = current().status === 'early_warning' // a refund may have succeeded before
  const calls = createRailCalls(applySnapshot)
  const isIdle = () => calls.isIdle() && allHandlersFinished()
  let shown = ''
  for (;;) {
    const { status, wakesAt, railDue } = current()
    if (status !== shown) showStatus((shown = status), disputeWaitsFor(status))
    callNetwork()
    const isQuiet = isIdle() && !hasNews && !isRefunded
    if (wakesAt !== null && wakesAt <= now()) applySnapshot(await takeDisputeStep(id, now()))
    else if (isRefunded) {
      isRefunded = false
      applySnapshot(await preventDisputeIfRefunded(id, now()))
    } else if (isDisputeEnded(status) && railDue === null && isQuiet)
      return isContradicted ? showOutcome('contradicted') : status
    else if (shouldContinueAsNew() && isQuiet) await continueAsNew<typeof dispute>(id)
    else await waitForNext({ calls, current, isIdle, hasNews: () => hasNews, isRefunded: () => isRefunded })
  }

  /** Tells the network what it has to know, and asks it where an answer is due or it has announced news. */
  function callNetwork(): void {
    const { railDue, pollAt } = current()
    if (railDue !== null && calls.mayStart(telling)) calls.start(telling, () => tellNetwork(id, now()))
    const isDue = hasNews || (pollAt !== null && pollAt <= now())
    if (!isDue || railDue !== null || !calls.mayStart(asking)) return
    hasNews = false
    calls.start(asking, ask)
  }

  async function ask(): Promise<DisputeSnapshot> {
    const after = await lookUpDispute(id, now())
    isContradicted = after.isContradicted
    return after.snapshot
  }
}
