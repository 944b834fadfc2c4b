import { LockMode } from '@mikro-orm/core'
import { LoginChallenge, LoginSession } from '../../db/access/login.ts'
import { isLocked } from '../../db/access/login-failures.ts'
import { User } from '../../db/access/user.ts'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import type { Mail } from '../../domain/mail.ts'
import { Refusal } from '../../domain/refusal.ts'
import { networkOf } from '../http/address.ts'
import { accountLocked, assertSamePassword, hashEmail } from './login-attempt.ts'
import { acceptCode, openChallenge, resendChallengeCode, type TypedCode } from './login-challenge.ts'
import { mailTo } from './mail.ts'
import {
  forgetOwnFailures,
  giveOwnAttemptBack,
  type OwnCall,
  proveOwnPassword,
  recordOwnFailure,
  sessionEnded,
} from './own-proof.ts'

/** Both factors, as the person has typed them. */
type Proof = { password: string; code: string; code_type?: TypedCode['code_type'] | undefined }

const attemptsPerMinute = 3 // per IP address and person, as for logins

/** Counts an attempt of a signed-in person to change how they sign in; `what` has a limit of its own. */
export const countOwnChange = ({ caller, services, count }: OwnCall, what: 'change' | 'confirm'): Promise<void> => {
  const { userId, address } = caller
  const subject = computeHmac(services.config.keyPepper, 'change limit', networkOf(address), userId ?? '')
  return count(`${what}/${subject}`, attemptsPerMinute)
}

/**
 * Makes a change of a person's own login once they have proven both factors, as a stolen session must not be enough. A
 * wrong password and a wrong code count as failures of their session. `change` runs in the transaction that has locked
 * the person's row, so that of two changes at once the second sees what the first has left.
 */
export async function changeOwnLogin<T>(
  call: OwnCall,
  { password, code, code_type = 'primary' }: Proof,
  change: (em: EntityManager, user: User) => Promise<T>,
): Promise<T> {
  const { now, services } = call
  await countOwnChange(call, 'change')
  const { known, place } = await proveOwnPassword(call, password)
  const work = async (em: EntityManager) => {
    const user = await lockOwnLogin(em, call)
    assertSamePassword(known, user)
    if (await isLocked(em, hashEmail(services, user.email), now)) return accountLocked()
    const challenge = user.method === 'totp' ? null : await openOwnChallenge(em, user, now)
    if (!(await acceptCode(em, services, { challenge, user }, { code, code_type }, now))) {
      await recordOwnFailure(em, call, user, place)
      return new Refusal('INVALID_CODE', 'the code is wrong, has expired or was used')
    }
    if (challenge && code_type === 'primary') challenge.endedAt = new Date(now)
    await forgetOwnFailures(em, call, user.email)
    return { done: await change(em, user) }
  }
  const answer = await inTransaction(services.database, work).catch(async (error: unknown) => {
    if (!(error instanceof Refusal)) await giveOwnAttemptBack(call)
    throw error
  })
  if (answer instanceof Refusal) throw answer
  return answer.done
}

/** Locks the caller's row. Refuses a session that has been ended, or whose person was removed, meanwhile. */
export async function lockOwnLogin(em: EntityManager, { caller }: Pick<OwnCall, 'caller'>): Promise<User> {
  const user = await em.findOne(User, { id: caller.userId ?? '' }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const isOpen = await em.count(LoginSession, { id: caller.sessionId ?? '', endedAt: null })
  if (!user || isOpen === 0) throw sessionEnded()
  return user
}

/** The newest code that was mailed to a signed-in person, while it works. */
const openOwnChallenge = (em: EntityManager, { id: userId }: User, now: number): Promise<LoginChallenge | null> =>
  em.findOne(
    LoginChallenge,
    { userId, forChanges: true, endedAt: null, expiresAt: { $gt: new Date(now) } },
    { orderBy: { createdAt: -1 } },
  )

/** Mails a code to a signed-in person whose second factor is email, in place of an earlier one. */
export async function mailOwnCode(em: EntityManager, call: OwnCall): Promise<LoginChallenge> {
  const { now, services } = call
  const user = await lockOwnLogin(em, call)
  if (user.method !== 'email_otp')
    throw new Refusal('CONFLICT', 'your codes come from an authenticator app, so none is sent')
  const challenge = await openOwnChallenge(em, user, now)
  if (!challenge) return openChallenge(em, services, user, now, true)
  resendChallengeCode(em, services, { challenge, user }, now)
  return challenge
}

/** Leaves a row in the log about a change, and mails the person that it was made: a stranger may have made it. */
export function tellOwnChange(
  em: EntityManager,
  { caller: { sessionId, address }, now, services }: OwnCall,
  user: User,
  { action, mail }: { action: string; mail: Pick<Mail, 'subject' | 'text'> | null },
): void {
  audit(em, { accountId: user.accountId, userId: user.id, action, target: sessionId, address }, now)
  if (mail) mailTo(em, services, user, { ...mail, text: `${mail.text} ${notYou}` }, now)
}

const notYou = 'If it was not you, tell whoever runs this service at once.'
