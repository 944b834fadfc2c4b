import { applyOutcome, assertNothingElseAsked, sandboxDecisionOf } from '../../commands/platform/decide-account.ts'
import { concludeAccount, subjectOfAccount } from '../../commands/platform/change-account.ts'
import { applyStoredDecision, decideReview, lockReview, withdrawReview } from '../../commands/review.ts'
import { Account } from '../../db/core/account.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { clockTimeOf, timeOf } from '../../db/core/test-clock.ts'
import { type AccountFile, factsOf, lockFile, readFile } from '../../db/platform/account-file.ts'
import { Review } from '../../db/review/review.ts'
import { type AccountStep, nextStepOf } from '../../domain/platform/account-deadline.ts'
import { reviewedIn } from '../../domain/platform/account-status.ts'
import { isPastDue, type AccountStatus } from '../../domain/platform/requirement.ts'
import { moveAccount } from '../../domain/platform/account-status.ts'
import { nextReminder, type Outcome } from '../../domain/review.ts'
import type { Deps } from '../deps.ts'
import { remindStaff } from '../review-reminder.ts'
import { sendDeadlineMail } from './deadline-mail.ts'

type Due = { what: 'decide' | 'remind' | 'escalate' | AccountStep['what']; at: number }

/** The state of an account that its process needs. */
export type AccountSnapshot = {
  /** Grows with every change of the account. */
  revision: number
  /** What the review is about: grows with everything that is reviewed anew. */
  statement: number
  /** How the newest review has ended; null while it is open. */
  decided: Outcome | null
  status: AccountStatus
  isReviewing: boolean
  /** What has to happen next if nobody does anything, and when, in milliseconds since the epoch; null: nothing more. */
  due: Due | null
  /** The time of the account's test clock; null: the real time. */
  clockTime: number | null
}

/** The steps of the `account-review` process. Each returns the account's state, and is safe to repeat. */
export const accountActivities = (deps: Deps) => ({
  readAccount: (id: string, at: number): Promise<AccountSnapshot> => readSnapshot(deps, id, at),

  /** Applies a decision that staff have stored. Refuses one about an earlier revision, and another than was made. */
  decideAccount: (id: string, decisionId: string, asked: number): Promise<AccountSnapshot> =>
    inAccount(deps, id, asked, async (em, file, at) => {
      await concludeAccount(em, file, at, async () => {
        const stored = await applyStoredDecision(em, decisionId, subjectOfAccount(file), at)
        if (!stored) return assertNothingElseAsked(em, decisionId, file)
        applyOutcome(file, { outcome: stored.decision, reason: stored.reason, errors: stored.errors }, at)
      })
    }),

  /** Does what is due by now, unless something else has happened first: the sandbox decides, a deadline passes. */
  takeAccountStep: (id: string, asked: number): Promise<AccountSnapshot> =>
    inAccount(deps, id, asked, async (em, file, at) => {
      const due = await dueFor(em, file, at)
      // Also where nothing is decided: what time alone has made due is recorded as an event.
      await concludeAccount(em, file, at, async () => {
        if (!due || due.at > at) return
        if (due.what === 'decide') await decideBySandbox(em, file, at)
        if (due.what === 'deadline' && isPastDue(factsOf(file), at)) await restrict(em, file, at)
      })
    }),

  /** Mails the staff about an account that nobody has decided, if a mail is due. */
  remindAccountReviewers: async (id: string, statement: number, at: number): Promise<AccountSnapshot> => {
    const { profile } = await readFileOf(deps, id)
    const subject = { type: 'account', resourceId: id, revision: statement } as const
    await remindStaff(deps, { ...subject, clockId: profile.clockId }, at)
    return readSnapshot(deps, id, at)
  },

  /** Mails the account and its platform about a deadline, if a mail is due. */
  warnAccount: async (id: string, asked: number): Promise<AccountSnapshot> => {
    await sendDeadlineMail(deps, await readFileOf(deps, id), asked)
    return readSnapshot(deps, id, asked)
  },
})

/** The types of the activities, for the process that calls them. */
export type AccountActivities = ReturnType<typeof accountActivities>

async function readFileOf({ database }: Deps, id: string): Promise<AccountFile> {
  const em = database.orm.em.fork()
  const account = await em.findOneOrFail(Account, { id })
  return readFile(em, account, reviewedIn(account))
}

type Work = (em: EntityManager, file: AccountFile, at: number) => Promise<void>

const inAccount = ({ database }: Deps, id: string, asked: number, work: Work): Promise<AccountSnapshot> =>
  inTransaction(database, async (em) => {
    const account = await lock(em, Account, id)
    const file = await lockFile(em, id, reviewedIn(account))
    const at = await timeOf(em, file.profile, asked)
    await work(em, file, at)
    await em.flush() // the snapshot reads the review as it is now
    return snapshot(em, file, at)
  })

async function readSnapshot(deps: Deps, id: string, asked: number): Promise<AccountSnapshot> {
  const em = deps.database.orm.em.fork()
  const file = await readFileOf(deps, id)
  return snapshot(em, file, (await clockTimeOf(em, file.profile)) ?? asked)
}

async function snapshot(em: EntityManager, file: AccountFile, at: number): Promise<AccountSnapshot> {
  const { version, revision, status, isReviewing } = file.profile
  const review = await em.findOne(Review, subjectOfAccount(file))
  return {
    revision: version,
    statement: revision,
    decided: review?.decision ?? null,
    status,
    isReviewing,
    due: await dueFor(em, file, at),
    clockTime: await clockTimeOf(em, file.profile),
  }
}

const mails: readonly Due['what'][] = ['remind', 'escalate', 'deadline_warning']

/** What has to happen next: of the review or of the account, whichever is first. A late mail puts off nothing else. */
async function dueFor(em: EntityManager, file: AccountFile, at: number): Promise<Due | null> {
  const warnedOf = file.profile.warnedOf?.getTime() ?? null
  const all = [await reviewDueFor(em, file), nextStepOf({ ...factsOf(file), warnedOf }, at)]
  const found = all.filter((due) => due !== null).toSorted((left, right) => left.at - right.at)
  return found.find((due) => due.at <= at && !mails.includes(due.what)) ?? found[0] ?? null
}

async function reviewDueFor(em: EntityManager, file: AccountFile): Promise<Due | null> {
  if (!file.profile.isReviewing) return null
  const review = await em.findOneOrFail(Review, subjectOfAccount(file))
  const own = sandboxDecisionOf(file, review.createdAt.getTime())
  return own ? { what: 'decide', at: own.at } : nextReminder(review)
}

/**
 * Restricts an account whose deadline has passed. An open review ends: everything is reviewed together once the account
 * has provided what is due.
 */
async function restrict(em: EntityManager, { profile, ...file }: AccountFile, at: number): Promise<void> {
  moveAccount(profile, 'restricted')
  if (!profile.isReviewing) return
  await withdrawReview(em, subjectOfAccount({ profile, ...file }), at)
  profile.isReviewing = false
}

/** Decides by the rule of the sandbox, unless staff have decided first. */
async function decideBySandbox(em: EntityManager, file: AccountFile, at: number): Promise<void> {
  const review = await lockReview(em, subjectOfAccount(file))
  const own = review.state === 'open' ? sandboxDecisionOf(file, review.createdAt.getTime()) : null
  if (!own) return
  const { outcome, reason } = own
  if (decideReview(review, { decision: outcome, reason, by: null }, at)) applyOutcome(file, own, at)
}
