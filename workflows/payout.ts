import {
  allHandlersFinished,
  condition,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import type { PayoutStanding } from '../activities/payout-answer.ts'
import type { PayoutActivities } from '../activities/payout.ts'
import type { PayoutStaffActivities } from '../activities/payout-staff.ts'
import { nextQuestionAt, stuckAt } from '../domain/payout.ts'
import { localSteps } from './local-steps.ts'
import { newest } from './newest.ts'
import { anId } from './only-ids.ts'
import { showEnd, stuckWords } from './payout-words.ts'
import { decided } from './held-payout.ts'
import { ledger, mail, rail } from './policies.ts'
import { showStatus } from './search-attributes.ts'
import { now, waitUntil } from './wait-until.ts'

const { assessPayout } = localSteps<PayoutActivities>(ledger('Read it: may it go, or does somebody look?'))
const { decidePayout } = localSteps<PayoutStaffActivities>(ledger('Take up what the reviewer has said'))
const { nudgePayoutReview } = proxyActivities<PayoutStaffActivities>(mail('Mail the staff: nobody has decided'))
const { submitPayout } = proxyActivities<PayoutActivities>(rail('Hand the payout to the rail'))
const { askAboutPayout } = proxyActivities<PayoutActivities>(rail('Ask the rail how the payout stands'))
const { carryOut } = proxyActivities<PayoutStaffActivities>(rail('Do what staff have ordered, if the rail agrees'))

/** A reviewer has said something about a payout that is held: the decision's id. */
export const decide = defineUpdate<void, [decisionId: string]>('decide')
/** What staff order about a payout whose rail does not answer: the action's id. */
export const retry = defineUpdate<void, [actionId: string]>('retry')
export const markSettled = defineUpdate<void, [actionId: string]>('markSettled')
export const markFailed = defineUpdate<void, [actionId: string]>('markFailed')
/** The rail has news, also that money came back; the process asks it what, so that no news is taken on trust. */
export const railAnswered = defineSignal('railAnswered')

/** One payout: held for a reviewer if need be, handed to the rail, and asked about until the rail knows its end. */
export async function payout(id: string): Promise<string> {
  let news = false
  const { take, current } = newest<PayoutStanding>()
  const stands = () => current().status
  setHandler(railAnswered, () => void (news = true))
  setHandler(decide, async (said) => take(await decidePayout(id, said, now())), { validator: anId('pay') })
  for (const order of [retry, markSettled, markFailed]) {
    setHandler(order, async (actionId) => take(await carryOut(actionId, now())), { validator: anId('opa') })
  }

  take(await assessPayout(id, now()))
  const nudge = (at: number) => nudgePayoutReview(id, at)
  if (stands() === 'pending') await decided(current().nudgeAt, () => stands() !== 'pending', nudge)
  let askedAt = now() // before the rail is: news that is due by the time it has answered is asked for at once
  if (stands() === 'approved') take(await submitPayout(id, askedAt))

  for (let shown = ''; stands() === 'processing';) {
    const seen = current()
    const since = seen.submittedAt ?? askedAt
    const isStuck = now() >= stuckAt(since)
    if (isStuck && shown !== 'stuck') showStatus((shown = 'stuck'), 'operator')
    else if (shown === '' && seen.newsDueAt === null) showStatus((shown = 'processing'), 'rail')
    const due = seen.newsDueAt ?? 0
    const wait = isStuck ? { for: 'operator' as const, helps: stuckWords(since) } : { for: 'rail' as const }
    const askAt = due > askedAt ? due : nextQuestionAt(since, now())
    await waitUntil(askAt, { ...wait, unless: () => news || current() !== seen })
    if (current() !== seen) continue // staff have done something meanwhile
    news = false
    askedAt = now()
    take(await askAboutPayout(id, askedAt))
  }
  // A bank's return, and a word of the rail that came too late, start this process anew when it has ended.
  while (news) {
    news = false
    take(await askAboutPayout(id, now()))
  }
  await condition(allHandlersFinished)
  return showEnd(current())
}
