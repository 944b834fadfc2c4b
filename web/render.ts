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
  /** Everybody sees the same page, and search engines may list it. */
  isPublic?: boolean
}

/** Long enough to read a receipt. */
const goesOnAfterSeconds = 15

// `form-action` also applies to redirects after a form, so no form is answered with a redirect to another site.
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Renders all pages: the template and the headers, which forbid other hosts and caching. */
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
      isPublic = false,
      language = english,
    } = page
    ctx.set({
      'Content-Security-Policy': policy,
      'Cache-Control': isPublic ? 'public, max-age=300' : 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
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
      goesOnAfterSeconds,
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
