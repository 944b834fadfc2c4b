import { proxyActivities } from '@temporalio/workflow'
import type { PayoutSnapshot } from '../../activities/payout/answer.ts'
import type { PayoutActivities } from '../../activities/payout/payout.ts'
import { type PayoutStatus, stuckAt } from '../../domain/payout/payout.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { isTooLong } from '../continue-anew.ts'
import { stuckWords } from './words.ts'
import { rail, railAtOnce } from '../policies.ts'
import { besideTheWait, isUnanswered } from '../rail-step.ts'
import { showStatus } from '../search-attributes.ts'
import { now, waitFor, waitUntil } from '../wait-until.ts'

const order = 'Send the payout to the rail'
const question = 'Ask the rail for the payout’s status'
const atOnce = {
  submitPayout: proxyActivities<PayoutActivities>(railAtOnce(order)).submitPayout,
  askAboutPayout: proxyActivities<PayoutActivities>(railAtOnce(question)).askAboutPayout,
}
const patiently = {
  submitPayout: proxyActivities<PayoutActivities>(rail(order)).submitPayout,
  askAboutPayout: proxyActivities<PayoutActivities>(rail(question)).askAboutPayout,
}

/** Asks the rail for as long as it takes: where nothing else is waited for. */
export const { askAboutPayout: askAtLast } = patiently

/** What a process has heard and not taken up yet. */
export type Heard = {
  /** The rail knows something new. */
  news: boolean
  /** The order may never have reached the rail, or staff want it given again. */
  isOrderDue: boolean
}

type Sending = { id: string; heard: Heard; take: (told: PayoutSnapshot) => void; current: () => PayoutSnapshot }

const isWithRail = (status: PayoutStatus): boolean => status === 'approved' || status === 'processing'

/** Carries a payout to its rail and asks about it until it has ended, is held again, or the run has become too long. */
export async function sent({ id, heard, take, current }: Sending): Promise<void> {
  let askedAt = now()
  const beside = besideTheWait()
  for (let shown = ''; isWithRail(current().status) && !isTooLong();) {
    if (heard.isOrderDue) heard.news = false // the order asks for it too
    if (heard.isOrderDue || (current().status === 'approved' && !beside.isRunning())) {
      heard.isOrderDue = false
      await ask('submitPayout')
      continue
    }
    const seen = current()
    const since = seen.submittedAt ?? askedAt
    const isStuck = now() >= stuckAt(since)
    if (isStuck && shown !== 'stuck') showStatus((shown = 'stuck'), 'operator')
    else if (shown === '' && seen.newsDueAt === null) showStatus((shown = 'processing'), 'rail')
    const isAsking = beside.isRunning()
    const isChanged = () => current() !== seen || heard.isOrderDue || isTooLong()
    const unless = () => isChanged() || (isAsking ? !beside.isRunning() : heard.news)
    const wait = isStuck ? { for: 'operator' as const, helps: stuckWords(since) } : { for: 'rail' as const }
    if (isAsking && isStuck) await waitFor({ ...wait, unless })
    else await waitUntil(isAsking ? stuckAt(since) : nextAskAt(seen, since), { ...wait, unless })
    if (isChanged() || isAsking) continue // which is looked at first, such as what staff have done meanwhile
    heard.news = false
    await ask('askAboutPayout')
  }
  beside.stop()

  function nextAskAt({ newsDueAt }: PayoutSnapshot, since: number): number {
    return newsDueAt !== null && newsDueAt > askedAt ? newsDueAt : nextPollAt(since, now())
  }

  /** A few times while the process waits for nothing else, from then on beside its waits, until the rail answers. */
  async function ask(what: 'submitPayout' | 'askAboutPayout'): Promise<void> {
    askedAt = now()
    beside.stop()
    try {
      take(await atOnce[what](id, askedAt))
    } catch (error) {
      if (!isUnanswered(error)) throw error
      beside.start(async () => take(await patiently[what](id, now())))
    }
  }
}
