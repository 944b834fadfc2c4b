import Router from '@koa/router'
import type { Context } from 'koa'

/** The name of the page that somebody asked for before the login: in addresses, and as a hidden field. */
export const askedName = 'next'
const charactersMax = 2_000

export type AskedPages = ReturnType<typeof createAskedPages>

/** The pages of a site that a login may lead to. A login must never lead to another site, nor to what is no page. */
export function createAskedPages(home: string) {
  const pages = new Router() // it only knows their paths

  /** The address if it is that of such a page, with its query; null for any other text. */
  function pageAt(text: unknown): string | null {
    if (typeof text !== 'string' || text.length > charactersMax) return null
    const url = URL.parse(text, 'http://host.invalid')
    // `//host`, `/\host` and `/dashboard/../x` are not what they look like, so the parser changes them.
    if (url === null || url.pathname + url.search !== text) return null
    return pages.match(url.pathname, 'GET').route ? text : null
  }

  return {
    add: (path: string): void => void pages.get(home + path, () => undefined),
    pageAt,
    /** The page that was asked for, by a form of the login or by its address. */
    askedIn: (ctx: Context, form?: URLSearchParams): string | null =>
      pageAt(form ? form.get(askedName) : ctx.query[askedName]),
  }
}

/** An address of a site's login that keeps the page that was asked for. */
export function loginAddress(path: string, asked: string | null, query: Record<string, string> = {}): string {
  const search = new URLSearchParams({ ...query, ...(asked !== null && { [askedName]: asked }) }).toString()
  return search === '' ? path : `${path}?${search}`
}
