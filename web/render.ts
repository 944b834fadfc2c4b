import { join } from 'node:path'
import { Eta } from 'eta'
import type { Context } from 'koa'
import type { Assets } from './asset.ts'
import { english, type Language } from './language.ts'
import { moment, money } from './words.ts'

/** One page: its template and its data. The templates escape texts. */
export type Page = {
  template: string
  status: number
  title: string
  /** The data for the template, in addition to that of every page. */
  data: object
  /**
   * The language of a page for buyers, which depends on their browser and writes amounts with symbols; the other pages
   * are in English.
   */
  language?: Language
  /** The page polls this often; null if it does not. */
  pollSeconds?: number | null
  /** The seconds after which the page checks whether its session has expired; null if nothing expires. */
  expiresInSeconds?: number | null
  /** The absolute http(s) address to which the browser is sent automatically. */
  goesTo?: string | null
  /** Whether `goesTo` is a next step, to which the browser is sent without a pause. */
  goesAtOnce?: boolean
  /** The page `holds` a frame of ours with the field of a card provider, or it `is` that frame. */
  cardField?: 'holds' | 'is'
  /**
   * Shown as the answer to a form, the page stays in the history: whoever goes back to it sees it, and not the question
   * of the browser whether to send the form again. For pages that hold no secret.
   */
  staysInHistory?: boolean
  /** Everybody sees the same page, and search engines may list it. */
  isPublic?: boolean
}

/** Long enough to read a receipt. */
const goesOnAfterSeconds = 15

// `form-action` also applies to redirects after a form, so no form is answered with a redirect to another site.
const own = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]
/** What is different in the frame: it has what Stripe's script needs (docs.stripe.com/security/guide). */
const ofStripe: Record<string, string> = {
  "script-src 'self'": "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
  "connect-src 'self'": 'connect-src https://api.stripe.com',
  "frame-ancestors 'none'":
    "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; frame-ancestors 'self'",
}
const policies = {
  none: own.join('; '),
  holds: [...own, "frame-src 'self'"].join('; '),
  is: own.map((directive) => ofStripe[directive] ?? directive).join('; '),
}

/**
 * Renders all pages: the template and the headers, which forbid other hosts, and caching except of public pages
 * and of the steps of a form. Only the frame with the field
 * of a card provider loads something from another host.
 */
export function createRender(assets: Assets) {
  const eta = new Eta({ views: join(import.meta.dirname, 'templates'), cache: true })
  return (ctx: Context, page: Page): void => {
    const {
      template,
      status,
      title,
      data,
      pollSeconds = null,
      expiresInSeconds = null,
      goesTo = null,
      goesAtOnce = false,
      cardField,
      isPublic = false,
      staysInHistory = false,
      language = english,
    } = page
    ctx.set({
      'Content-Security-Policy': policies[cardField ?? 'none'],
      'Cache-Control': isPublic
        ? 'public, max-age=300'
        : staysInHistory && ctx.method === 'POST'
          ? 'private, no-cache'
          : 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': cardField === 'is' ? 'SAMEORIGIN' : 'DENY',
      ...(!isPublic && { 'X-Robots-Tag': 'noindex, nofollow' }),
    })
    ctx.set('Content-Language', language.code)
    if (page.language) ctx.vary('Accept-Language')
    ctx.status = status
    ctx.type = 'text/html'
    ctx.body = eta.render(template, {
      ...data,
      title,
      assets,
      pollSeconds,
      expiresInSeconds,
      goesTo,
      goesOnAfterSeconds: goesAtOnce ? 0 : goesOnAfterSeconds,
      goesAtOnce,
      cardField,
      template,
      lang: language.code,
      say: language.say,
      html: language.html,
      codedMoney: language.codedMoney,
      money: page.language?.money ?? money,
      scriptWords: JSON.stringify(language.script),
      moment,
    })
  }
}

export type Render = ReturnType<typeof createRender>
