import { audit } from '../../db/core/audit.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { failuresMax, giveBackAttempt, reserveAttempt } from '../../db/access/login-failures.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { User } from '../../db/access/user.ts'
import { Refusal } from '../../domain/refusal.ts'
import { mailTo } from './mail.ts'
import type { Services } from '../http/services.ts'

/** A login attempt: the IP address it comes from and its time, `now`, in milliseconds since the epoch. */
export type Attempt = { services: Services; address: string; now: number }

/** The hash under which the failed logins of an email address are counted. */
export const hashEmail = ({ config }: Services, email: string): string =>
  computeHmac(config.keyPepper, 'login email', email)

export const accountLocked = () => new Refusal('ACCOUNT_LOCKED', 'too many logins have failed; try again in some hours')

/**
 * Finds the user of this email and password, who may log in. An unknown email takes the same work, the same count and
 * the same answers as a wrong password, so that a caller cannot find out which emails exist.
 */
export async function checkPassword(attempt: Attempt, email: string, password: string): Promise<User> {
  const { services, now } = attempt
  const em = services.database.orm.em.fork()
  const emailHash = hashEmail(services, email)
  const place = await reserveAttempt(em, emailHash, now)
  const user = await em.findOne(User, { email })
  if (place === null) {
    await note(attempt, user, 'login.refused')
    throw accountLocked()
  }
  if (!(await services.passwords.verify(user?.passwordHash ?? null, password)) || !user) {
    const failure = { place, target: null }
    await inTransaction(services.database, async (inner) => recordLoginFailure(inner, attempt, user, failure))
    throw wrongPassword()
  }
  await giveBackAttempt(em, emailHash)
  if (user.emailVerified) return user
  await note(attempt, user, 'login.failed')
  throw new Refusal('EMAIL_NOT_VERIFIED', 'the email address is not verified yet')
}

const wrongPassword = () => new Refusal('INVALID_CREDENTIALS', 'email or password is wrong')

/**
 * Refuses if the password has been changed since it was checked, or the person has been removed. `locked` is the user's
 * row under a lock, so that it stays as it is until the transaction ends.
 */
export function assertSamePassword(checked: User, locked: User | null): asserts locked is User {
  if (checked.passwordHash !== locked?.passwordHash) throw wrongPassword()
}

const note = ({ services, address, now }: Attempt, user: User | null, action: string): Promise<void> =>
  inTransaction(services.database, async (em) => audit(em, { ...by(user), action, target: null, address }, now))

const by = (user: User | null) => ({ accountId: user?.accountId ?? null, userId: user?.id ?? null })

/**
 * Records a failed login. If it locks the email address, its owner gets a mail. `target` is the challenge.
 */
export function recordLoginFailure(
  em: EntityManager,
  { services, address, now }: Attempt,
  user: User | null,
  { place, target }: { place: number | null; target: string | null },
): void {
  audit(em, { ...by(user), target, action: 'login.failed', address }, now)
  if (place !== failuresMax) return
  audit(em, { ...by(user), target, action: 'login.locked', address }, now)
  if (!user) return
  const text = `${failuresMax} sign-ins to your account have failed. It is locked for 6 hours.`
  mailTo(em, services, user, { subject: 'Your account is locked', text }, now)
}
