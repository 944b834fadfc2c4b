import type Router from '@koa/router'
import type { Static } from 'typebox'
import type { Portal } from '../../schemas/subscription/portal.ts'
import type { Refused } from '../api.ts'
import {
  createTokenSite,
  goDone,
  logoPath,
  type TokenKind,
  type TokenSite,
  type TokenSiteMeans,
  type TokenVisit,
  webAddress,
} from '../token-site.ts'
import { problem } from '../words.ts'

export type Me = Static<typeof Portal>
/** One call of a customer to a page of the portal. */
export type Visit = TokenVisit<Me>
export type PortalSite = TokenSite<Me>

export const home = '/portal'

const kind: TokenKind<Me> = {
  home,
  cookie: 'portal_token',
  token: /^(cs_[0-9a-z]{34})_secret_[\w-]{20,100}$/,
  templates: 'portal',
  calls: '/v1/customer-portal',
  reads: 'me',
  keptMs: 3_600_000,
  notices: {
    canceled: 'Your subscription is canceled. You can use it until its end.',
    kept: 'Your subscription goes on.',
    plan: 'Your plan is changed.',
    card: 'Your card is changed.',
    retried: 'Your card is being charged now. This may take a moment.',
    removed: 'The card is removed.',
    details: 'Your details are saved.',
  },
  around: (me) => ({
    menu: menuOf(me),
    goesBackTo: webAddress(me.return_url),
    logo: logoPath(me.merchant.logo_url),
  }),
}

/** The pages of the portal: reading them, sending their forms, and what is shown where the API refuses. */
export const createPortal = (router: Router, means: TokenSiteMeans): PortalSite => createTokenSite(router, means, kind)

/** The links of the menu: what the session does not allow is left out. */
function menuOf({ flow }: Me): { path: string; words: string }[] {
  const links = [
    { path: '', words: 'Subscriptions', isShown: true },
    { path: '/invoices', words: 'Invoices', isShown: true },
    { path: '/cards', words: 'Cards', isShown: flow === null || flow.type === 'payment_method_update' },
    { path: '/details', words: 'Your details', isShown: flow === null },
  ]
  return links.filter(({ isShown }) => isShown)
}

/** Goes to a page of the portal after a form, with a notice of what was done. */
export const done = ({ ctx }: Visit, path: string, what: string): void => goDone(ctx, `${home}${path}`, what)

/** The message above a form that was refused; `conflict` where the state does not allow it any more. */
export const problemOf = ({ code, waitSeconds }: Refused, conflict: string): string =>
  code === 'CONFLICT' || code === 'NOT_FOUND' || code === 'FORBIDDEN' ? conflict : problem(code, waitSeconds)
