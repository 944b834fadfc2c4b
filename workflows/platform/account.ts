import { allHandlersFinished, ApplicationFailure, condition, setHandler } from '@temporalio/workflow'
import type { AccountActivities, AccountSnapshot } from '../../activities/platform/account.ts'
import { accountDecisionError } from '../../domain/platform/account-review.ts'
import { continueInNewRun, shouldContinueAsNew } from '../continue-as-new.ts'
import { firstStep } from '../first-step.ts'
import { keepLatestSnapshot } from '../latest-snapshot.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { signalOf, updateOf } from '../messages.ts'
import { ledgerPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { followTestClock } from '../test-clock.ts'
import { now } from '../wait-until.ts'
import { reviewsThatBeginAnewAreShown } from '../versions.ts'
import { isAwaited, isEscalated, takeTurn } from './account-turn.ts'

const { readAccount } = proxyLocalSteps<AccountActivities>(ledgerPolicy('Read the account'))
const { decideAccount } = proxyLocalSteps<AccountActivities>(ledgerPolicy('Apply the reviewer’s decision'))

const decide = updateOf('account-review', 'decide')
const changed = signalOf('account-review', 'changed')

/**
 * Waits for the decision about an account and mails staff while there is none, and keeps the deadlines of an account
 * that is active. Ends where it waits for nothing: what the account does next starts it again.
 */
export async function accountReview(id: string): Promise<string> {
  followTestClock()
  let news = false
  let begun = false
  const { applySnapshot, current } = keepLatestSnapshot<AccountSnapshot>()
  const read = firstStep(() => readAccount(id, now()))
  setHandler(changed, () => void (news = true))
  setHandler(decide, async (decisionId) => applySnapshot(await decideAccount(id, decisionId, now())), {
    validator: (_, revision, outcome) => (begun ? assertDecidable(current(), revision, outcome) : undefined),
  })
  let shown = ''

  for (let isDone = false; !isDone; isDone = !news && !isAwaited(current()) && allHandlersFinished()) {
    // the new run reads the row first, so the news is not lost
    if (shouldContinueAsNew()) return continueInNewRun<typeof accountReview>(id)
    if (news || !begun) {
      news = false
      const wasEscalated = begun && isEscalated(current())
      applySnapshot(await (begun ? readAccount(id, now()) : read()))
      begun = true
      if (wasEscalated && current().due !== null && reviewsThatBeginAnewAreShown()) shown = 'escalated'
    }
    const before = current()
    const isOver = () => news || current().revision !== before.revision || shouldContinueAsNew()
    if (!isAwaited(before)) await condition(() => news || allHandlersFinished())
    else {
      show(before)
      news = (await takeTurn({ id, before, applySnapshot, isOver })) || news
    }
  }
  showStatus(current().status, 'nobody')
  return current().status

  /** Shows in the engine's list whom the account waits for, where that is not shown yet. */
  function show({ status, isReviewing }: AccountSnapshot): void {
    const text = `${status} ${isReviewing}`
    if (shown !== '' && shown !== text) showStatus(status, isReviewing ? 'reviewer' : 'merchant')
    shown = text
  }
}

function assertDecidable(snapshot: AccountSnapshot, ...[revision, outcome]: Decision): void {
  const error = accountDecisionError({ revision: snapshot.statement, decided: snapshot.decided }, revision, outcome)
  if (error) throw ApplicationFailure.nonRetryable(error, 'CONFLICT')
}

type Decision = [revision: number, outcome: Parameters<typeof accountDecisionError>[2]]
