import { allHandlersFinished, ApplicationFailure, condition, proxyActivities, setHandler } from '@temporalio/workflow'
import type { DestinationSnapshot, PayoutDestinationActivities } from '../../activities/payout/destination.ts'
import { decisionError } from '../../domain/payout/destination.ts'
import { continueInNewRun, shouldContinueAsNew } from '../continue-as-new.ts'
import { firstStep } from '../first-step.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { hasMailed } from '../mail-pause.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { ledgerPolicy, mailPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { followTestClock } from '../test-clock.ts'
import { reviewsThatBeginAnewAreShown } from '../versions.ts'
import { now, waitUntil } from '../wait-until.ts'
import { signalOf, updateOf } from '../messages.ts'
import { waitForDecision } from './review-wait.ts'

type Steps = PayoutDestinationActivities
const { readDestination } = proxyLocalSteps<Steps>(ledgerPolicy('Read the destination'))
const { decideDestination } = proxyLocalSteps<Steps>(ledgerPolicy('Apply the reviewer’s decision'))
const { decideBySandbox } = proxyLocalSteps<Steps>(ledgerPolicy('Let the sandbox decide'))
const { remindDestinationReviewers } = proxyActivities<Steps>(mailPolicy('Remind staff of the open review'))

const decide = updateOf('payout-destination', 'decide')
const restated = signalOf('payout-destination', 'restated')
const deactivated = signalOf('payout-destination', 'deactivated')

/** pending_review -> approved | rejected: waits for a decision, and mails staff while there is none. */
export async function payoutDestination(id: string): Promise<string> {
  followTestClock()
  let news = false
  let begun = false
  const { applySnapshot, current } = keepLatestSnapshot<DestinationSnapshot>()
  const read = firstStep(() => readDestination(id))
  for (const signal of [restated, deactivated]) setHandler(signal, () => void (news = true))
  setHandler(decide, async (decisionId) => applySnapshot(await decideDestination(id, decisionId, now())), {
    validator: (_, statement, decision) => (begun ? assertDecidable(current(), statement, decision) : undefined),
  })

  for (let isDone = false; !isDone; isDone = !news && current().status !== 'pending_review' && allHandlersFinished()) {
    // the new run reads the row first, so the news is not lost
    if (shouldContinueAsNew()) return continueInNewRun<typeof payoutDestination>(id)
    if (news || !begun) {
      news = false
      const wasEscalated = begun && isEscalated(current())
      applySnapshot(await (begun ? readDestination(id) : read()))
      begun = true
      if (wasEscalated && current().due !== null && reviewsThatBeginAnewAreShown())
        showStatus(current().status, 'reviewer')
    }
    const before = current().revision
    const isOver = () => news || current().revision !== before || shouldContinueAsNew()
    if (current().status === 'pending_review') await decideStatement({ id, applySnapshot, current, isOver })
    else await condition(() => news || allHandlersFinished()) // this also waits for handlers where the run is too long
  }
  showStatus(current().status, 'nobody')
  return current().status
}

/** Whether nobody has decided, and staff have had their last mail. */
const isEscalated = ({ status, due }: DestinationSnapshot) => status === 'pending_review' && due === null

type Waiting = {
  id: string
  applySnapshot: (snapshot: DestinationSnapshot) => void
  current: () => DestinationSnapshot
  /** Whether somebody has decided, something has changed, or the run has become too long. */
  isOver: () => boolean
}

/** Waits until a statement is decided: in the sandbox by its rule, where one applies, and otherwise by staff. */
async function decideStatement({ id, applySnapshot, current, isOver }: Waiting): Promise<void> {
  const { due, statement } = current()
  const wait = { unless: isOver, helps: 'Approve or reject it in the review desk (/ops).' }
  if (due?.what !== 'decide') return waitForDecision(nextMailAt(), { ...wait, remind })
  if (await waitUntil(due.at, { for: 'sandbox', next: 'it decides', ...wait })) return
  applySnapshot(await decideBySandbox(id, statement, now()))

  async function remind(): Promise<number | null> {
    await hasMailed(async () => applySnapshot(await remindDestinationReviewers(id, statement, now())), wait)
    return isOver() ? null : nextMailAt()
  }

  /** When staff are mailed next; null, and shown as escalated, where nothing more is due. */
  function nextMailAt(): number | null {
    const next = current().due
    if (next === null) showStatus('escalated', 'lead reviewer')
    return next?.at ?? null
  }
}

function assertDecidable(...of: Parameters<typeof decisionError>): void {
  const error = decisionError(...of)
  if (error) throw ApplicationFailure.nonRetryable(error, 'CONFLICT')
}
