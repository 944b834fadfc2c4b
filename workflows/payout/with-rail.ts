import type { PayoutSnapshot } from '../../activities/payout/snapshot.ts'
import { isWithRail, stuckAt } from '../../domain/payout/payout.ts'
import { nextPayoutPollAt } from '../../domain/rail-polls.ts'
import { shouldContinueAsNew } from '../continue-as-new.ts'
import { shownWait } from './details.ts'
import type { Inbox } from './inbox.ts'
import { forTwoMinutes, patiently, type RailStep } from './steps.ts'
import { createBackgroundStep, isUnanswered } from '../background-step.ts'
import { waitOnHold } from '../operator-actions.ts'
import { showStatus } from '../search-attributes.ts'
import { questionsGoOnDuringAHold } from '../versions.ts'
import { now, waitFor, waitUntil } from '../wait-until.ts'

type Sending = {
  id: string
  inbox: Inbox
  applySnapshot: (snapshot: PayoutSnapshot) => void
  current: () => PayoutSnapshot
}

/** Sends a payout to its rail and asks about it until it has ended, is held again, or the run has become too long. */
export async function followPayout({ id, inbox, applySnapshot, current }: Sending): Promise<void> {
  const { news } = inbox
  let lookedUpAt = now()
  let isAsked = false // the rail was asked, and has not answered yet
  const background = createBackgroundStep()
  for (let shown = ''; isWithRail(current().status) && !shouldContinueAsNew();) {
    if (current().isOnHold) {
      const goesOn = isAsked && background.isRunning() && questionsGoOnDuringAHold()
      if (!goesOn) {
        background.stop()
        news.restore()
      }
      if (shown !== 'on_hold') showStatus((shown = 'on_hold'), 'operator')
      const isOver = () => goesOn && !background.isRunning()
      await waitOnHold(() => !current().isOnHold || news.isDue() || isOver() || shouldContinueAsNew())
      if (current().isOnHold && (news.isDue() || (isOver() && isAsked))) await lookUpNews()
      continue
    }
    if (inbox.isOrderDue) news.noteAsked() // sending the order also returns the rail's state
    if (inbox.isOrderDue || (current().status === 'approved' && !background.isRunning())) {
      inbox.isOrderDue = false
      await runRailStep('submitPayout')
      continue
    }
    const seen = current()
    const since = seen.submittedAt ?? lookedUpAt
    const isStuck = now() >= stuckAt(since)
    const isToShow = shown === 'on_hold' || (shown === '' && seen.newsDueAt === null)
    if (isStuck && shown !== 'stuck') showStatus((shown = 'stuck'), 'operator')
    else if (isToShow) showStatus((shown = 'processing'), 'rail')
    const nextAskAt = nextPayoutPollAt(seen.newsDueAt, since, lookedUpAt)
    const isRunning = background.isRunning()
    const isChanged = () => current() !== seen || inbox.isOrderDue || shouldContinueAsNew()
    const unless = () => isChanged() || (isRunning ? !background.isRunning() : news.isDue())
    const wait = shownWait(since, { isStuck, isRunning })
    if (isRunning && isStuck) await waitFor({ ...wait, unless })
    else await waitUntil(isRunning ? stuckAt(since) : nextAskAt, { ...wait, unless })
    if (isChanged() || isRunning) continue // the change, such as an operator action, is handled first
    await lookUpNews()
  }
  // The next run, which begins on hold and sends nothing, asks again; so does a process whose payout staff have marked.
  if (isAsked && current().isOnHold && isWithRail(current().status)) news.announce()
  news.restore()
  background.stop()

  function lookUpNews(): Promise<void> {
    news.noteAsked()
    return runRailStep('lookUpPayout')
  }

  /**
   * Runs a step at the rail: a few tries while the process waits for nothing else, and after these beside its other
   * waits, until the rail answers.
   */
  async function runRailStep(what: RailStep): Promise<void> {
    lookedUpAt = now()
    isAsked = what === 'lookUpPayout'
    background.stop()
    try {
      await applyResult(what, () => forTwoMinutes[what](id, lookedUpAt))
    } catch (error) {
      if (!isUnanswered(error)) throw error
      background.start(() => applyResult(what, () => patiently[what](id, now())))
    }
  }

  /**
   * Runs a step and applies its snapshot, but for an `isOnHold` that may be older than an operator action: only staff
   * hold and release a payout. On hold, and after a mark, an order is not sent: the rail then has answered nothing.
   */
  async function applyResult(what: RailStep, step: () => Promise<PayoutSnapshot>): Promise<void> {
    const { actionsCarriedOut } = inbox
    const snapshot = await step()
    isAsked = false
    if (what === 'lookUpPayout' || (isWithRail(snapshot.status) && !snapshot.isOnHold)) news.noteAnswered()
    const isOnHold = inbox.actionsCarriedOut === actionsCarriedOut ? snapshot.isOnHold : current().isOnHold
    applySnapshot({ ...snapshot, isOnHold: isOnHold ?? false })
  }
}
