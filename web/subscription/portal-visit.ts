import type Router from '@koa/router'
import type { Static } from 'typebox'
import { hourMs } from '../../domain/duration.ts'
import type { Portal } from '../../schemas/subscription/portal.ts'
import type { Refused } from '../api.ts'
import { brandOf } from '../checkout/brand.ts'
import { problem } from '../problems.ts'
import { type Language, readerOf } from '../language.ts'
import {
  createTokenSite,
  goDone,
  type TokenKind,
  type TokenSite,
  type TokenSiteMeans,
  type TokenVisit,
} from '../token-site.ts'
import { webAddress } from '../address.ts'
import { isWord, type WordKey } from '../words/catalogues.ts'

export type Me = Static<typeof Portal>
/** One call of a customer to a page of the portal. */
export type Visit = TokenVisit<Me>
export type PortalSite = TokenSite<Me>

export const home = '/portal'

/** What was done, as the address of the page after a form names it. */
type Done = 'canceled' | 'ended' | 'kept' | 'plan' | 'card' | 'retried' | 'removed' | 'details'

const kind: TokenKind<Me> = {
  home,
  cookie: 'portal_token',
  token: /^(cs_[0-9a-z]{34})_secret_[\w-]{20,100}$/,
  templates: 'portal',
  calls: '/v1/customer-portal',
  reads: 'me',
  keptMs: hourMs,
  languageFor: (ctx, me) => readerOf(ctx, me?.locale ?? null).language,
  noticeOf(what, { say }) {
    const key = `done.${what}`
    return isWord(key) ? say(key) : null
  },
  around: (me, language) => ({
    menu: menuOf(me, language),
    goesBackTo: webAddress(me.return_url),
    ...brandOf(me.merchant),
  }),
}

/**
 * The pages of the portal: reading them, sending their forms, and what is shown where the API refuses. They are in the
 * language of the customer's newest sale if that is one of ours, else in that of the browser.
 */
export const createPortal = (router: Router, means: TokenSiteMeans): PortalSite => createTokenSite(router, means, kind)

/** The links of the menu: what the session does not allow is left out. */
function menuOf({ flow }: Me, { say }: Language): { path: string; words: string }[] {
  const links = [
    { path: '', words: say('portal.subscriptions'), isShown: true },
    { path: '/invoices', words: say('portal.invoices'), isShown: true },
    { path: '/cards', words: say('portal.cards'), isShown: flow === null || flow.type === 'payment_method_update' },
    { path: '/details', words: say('your.details'), isShown: flow === null },
  ]
  return links.filter(({ isShown }) => isShown)
}

/** Goes to a page of the portal after a form, with a notice of what was done. */
export const done = ({ ctx }: Visit, path: string, what: Done): void => goDone(ctx, `${home}${path}`, what)

/** The message above a form that was refused; `conflict` where the state does not allow it any more. */
export function problemOf(language: Language, { code, waitSeconds }: Refused, conflict: WordKey): string {
  if (['CONFLICT', 'NOT_FOUND', 'FORBIDDEN'].includes(code)) return language.say(conflict)
  // The one sale of the portal saves a card alone, which no provider does now. The page that was open may be older.
  if (code === 'CHECKOUT_HAS_NO_PAYMENT_METHOD') return language.say('cards.add.not')
  return problem(language, code, waitSeconds)
}
