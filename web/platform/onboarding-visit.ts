import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Static } from 'typebox'
import { dayMs } from '../../domain/duration.ts'
import type { Account } from '../../schemas/platform/account.ts'
import type { Onboarding } from '../../schemas/platform/onboarding.ts'
import type { Person } from '../../schemas/platform/person.ts'
import type { Refused } from '../api.ts'
import { goTo } from '../site.ts'
import { createTokenSite, type TokenSite, type TokenSiteMeans, type TokenVisit } from '../token-site.ts'
import { uploadPath, webAddress } from '../address.ts'
import { problem } from '../words.ts'

export type Me = Static<typeof Onboarding>
export type SellerAccount = Static<typeof Account>
export type SellerPerson = Static<typeof Person>
/** One call of a seller to a page. */
export type Visit = TokenVisit<Me>
export type OnboardingSite = TokenSite<Me>

export const home = '/onboarding'

const notices = new Map([
  ['saved', 'Saved.'],
  ['uploaded', 'The file has arrived.'],
  ['removed', 'The person was removed.'],
  ['submitted', 'Your details have been sent.'],
])

/** What the pages show: the account, its persons, and what the link opens. */
export type Seller = { me: Me; account: SellerAccount; persons: SellerPerson[] }

/** The hosted onboarding pages: reading them, sending their forms, and where a link leads that has ended. */
export function createOnboardingSite(router: Router, means: TokenSiteMeans): OnboardingSite {
  return createTokenSite<Me>(router, means, {
    home,
    cookie: 'onboarding_token',
    token: /^(os_[0-9a-z]{34})_secret_[\w-]{20,100}$/,
    templates: 'onboarding',
    calls: '/v1',
    reads: 'onboarding',
    keptMs: dayMs, // longer than it works: a page that is still open leads to where a new link is made
    noticeOf: (what) => notices.get(what) ?? null,
    around: (me) => ({
      platform: me.platform?.name ?? 'steadypay',
      accent: me.platform?.accent_color ?? null,
      logo: me.platform?.logo_url ? uploadPath(me.platform.logo_url) : null,
      goesBackTo: webAddress(me.return_url),
    }),
    end: (ctx, token) => goForNewLink(ctx, means, token),
  })
}

/**
 * Leads from a link that has ended to where the seller gets a new one. A form is not redirected to another site,
 * because the browser forbids that: the page then has a link.
 */
async function goForNewLink(ctx: Context, { api, callFor, render }: TokenSiteMeans, token: string): Promise<boolean> {
  const headers = { ...callFor(ctx), 'x-request-id': String(ctx.state['requestId']) }
  const call = { secret: null, headers, body: { token } }
  const answer = await api.call<{ refresh_url: string }>('POST', '/v1/onboarding/refresh-url', call)
  const refreshUrl = answer.ok ? webAddress(answer.body.refresh_url) : null
  if (!refreshUrl) return false
  if (ctx.method !== 'POST') {
    goTo(ctx, refreshUrl)
    ctx.set('Referrer-Policy', 'no-referrer')
    return true
  }
  const data = { me: null, words: null, refreshUrl }
  render(ctx, { template: 'onboarding/refused', status: 410, title: 'This page has expired', data })
  return true
}

/** The account and its persons. If the API refuses, the page says so, and this is null. */
export async function readSeller({ showRefused }: OnboardingSite, visit: Visit): Promise<Seller | null> {
  const { me, ctx } = visit
  const path = `accounts/${me.account_id}`
  const [account, persons] = await Promise.all([
    visit.call<SellerAccount>('GET', path),
    visit.call<{ items: SellerPerson[] }>('GET', `${path}/persons?limit=100`),
  ])
  if (!account.ok) return showRefused(ctx, account.refused)
  if (!persons.ok) return showRefused(ctx, persons.refused)
  return { me, account: account.body, persons: persons.body.items.toReversed() }
}

export const representativeOf = ({ persons }: Seller): SellerPerson | null =>
  persons.find(({ roles }) => roles.includes('representative')) ?? null

export const nameOfPerson = ({ first_name: first, last_name: last }: SellerPerson): string =>
  [first, last].filter(Boolean).join(' ') || 'A person without a name'

/** The message above a form that was refused for another reason than its fields. */
export const problemOf = ({ code, waitSeconds }: Refused): string =>
  code === 'CONFLICT' || code === 'NOT_FOUND' || code === 'FORBIDDEN'
    ? 'That’s no longer possible. This is how your details stand now.'
    : code === 'VALIDATION_ERROR'
      ? 'Please correct the following.'
      : problem(code, waitSeconds)
