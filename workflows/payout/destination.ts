import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { PayoutDestinationActivities, Standing } from '../../activities/payout/destination.ts'
import { decisionFault } from '../../domain/payout/destination.ts'
import { isTooLong } from '../continue-anew.ts'
import { localSteps } from '../local-steps.ts'
import { newest } from '../newest.ts'
import { ledger, mail } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { now, waitFor, waitUntil } from '../wait-until.ts'
import { signalOf, updateOf } from '../messages.ts'

type Steps = PayoutDestinationActivities
const { readDestination } = localSteps<Steps>(ledger('Read the destination'))
const { decideDestination } = localSteps<Steps>(ledger('Apply the reviewer’s decision'))
const { decideBySandbox } = localSteps<Steps>(ledger('Let the sandbox decide'))
const { nudgeReviewers } = proxyActivities<Steps>(mail('Remind staff of the open review'))

const mailPauseMs = 15 * 60_000

const decide = updateOf('payout-destination', 'decide')
const restated = signalOf('payout-destination', 'restated')
const deactivated = signalOf('payout-destination', 'deactivated')

/** pending_review -> approved | rejected: waits for a decision, and lets nobody forget it. */
export async function payoutDestination(id: string): Promise<string> {
  let news = false
  let begun = false
  const { take, current } = newest<Standing>()
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
    const unless = () => news || current().revision !== before || isTooLong()
    if (current().status === 'pending_review') await pass(id, current(), unless, take)
    else await condition(() => news || allHandlersFinished()) // and so also where the run is too long
  }
  showStatus(current().status, 'nobody')
  return current().status
}

/** Waits for what is due next, and does it unless somebody has decided or changed something meanwhile. */
async function pass(id: string, { due, statement }: Standing, unless: () => boolean, take: (told: Standing) => void) {
  const helps = 'Approve or reject it in the review desk (/ops).'
  if (due === null) {
    showStatus('escalated', 'lead reviewer')
    return waitFor({ for: 'lead reviewer', unless, helps })
  }
  const isOwn = due.what === 'decide'
  if (await waitUntil(due.at, { for: isOwn ? 'sandbox' : 'reviewer', unless, helps })) return
  if (isOwn) return take(await decideBySandbox(id, statement, now()))
  try {
    take(await nudgeReviewers(id, statement, now()))
  } catch {
    await waitUntil(now() + mailPauseMs, { for: 'mail server', unless, helps }) // and then it is tried again
  }
}

function assertDecidable(...of: Parameters<typeof decisionFault>): void {
  const fault = decisionFault(...of)
  if (fault) throw ApplicationFailure.nonRetryable(fault, 'CONFLICT')
}
