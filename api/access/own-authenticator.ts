import { newTotpSecret, otpauthUri, PendingAuthenticator, totpStep } from '../../db/access/authenticator.ts'
import { endChallenges } from '../../db/access/login.ts'
import { isLocked } from '../../db/access/login-failures.ts'
import type { User } from '../../db/access/user.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  BothFactors,
  ConfirmAuthenticator,
  NewAuthenticator,
  ReplacedAuthenticator,
} from '../../schemas/access/own-login.ts'
import { iso } from '../../schemas/common.ts'
import { operation } from '../http/operation.ts'
import { accountLocked, hashEmail } from './login-attempt.ts'
import { wrongCodesMax } from './login-challenge.ts'
import { changeOwnLogin, countOwnChange, lockOwnLogin, tellOwnChange } from './own-change.ts'
import { minuteMs } from '../../domain/duration.ts'

const path = '/api/v1/auth/authenticator'
const lifetimeMs = 10 * minuteMs
/** These refuse and still keep a record of the failure, so their handlers commit it themselves. */
const shared = { method: 'post', tag: 'Login', auth: ['user'], scope: null, mode: 'read' } as const

export const beginAuthenticator = operation({
  ...shared,
  path,
  summary: 'Get the secret of a new authenticator app; until one of its codes confirms it, nothing changes',
  body: BothFactors,
  returns: [201, NewAuthenticator],
  refuses: ['INVALID_CREDENTIALS', 'INVALID_CODE', 'ACCOUNT_LOCKED'],

  async handle({ body, ...call }) {
    const { now, services, caller } = call
    return changeOwnLogin(call, body, async (em, user) => {
      const secret = newTotpSecret()
      const expiresAt = new Date(now + lifetimeMs)
      await em.upsert(PendingAuthenticator, {
        userId: user.id,
        sessionId: caller.sessionId ?? '',
        encryptedSecret: services.encrypter.encrypt(secret),
        wrongCodes: 0,
        createdAt: new Date(now),
        expiresAt,
      })
      tellOwnChange(em, call, user, { action: 'login.authenticator_begun', mail: null })
      return { secret, otpauth_uri: otpauthUri(secret, user.email), expires_at: iso(expiresAt) }
    })
  },
})

export const confirmAuthenticator = operation({
  ...shared,
  path: `${path}/confirm`,
  summary: 'Send a code of the new authenticator app, which takes the place of the earlier one',
  body: ConfirmAuthenticator,
  returns: [200, ReplacedAuthenticator],
  refuses: ['NOT_FOUND', 'INVALID_CODE', 'ACCOUNT_LOCKED'],

  async handle({ body: { code }, ...call }) {
    const { now, services } = call
    await countOwnChange(call, 'confirm')
    const refused = await inTransaction(services.database, async (em) => {
      const user = await lockOwnLogin(em, call)
      if (await isLocked(em, hashEmail(services, user.email), now)) return accountLocked()
      const pending = await findPending(em, user, { sessionId: call.caller.sessionId ?? '', now })
      if (!pending) return new Refusal('NOT_FOUND', 'no new authenticator is being set up: start again')
      const step = totpStep(services.encrypter.decrypt(pending.encryptedSecret), code, now)
      if (step === null) {
        pending.wrongCodes += 1
        return new Refusal('INVALID_CODE', 'the code does not match the new authenticator')
      }
      em.remove(pending)
      await replaceAuthenticator(em, user, pending, { step, now })
      tellOwnChange(em, call, user, { action: 'login.authenticator_replaced', mail: replaced })
      return null
    })
    if (refused) throw refused
    return { status: 'replaced' as const, method: 'totp' as const }
  },
})

async function replaceAuthenticator(
  em: EntityManager,
  user: User,
  { encryptedSecret: encryptedTotpSecret }: PendingAuthenticator,
  { step, now }: { step: number; now: number },
): Promise<void> {
  Object.assign(user, { method: 'totp', encryptedTotpSecret, lastTotpStep: step })
  await endChallenges(em, user.id, now)
}

const replaced = {
  subject: 'Your authenticator app was replaced',
  text: 'A new authenticator app was set up for your account. Codes of the earlier one no longer work.',
}

/** The new authenticator that this session may confirm. Too many wrong codes end it. `em` holds the user's lock. */
const findPending = (em: EntityManager, { id: userId }: User, { sessionId, now }: { sessionId: string; now: number }) =>
  em.findOne(PendingAuthenticator, {
    userId,
    sessionId,
    wrongCodes: { $lt: wrongCodesMax },
    expiresAt: { $gt: new Date(now) },
  })
