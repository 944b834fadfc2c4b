import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import { hashToken } from '../../db/core/token-hash.ts'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { newestOf, readFile } from '../../db/platform/account-file.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { OnboardingSession } from '../../db/platform/onboarding-session.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { newId } from '../../domain/id.ts'
import { onboardingLinkMs } from '../../domain/platform/onboarding.ts'
import { slotsOf } from '../../domain/platform/requirement-rule.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  CreateOnboardingLink,
  EndedOnboarding,
  Onboarding,
  OnboardingLink,
  presentOnboarding,
  presentOnboardingLink,
} from '../../schemas/platform/onboarding.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { operation } from '../http/operation.ts'
import type { Services } from '../http/services.ts'
import { AccountId, findFile, onAccounts, writesAccounts } from './reach.ts'
import { idInToken, isTokenOf } from '../http/secret-token.ts'

export const createOnboardingLink = operation({
  ...onAccounts,
  ...writesAccounts,
  method: 'post',
  path: '/v1/accounts/{account_id}/onboarding-link',
  summary: 'Open the hosted onboarding page for an account: a link for an hour, shown once',
  params: AccountId,
  body: CreateOnboardingLink,
  returns: [201, OnboardingLink],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, services }) {
    const { account, profile } = await findFile(em, caller, params.account_id)
    if (profile.status === 'rejected') throw new Refusal('CONFLICT', 'the account was rejected')
    // Credentials expire by the real time, also where the account is on a test clock.
    const at = await services.clock.now()
    const urls = { returnUrl: body.return_url, refreshUrl: body.refresh_url }
    const { row, token } = openSession(em, { accountId: account.id, environment: caller.environment, ...urls }, at)
    auditCaller(em, caller, { action: 'account.onboarding_link_made', target: account.id }, at)
    return presentOnboardingLink(row, token, services.config.publicUrl)
  },
})

type Opening = Tenant & Pick<OnboardingSession, 'returnUrl' | 'refreshUrl'>

/** A session with its token, of which only the hash is stored. */
function openSession(em: EntityManager, opening: Opening, at: number) {
  const id = newId('os', at)
  const token = `${id}_secret_${randomBytes(24).toString('base64url')}`
  const times = { createdAt: new Date(at), expiresAt: new Date(at + onboardingLinkMs) }
  const row = em.create(OnboardingSession, { id, ...opening, ...times, tokenHash: hashToken(token) })
  return { row, token }
}

const onHostedPage = { tag: 'Connected accounts', auth: ['onboardingToken'], scope: null } as const

export const getOnboarding = operation({
  ...onHostedPage,
  method: 'get',
  path: '/v1/onboarding',
  summary:
    'Read what an onboarding link opens: the account, its platform, its documents, and where to go from the page',
  returns: [200, Onboarding],
  refuses: [],

  async handle({ caller, em, services }) {
    const session = await em.findOneOrFail(OnboardingSession, { id: caller.onboardingSessionId ?? '' })
    const { accountId, environment } = session
    const account = await em.findOneOrFail(Account, { id: accountId })
    const { profile, documents: all } = await readFile(em, account, environment)
    const slots = slotsOf(profile)
    const documents = slots.flatMap((slot) => newestOf(all, accountId, slot) ?? [])
    const platform = account.ownerId ? await platformOf(em, account.ownerId, environment, services) : null
    return presentOnboarding(session, { slots, documents, platform })
  },
})

/** The platform as the page shows it. */
async function platformOf(em: EntityManager, accountId: string, environment: Environment, { config }: Services) {
  const { displayName, accentColor, logo } = await readSettings(em, { accountId, environment })
  return { name: displayName, accent_color: accentColor, logo_url: logo && `${config.publicUrl}/uploads/${logo}` }
}

export const endOnboarding = operation({
  ...onHostedPage,
  method: 'post',
  path: '/v1/onboarding/end',
  summary: 'End an onboarding link before its hour is over: from then on it opens nothing',
  returns: [200, EndedOnboarding],
  refuses: [],

  async handle({ caller, em, services }) {
    const session = await em.findOneOrFail(OnboardingSession, { id: caller.onboardingSessionId ?? '' })
    const at = await services.clock.now()
    session.expiresAt = new Date(at)
    auditCaller(em, caller, { action: 'account.onboarding_link_ended', target: session.accountId }, at)
    return { account_id: session.accountId, ended: true as const, return_url: session.returnUrl }
  },
})

const Token = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, { $id: 'EndedOnboardingToken' })

export const findRefreshUrl = operation({
  tag: 'Connected accounts',
  auth: ['none'],
  scope: null,
  mode: 'read',
  method: 'post',
  path: '/v1/onboarding/refresh-url',
  summary: 'Find where the seller gets a new onboarding link, by the token of one that has ended',
  body: Token,
  returns: [200, Type.Object({ refresh_url: Type.String() }, { $id: 'RefreshUrl' })],
  refuses: ['NOT_FOUND'],

  async handle({ body: { token }, em, services }) {
    const session = await em.findOne(OnboardingSession, { id: idInToken(token) })
    const isKnown = session !== null && isTokenOf(session.tokenHash, token)
    const hasEnded = isKnown && session.expiresAt.getTime() <= (await services.clock.now())
    if (!hasEnded) throw new Refusal('NOT_FOUND', 'no onboarding link with this token has ended')
    return { refresh_url: session.refreshUrl }
  },
})
