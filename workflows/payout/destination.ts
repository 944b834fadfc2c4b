import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { DestinationSnapshot, PayoutDestinationActivities } from '../../activities/payout/destination.ts'
import { decisionFault } from '../../domain/payout/destination.ts'
import { isTooLong } from '../continue-anew.ts'
import { localSteps } from '../local-steps.ts'
import { hasMailed } from '../mail-pause.ts'
import { newest } from '../newest.ts'
import { ledger, mail } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { now, waitUntil } from '../wait-until.ts'
import { signalOf, updateOf } from '../messages.ts'
import { reviewed } from './review-wait.ts'

type Steps = PayoutDestinationActivities
const { readDestination } = localSteps<Steps>(ledger('Read the destination'))
const { decideDestination } = localSteps<Steps>(ledger('Apply the reviewer’s decision'))
const { decideBySandbox } = localSteps<Steps>(ledger('Let the sandbox decide'))
const { nudgeReviewers } = proxyActivities<Steps>(mail('Remind staff of the open review'))

const decide = updateOf('payout-destination', 'decide')
const restated = signalOf('payout-destination', 'restated')
const deactivated = signalOf('payout-destination', 'deactivated')

/** pending_review -> approved | rejected: waits for a decision, and lets nobody forget it. */
export async function payoutDestination(id: string): Promise<string> {
  let news = false
  let begun = false
  const { take, current } = newest<DestinationSnapshot>()
  for (const signal of [restated, deactivated]) setHandler(signal, () => void (news = true))
  setHandler(decide, async (decisionId) => take(await decideDestination(id, decisionId, now())), {
    validator: (_, statement, decision) => (begun ? assertDecidable(current(), statement, decision) : undefined),
  })

  for (let isDone = false; !isDone; isDone = !news && current().status !== 'pending_review' && allHandlersFinished()) {
    if (isTooLong()) return continueAsNew<typeof payoutDestination>(id) // which reads the row first, whatever the news
    if (news || !begun) {
      news = false
      take(await readDestination(id))
      begun = true
    }
    const before = current().revision
    const isOver = () => news || current().revision !== before || isTooLong()
    if (current().status === 'pending_review') await decided({ id, take, current, isOver })
    else await condition(() => news || allHandlersFinished()) // and so also where the run is too long
  }
  showStatus(current().status, 'nobody')
  return current().status
}

type Waiting = {
  id: string
  take: (told: DestinationSnapshot) => void
  current: () => DestinationSnapshot
  /** Whether somebody has decided, something has changed, or the run has become too long. */
  isOver: () => boolean
}

/** Waits until a statement is decided: in the sandbox by its own rule, where it has one, and else by staff. */
async function decided({ id, take, current, isOver }: Waiting): Promise<void> {
  const { due, statement } = current()
  const wait = { unless: isOver, helps: 'Approve or reject it in the review desk (/ops).' }
  if (due?.what !== 'decide') return reviewed(nextMailAt(), { ...wait, remind })
  if (await waitUntil(due.at, { for: 'sandbox', ...wait })) return
  take(await decideBySandbox(id, statement, now()))

  async function remind(): Promise<number | null> {
    await hasMailed(async () => take(await nudgeReviewers(id, statement, now())), wait)
    return isOver() ? null : nextMailAt()
  }

  /** When staff are mailed next; null, and shown as escalated, where nothing more is due. */
  function nextMailAt(): number | null {
    const next = current().due
    if (next === null) showStatus('escalated', 'lead reviewer')
    return next?.at ?? null
  }
}

function assertDecidable(...of: Parameters<typeof decisionFault>): void {
  const fault = decisionFault(...of)
  if (fault) throw ApplicationFailure.nonRetryable(fault, 'CONFLICT')
}
