import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { audit } from '../../db/core/audit.ts'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { LoginChallenge as ChallengeRow } from '../../db/access/login.ts'
import { forgetFailures, isLocked, reserveAttempt } from '../../db/access/login-failures.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { backupCodesLeft, User } from '../../db/access/user.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, iso, StoredEmail } from '../../schemas/common.ts'
import {
  Code,
  LoggedIn,
  LoginChallenge,
  LoginToken,
  Password,
  presentChallenge,
  presentUser,
  ResentChallenge,
} from '../../schemas/access/login.ts'
import { networkOf } from '../http/address.ts'
import {
  type Attempt,
  checkPassword,
  hashEmail,
  accountLocked,
  assertSamePassword,
  recordLoginFailure,
} from './login-attempt.ts'
import { isChallengeOpen, openChallenge, resendChallengeCode, acceptCode, wrongCodesMax } from './login-challenge.ts'
import { type GrantedSession, openSession, signTokens } from './login-session.ts'
import { assertLoginToken, makeLoginToken } from './login-token.ts'
import { operation } from '../http/operation.ts'

const attemptsPerMinute = 3 // per IP address and email (docs/contract/access.md, "Login")

/** These operations refuse and still keep a record of the failure, so their handlers commit it themselves. */
const login = { method: 'post', tag: 'Login', auth: ['none'], scope: null, mode: 'read' } as const

export const beginLogin = operation({
  ...login,
  path: '/api/v1/auth/login/init',
  summary: 'Begin a login; the token is valid for 3 minutes',
  returns: [200, LoginToken],
  refuses: [],

  async handle({ now, services }) {
    const { token, expiresAt } = await makeLoginToken(services.config.keyPepper, now)
    return { token, expires_at: iso(expiresAt) }
  },
})

export const sendPassword = operation({
  ...login,
  path: '/api/v1/auth/login',
  summary: 'Send email and password; if they are right, the second factor is next',
  body: Type.Object(
    {
      email: StoredEmail,
      password: Password,
      login_token: Type.String({ minLength: 1, maxLength: 1024 }),
    },
    { $id: 'SendPassword' },
  ),
  returns: [200, LoginChallenge],
  refuses: ['INVALID_LOGIN_TOKEN', 'INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'EMAIL_NOT_VERIFIED'],

  async handle({ body, caller: { address }, now, services, count }) {
    const { keyPepper } = services.config
    await assertLoginToken(keyPepper, body.login_token, now)
    const email = body.email.toLowerCase()
    await count(`login/${computeHmac(keyPepper, 'login limit', networkOf(address), email)}`, attemptsPerMinute)
    const known = await checkPassword({ services, address, now }, email, body.password)
    return inTransaction(services.database, async (em) => {
      const user = await em.findOne(User, { id: known.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      assertSamePassword(known, user)
      const challenge = presentChallenge(openChallenge(em, services, user, now))
      return { ...challenge, backup_code_allowed: (await backupCodesLeft(em, user.id)) > 0, user: presentUser(user) }
    })
  },
})

const VerifyLogin = Type.Object(
  { challenge_id: idParameter('chal'), code: Code, code_type: Type.Enum(['primary', 'backup']) },
  { $id: 'VerifyLogin' },
)

export const verifyLogin = operation({
  ...login,
  path: '/api/v1/auth/login/2fa/verify',
  summary: 'Send the second factor, or a backup code, to log in',
  body: VerifyLogin,
  returns: [200, LoggedIn],
  refuses: ['INVALID_CODE', 'ACCOUNT_LOCKED'],

  async handle({ body, caller: { address }, now, services }) {
    const attempt = { services, address, now }
    const answer = await inTransaction(services.database, (em) => answerChallenge(em, attempt, body))
    if (answer instanceof Refusal) throw answer
    return { ...(await signTokens(services, answer.granted, now)), user: presentUser(answer.user) }
  },
})

const wrongCode = () => new Refusal('INVALID_CODE', 'the code is wrong, or the challenge has ended')

/** The open challenge of a login. Its user is locked first, as everywhere, so that no two calls wait for each other. */
async function findChallenge(em: EntityManager, id: string, now: number) {
  // Read again below, under its lock, so this first reading is not kept.
  const reading = { fields: ['userId'], disableIdentityMap: true } as const
  const known = await em.findOne(ChallengeRow, { id, forChanges: false }, reading)
  if (!known) return null
  // Either may be gone: a person may be removed while they sign in.
  const user = await em.findOne(User, { id: known.userId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  const challenge = user && (await em.findOne(ChallengeRow, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }))
  return challenge && isChallengeOpen(challenge, now) ? { challenge, user } : null
}

/**
 * Checks a code against its challenge. The first wrong code of each challenge counts as a failed login, so that
 * somebody who knows the password cannot try codes without end. A refusal is returned, not thrown: the failure must
 * commit.
 */
async function answerChallenge(
  em: EntityManager,
  attempt: Attempt,
  body: Static<typeof VerifyLogin>,
): Promise<Refusal | { granted: GrantedSession; user: User }> {
  const { services, address, now } = attempt
  const found = await findChallenge(em, body.challenge_id, now)
  if (!found) return wrongCode()
  const { challenge, user } = found
  const emailHash = hashEmail(services, user.email)
  const isFirst = challenge.wrongCodes === 0
  const place = isFirst ? await reserveAttempt(em, emailHash, now) : null
  if (isFirst ? place === null : await isLocked(em, emailHash, now)) return accountLocked()
  if (!(await acceptCode(em, services, found, body, now))) {
    challenge.wrongCodes += 1
    if (challenge.wrongCodes >= wrongCodesMax) challenge.endedAt = new Date(now)
    recordLoginFailure(em, attempt, user, { place, target: challenge.id })
    return wrongCode()
  }
  challenge.endedAt = new Date(now)
  await forgetFailures(em, emailHash)
  const granted = openSession(em, services, user, now)
  const { accountId, id: userId } = user
  audit(em, { accountId, userId, action: 'login.succeeded', target: granted.sessionId, address }, now)
  return { granted, user }
}

export const resendCode = operation({
  ...login,
  path: '/api/v1/auth/login/2fa/resend',
  summary: 'Send a new code for the same challenge; the previous code no longer works',
  body: Type.Object({ challenge_id: idParameter('chal') }, { $id: 'ResendCode' }),
  returns: [200, ResentChallenge],
  refuses: ['INVALID_CODE'],

  async handle({ body, now, services }) {
    return inTransaction(services.database, async (em) => {
      const found = await findChallenge(em, body.challenge_id, now)
      if (!found) throw wrongCode()
      resendChallengeCode(em, services, found, now)
      return presentChallenge(found.challenge)
    })
  },
})
