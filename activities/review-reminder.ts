import { inTransaction } from '../db/core/database.ts'
import { lockReview, type ReviewSubject } from '../commands/review.ts'
import { isKept, keepMail } from '../db/core/mail.ts'
import { type OnClock, timeOf } from '../db/core/test-clock.ts'
import { Review } from '../db/review/review.ts'
import { nextReminder } from '../domain/review.ts'
import type { Deps } from './deps.ts'
import { reviewMail } from './review-mail.ts'

const marks = { remind: 'remindedAt', escalate: 'escalatedAt' } as const

/**
 * Mails the staff about a review that nobody has decided, if a mail is due, and records that, so that it is not sent
 * again. Returns when the next mail is due, in milliseconds since the epoch; null: never.
 */
export async function remindStaff(deps: Deps, subject: ReviewSubject & OnClock, asked: number): Promise<number | null> {
  const { type, resourceId, revision } = subject
  const em = deps.database.orm.em.fork()
  const at = await timeOf(em, subject, asked)
  const review = await em.findOneOrFail(Review, { type, resourceId, revision })
  const reminder = review.state === 'open' ? nextReminder(review) : null
  if (!reminder || reminder.at > at) return reminder?.at ?? null
  const { publicUrl } = deps.database
  const mail = await reviewMail(em, review, { what: reminder.what, publicUrl, realTime: await deps.clock.now() })
  if (mail) await deps.mailer.deliver(mail)
  return inTransaction(deps.database, async (tx) => {
    await timeOf(tx, subject, at)
    const row = await lockReview(tx, subject)
    const mark = marks[reminder.what]
    if (row[mark]) return nextReminder(row)?.at ?? null // another try has sent the same mail meanwhile
    Object.assign(row, { [mark]: new Date(at), updatedAt: new Date(at) })
    if (mail && isKept(row.environment)) keepMail(tx, deps.encrypter, { accountId: null, mail, at })
    return nextReminder(row)?.at ?? null
  })
}
