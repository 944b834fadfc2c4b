import { randomInt } from 'node:crypto'
import { plainCode, totpStep } from '../../db/access/authenticator.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { LoginChallenge } from '../../db/access/login.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { BackupCode, hashBackupCode, User } from '../../db/access/user.ts'
import { newId } from '../../domain/id.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import { mailTo } from './mail.ts'
import type { Services } from '../http/services.ts'
import { isSameSecret } from '../http/same-secret.ts'
import { minuteMs } from '../../domain/duration.ts'

const lifetimeMs = 10 * minuteMs
const betweenSendsMs = 30_000
const sendsMax = 5

/** After this many wrong codes a challenge ends. */
export const wrongCodesMax = 5

/**
 * Opens a challenge: of a login, for a user whose password was right, or `forChanges`, for one who is signed in. Mails
 * the code if the user's second factor is email.
 */
export function openChallenge(
  em: EntityManager,
  services: Services,
  user: User,
  now: number,
  forChanges = false,
): LoginChallenge {
  const challenge = em.create(LoginChallenge, {
    id: newId('chal', now),
    forChanges,
    userId: user.id,
    method: user.method,
    codeHash: null,
    sentAt: null,
    endedAt: null,
    createdAt: new Date(now),
    expiresAt: new Date(now + lifetimeMs),
    wrongCodes: 0,
    sends: 0,
  })
  if (challenge.method === 'email_otp') sendCode(em, services, { challenge, user }, now)
  return challenge
}

type CodeRequest = { challenge: LoginChallenge; user: User }

/** Mails a new code; the previous one no longer works. It works until the end of its challenge. */
function sendCode(em: EntityManager, services: Services, { challenge, user }: CodeRequest, now: number): void {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  challenge.codeHash = hashCode(services, challenge, code)
  challenge.sends += 1
  challenge.sentAt = new Date(now)
  const whatFor = challenge.forChanges
    ? 'Enter it to change how you sign in. If you didn’t ask for it, sign out everywhere and change your password.'
    : 'If you aren’t signing in, change your password.'
  const minutes = Math.max(1, Math.floor((challenge.expiresAt.getTime() - now) / minuteMs))
  const text = `Your code is ${code}. It expires in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. ${whatFor}`
  const subject = challenge.forChanges ? 'Your code to change how you sign in' : 'Your login code'
  mailTo(em, services, user, { subject, text }, now)
}

/** Mails a new code. Refuses if too many were sent, or one was sent a moment ago. */
export function resendChallengeCode(em: EntityManager, services: Services, request: CodeRequest, now: number): void {
  const { method, sends, sentAt, expiresAt } = request.challenge
  if (method !== 'email_otp')
    throw invalid('challenge_id', 'asks for a code of an app, which is not sent', 'value_error')
  const nextAt = sends >= sendsMax ? expiresAt.getTime() : (sentAt?.getTime() ?? 0) + betweenSendsMs
  if (nextAt > now) {
    const detail =
      sends >= sendsMax ? `at most ${sendsMax} codes are sent: log in again` : 'a code was sent a moment ago'
    throw new Refusal('TOO_MANY_REQUESTS', detail, [], Math.ceil((nextAt - now) / 1000))
  }
  sendCode(em, services, request, now)
}

const hashCode = ({ config }: Services, { id }: LoginChallenge, code: string): string =>
  computeHmac(config.keyPepper, 'login code', id, code)

/** Whether the challenge still accepts a code. */
export const isChallengeOpen = ({ endedAt, expiresAt }: LoginChallenge, now: number): boolean =>
  endedAt === null && expiresAt.getTime() > now

/** A code as it was typed, and its kind. */
export type TypedCode = { code: string; code_type: 'primary' | 'backup' }

/**
 * Checks the code: a backup code, one of the app, or the one that was mailed for the challenge. A right code is marked
 * as used. `em` holds the locks of the user and of the challenge.
 */
export async function acceptCode(
  em: EntityManager,
  services: Services,
  { challenge, user }: { challenge: LoginChallenge | null; user: User },
  { code, code_type: type }: TypedCode,
  now: number,
): Promise<boolean> {
  if (type === 'backup') return takesBackupCode(em, services, user, code, now)
  const { method } = challenge ?? user
  if (method === 'totp') return takesTotp(em, services, user, code, now)
  if (!challenge) return false
  return isSameSecret(hashCode(services, challenge, plainCode(code)), challenge.codeHash ?? '')
}

async function takesBackupCode(
  em: EntityManager,
  { config }: Services,
  { id: userId }: User,
  code: string,
  now: number,
) {
  const hash = hashBackupCode(config.keyPepper, userId, code)
  return (await em.nativeUpdate(BackupCode, { hash, userId, usedAt: null }, { usedAt: new Date(now) })) === 1
}

/** RFC 6238, one step of 30 s early or late. A used step and all older steps are refused (section 5.2). */
async function takesTotp(em: EntityManager, { encrypter }: Services, user: User, token: string, now: number) {
  if (!user.encryptedTotpSecret) return false
  const lastTotpStep = totpStep(encrypter.decrypt(user.encryptedTotpSecret), token, now)
  if (lastTotpStep === null) return false
  const isFresh = { $or: [{ lastTotpStep: null }, { lastTotpStep: { $lt: lastTotpStep } }] }
  return (await em.nativeUpdate(User, { id: user.id, ...isFresh }, { lastTotpStep })) === 1
}
