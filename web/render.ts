import { join } from 'node:path'
import { Eta } from 'eta'
import type { Context } from 'koa'
import type { Assets } from './asset.ts'
import { money } from './words.ts'

/** One page: its template and what it shows. Texts are escaped by the templates. */
export type Page = {
  template: string
  status: number
  title: string
  /** What the template reads, beside what every page has. */
  data: object
  /** The page looks for news this often; null where there is none to expect. */
  pollSeconds?: number | null
  /** After how many seconds the page looks whether its session has expired; null where nothing expires. */
  expiresInSeconds?: number | null
  /** Where the browser goes next by itself; an absolute http(s) address. */
  goesTo?: string | null
}

/** Long enough to read a receipt. */
const goesOnAfterSeconds = 15

// `form-action` covers redirects that follow a form too, so no form is ever answered with one to another site.
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

/** The one place that writes a page: template, headers, nothing from outside and nothing kept. */
export function createRender(assets: Assets) {
  const eta = new Eta({ views: join(import.meta.dirname, 'templates'), cache: true })
  return (ctx: Context, page: Page): void => {
    const { template, status, title, data, pollSeconds = null, expiresInSeconds = null, goesTo = null } = page
    ctx.set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      'X-Robots-Tag': 'noindex, nofollow',
    })
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
      money,
    })
  }
}

export type Render = ReturnType<typeof createRender>
