import { LoginSession } from '../../db/access/login.ts'
import {
  failuresMax,
  forgetFailures,
  giveBackAttempt,
  isLocked,
  reserveAttempt,
} from '../../db/access/login-failures.ts'
import { User } from '../../db/access/user.ts'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { AnyCall } from '../http/run-operation.ts'
import { accountLocked, hashEmail } from './login-attempt.ts'
import { mailTo } from './mail.ts'

// Wrong passwords and codes of somebody who is signed in. They count for their session and end it: whoever has stolen a
// session guesses five times, and cannot lock its owner out of their logins (decision 0070).

export type OwnCall = Pick<AnyCall, 'caller' | 'now' | 'services' | 'count'>

/** Under what the failures of the caller's session are counted. */
const sessionHash = ({ caller, services }: OwnCall): string =>
  computeHmac(services.config.keyPepper, 'own change', caller.sessionId ?? '')

export const sessionEnded = () => new Refusal('UNAUTHORIZED', 'The session has ended')

/** A person whose password is right, and the number of the attempt, from 1 to `failuresMax`. */
type Known = { known: User; place: number }

/**
 * Checks the password of the caller, and counts the attempt before: what comes at once is limited like what comes in a
 * row. The attempt stays counted until its code is right, too. Refused after so many failures, and while the login
 * itself is locked.
 */
export async function proveOwnPassword(call: OwnCall, password: string): Promise<Known> {
  const { caller, now, services } = call
  const known = await services.database.orm.em.fork().findOne(User, { id: caller.userId ?? '' })
  if (!known) throw sessionEnded() // the person was removed a moment ago
  const place = await inTransaction(services.database, async (em) => {
    if (await isLocked(em, hashEmail(services, known.email), now)) throw accountLocked()
    return reserveAttempt(em, sessionHash(call), now)
  })
  if (place === null) throw sessionEnded()
  if (await services.passwords.verify(known.passwordHash, password)) return { known, place }
  await inTransaction(services.database, (em) => recordOwnFailure(em, call, known, place))
  throw new Refusal('INVALID_CREDENTIALS', 'the password is wrong')
}

/** Uncounts an attempt that came to nothing by a fault of ours. */
export const giveOwnAttemptBack = (call: OwnCall): Promise<void> =>
  giveBackAttempt(call.services.database.orm.em.fork(), sessionHash(call))

/** Records a wrong password or code. The last one that is allowed ends the session, and its owner gets a mail. */
export async function recordOwnFailure(em: EntityManager, call: OwnCall, user: User, place: number): Promise<void> {
  const { caller, now, services } = call
  const { sessionId, address } = caller
  const about = { accountId: user.accountId, userId: user.id, target: sessionId, address }
  audit(em, { ...about, action: 'login.failed' }, now)
  if (place < failuresMax) return
  await em.nativeUpdate(LoginSession, { id: sessionId ?? '', endedAt: null }, { endedAt: new Date(now) })
  audit(em, { ...about, action: 'login.session_ended' }, now)
  const text = `${failuresMax} wrong passwords or codes were entered on a device that was signed in to your account, to
change how you sign in. The device is signed out, and nothing was changed. If it was not you, change your password.`
  mailTo(em, services, user, { subject: 'A device was signed out', text }, now)
}

/** Forgets the failures of a person who has proven both factors: of their session, and of their logins. */
export async function forgetOwnFailures(em: EntityManager, call: OwnCall, email: string): Promise<void> {
  await forgetFailures(em, sessionHash(call))
  await forgetFailures(em, hashEmail(call.services, email))
}
