import { allHandlersFinished, setHandler } from '@temporalio/workflow'
import type { DisputeActivities, DisputeSnapshot } from '../../activities/dispute/dispute.ts'
import { isDisputeEnded } from '../../domain/dispute/dispute.ts'
import { disputeWaitsFor } from '../../domain/dispute/process.ts'
import { continueInNewRun, shouldContinueAsNew } from '../continue-as-new.ts'
import { validateId } from '../id-validator.ts'
import { firstStep } from '../first-step.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { signalOf, updateOf } from '../messages.ts'
import { ledgerPolicy, railPolicy } from '../policies.ts'
import { proxyRailSteps } from '../rail-steps.ts'
import { showStatus } from '../search-attributes.ts'
import { followOperatorActions, showOutcome } from '../operator-actions.ts'
import { followTestClock } from '../test-clock.ts'
import { networkIsAskedAtTheDeadline, toldNetworksAreShown } from '../versions.ts'
import { now } from '../wait-until.ts'
import { createNetwork } from './network.ts'
import { waitForNext } from './wait.ts'

type Steps = DisputeActivities
const { readDispute } = proxyLocalSteps<Steps>(ledgerPolicy('Read the dispute'))
const { takeDisputeStep } = proxyLocalSteps<Steps>(ledgerPolicy('Do what is due'))
const { submitDisputeEvidence } = proxyLocalSteps<Steps>(ledgerPolicy('Submit the evidence'))
const { acceptDispute } = proxyLocalSteps<Steps>(ledgerPolicy('Accept the dispute'))
const { preventDisputeIfRefunded } = proxyLocalSteps<Steps>(ledgerPolicy('See whether a refund prevents it'))
const { carryOutOnDispute } = proxyRailSteps<Steps>(railPolicy('Carry out what staff ordered, if the network agrees'))

const submit = updateOf('dispute', 'submit')
const accept = updateOf('dispute', 'accept')

/**
 * A dispute: early_warning -> prevented | needs_response -> under_review -> won | lost, and prevented ->
 * needs_response if its network raises it all the same. It warns the merchant 48 hours before the deadline, and is lost
 * at the deadline if nobody has answered.
 */
export async function dispute(id: string): Promise<string> {
  followTestClock()
  const { applySnapshot, current } = keepLatestSnapshot<DisputeSnapshot>()
  const read = firstStep(() => readDispute(id, now()))
  const network = createNetwork({ id, current, applySnapshot })
  let isRefunded = false
  const onCall = { validator: validateId('call') }
  setHandler(submit, async (by) => applySnapshot(await submitDisputeEvidence(id, by, now())), onCall)
  setHandler(accept, async (by) => applySnapshot(await acceptDispute(id, by, now())), onCall)
  setHandler(signalOf('dispute', 'networkAnswered'), network.noteNews)
  setHandler(signalOf('dispute', 'chargeRefunded'), () => void (isRefunded = true))
  followOperatorActions(['retry', 'markSettled', 'markFailed'], async (actionId) => {
    try {
      const { snapshot, asksAgain } = await carryOutOnDispute(id, actionId, now())
      if (asksAgain) network.noteNews()
      applySnapshot(snapshot)
    } catch (error) {
      applySnapshot(await readDispute(id, now())) // a refused mark has recorded what the network says
      throw error
    }
  })

  applySnapshot(await read())
  isRefunded = current().status === 'early_warning' // a refund may have succeeded before
  const isIdle = () => network.isIdle() && allHandlersFinished()
  let shown = ''
  for (;;) {
    const { status, wakesAt, evidenceDueAt, railDue } = current()
    const isTold = isDisputeEnded(status) && railDue !== null && toldNetworksAreShown()
    const waitsFor = isTold ? 'rail' : disputeWaitsFor(status)
    if (shown !== `${status} ${waitsFor}`) showStatus(status, waitsFor)
    shown = `${status} ${waitsFor}`
    network.startDueCalls()
    const isQuiet = isIdle() && !network.hasNews() && !isRefunded
    const at = now()
    if (wakesAt !== null && wakesAt <= at) {
      if (evidenceDueAt <= at && networkIsAskedAtTheDeadline()) await network.askOnce()
      applySnapshot(await takeDisputeStep(id, at))
    } else if (isRefunded) {
      isRefunded = false
      applySnapshot(await preventDisputeIfRefunded(id, now()))
    } else if (isDisputeEnded(status) && railDue === null && isQuiet)
      return network.isContradicted() ? showOutcome('contradicted') : status
    else if (shouldContinueAsNew() && isQuiet) await continueInNewRun<typeof dispute>(id)
    else {
      const changes = network.changes()
      const hadNews = network.hasNews()
      const isOver = () => network.changes() !== changes || network.hasNews() !== hadNews || isRefunded
      await waitForNext({ current, callsAt: network.nextAt(), isIdle, isOver })
    }
  }
}
