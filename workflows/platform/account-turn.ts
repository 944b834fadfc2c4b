import { proxyActivities } from '@temporalio/workflow'
import type { AccountActivities, AccountSnapshot } from '../../activities/platform/account.ts'
import { proxyLocalSteps } from '../local-steps.ts'
import { hasMailed } from '../mail-pause.ts'
import { ledgerPolicy, mailPolicy } from '../policies.ts'
import { showStatus } from '../search-attributes.ts'
import { now, waitFor, waitUntil, type WaitingOn } from '../wait-until.ts'

type Due = NonNullable<AccountSnapshot['due']>
const { takeAccountStep } = proxyLocalSteps<AccountActivities>(ledgerPolicy('Do what is due by now'))
const { remindAccountReviewers } = proxyActivities<AccountActivities>(mailPolicy('Remind staff of the open review'))
const { warnAccount } = proxyActivities<AccountActivities>(mailPolicy('Mail about a deadline'))

/** Whether the account waits for a decision or for a moment. */
export const isAwaited = ({ isReviewing, due }: AccountSnapshot): boolean => isReviewing || due !== null

/** Whether nobody has decided, and staff have had their last mail. */
export const isEscalated = ({ isReviewing, due }: AccountSnapshot): boolean => isReviewing && due === null

type Turn = {
  id: string
  before: AccountSnapshot
  applySnapshot: (snapshot: AccountSnapshot) => void
  /** Whether somebody has decided, something has changed, or the run has become too long. */
  isOver: () => boolean
}

const awaited: Record<Due['what'], { for: WaitingOn; next: string }> = {
  decide: { for: 'sandbox', next: 'it decides' },
  remind: { for: 'reviewer', next: 'staff are mailed' },
  escalate: { for: 'reviewer', next: 'staff are mailed' },
  requirements_due: { for: 'merchant', next: 'more information is due' },
  deadline_warning: { for: 'merchant', next: 'a reminder is sent' },
  deadline: { for: 'merchant', next: 'the account is restricted' },
}

/** Waits for the next moment of an account and does what is due then. True: the account is to be read again. */
export async function takeTurn({ id, before, applySnapshot, isOver }: Turn): Promise<boolean> {
  const { due, statement, isReviewing } = before
  const helps = isReviewing
    ? 'Approve it, reject it or ask for information in the review desk (/ops).'
    : 'Nothing to do: the account provides information that is due later.'
  const wait = { unless: isOver, helps }
  if (due === null) {
    showStatus('escalated', 'lead reviewer')
    await waitFor({ for: 'lead reviewer', ...wait })
    return false
  }
  if (await waitUntil(due.at, { ...awaited[due.what], ...wait })) return false
  if (due.what === 'remind' || due.what === 'escalate') {
    return !(await hasMailed(async () => applySnapshot(await remindAccountReviewers(id, statement, now())), wait))
  }
  if (due.what === 'deadline_warning')
    return !(await hasMailed(async () => applySnapshot(await warnAccount(id, now())), wait))
  applySnapshot(await takeAccountStep(id, now()))
  return false
}
