import type { Context } from 'koa'
import type { Refused } from '../api.ts'
import type { Time } from '../language.ts'
import { goTo, pageOf, type Site } from '../site.ts'

// What the lists and the pages of single resources on the dashboard share.

/** A fact of a resource: its name, its value, and where a link leads. One without a value is left out. */
export type Fact = [name: string, value: string | Time | null, link?: string | undefined]

/** Facts as the template reads them: text, or a time. */
export const factsOf = (facts: Fact[]) =>
  facts.flatMap(([name, value, link]) => {
    if (value === null) return []
    return typeof value === 'string' ? { name, text: value, time: null, link } : { name, text: '', time: value, link }
  })

type Pagination = { next_cursor: string | null; prev_cursor: string | null }

/** A list of the API, as far as a page shows it; `note` is what the page says of it. */
export type Listed<T> = { items: T[]; pagination: Pagination; note?: string | null }

export const idIn = (ctx: Context): string => encodeURIComponent((ctx['params'] as { id: string }).id.trim())

/** The filters that are not empty, as pairs of name and value. */
const given = (filters: Record<string, string>) => Object.entries(filters).filter(([, value]) => value !== '')

const perPage = 25

/** The query for the API: these filters, and the cursor in the address of the page. */
export function queryOf({ query }: Context, filters: Record<string, string>): string {
  const { cursor } = query
  const place = typeof cursor === 'string' ? [['cursor', cursor]] : []
  return new URLSearchParams([['limit', String(perPage)], ...given(filters), ...place]).toString()
}

/** The addresses of the newer and the older page; null where there is none. */
export function pagesOf(folder: string, pagination: Pagination, filters: Record<string, string>) {
  const at = (cursor: string | null) =>
    cursor && `${folder}?${new URLSearchParams([...given(filters), ['cursor', cursor]])}`
  return { newer: at(pagination.prev_cursor), older: at(pagination.next_cursor) }
}

/** What somebody reads whose role does not allow a page. */
export const notAllowed = 'Your role does not allow this. Ask an owner or an admin of your organization.'

/** Shows why a list or a resource was not read. An address that names nothing is answered with 404. */
export function showUnread(site: Site, ctx: Context, refused: Refused): void {
  const { show, showRefused, personOf, whyUnknown } = site
  const { status } = refused
  // An id that is too long or misspelt is unknown too.
  if ([400, 404, 422].includes(status))
    return show(ctx, pageOf('site/missing', 'This page does not exist', { isSignedIn: true }, 404))
  if (status !== 403) return showRefused(ctx, refused)
  // A page that asks first whether somebody may open it says no to whoever is not signed in, too.
  if (personOf(ctx) === null) return showRefused(ctx, whyUnknown(ctx))
  show(ctx, pageOf('site/refused', 'That did not work', { problem: notAllowed, isSignedIn: true }, 403))
}

/** Shows why a list was not read. A place in it that does not exist leads to its beginning. */
export function showUnlisted(site: Site, ctx: Context, refused: Refused, folder: string): void {
  const isMisplaced = [400, 422].includes(refused.status) && ctx.querystring !== ''
  if (isMisplaced) goTo(ctx, folder)
  else showUnread(site, ctx, refused)
}
