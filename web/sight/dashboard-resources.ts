import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { Timeline } from '../../schemas/sight/timeline.ts'
import type { Answer } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { pageOf, type Site } from '../site.ts'
import { type Fact, factsOf, idIn, type Listed, pagesOf, queryOf, showUnlisted, showUnread } from './dashboard-lists.ts'
import { shownTimeline } from './timeline.ts'

/** The status that the address of a list asks for, and further filters. An empty one is not asked for. */
export type Filters = { status: string } & Record<string, string>

/**
 * A kind of resource on the dashboard: how it is read, and what its pages show. Where a list leaves out a part of its
 * rows, `Item` is a row without it.
 */
export type ResourceKind<Row extends Item, Item> = {
  /** The folder of its pages, and its name in the header. */
  link: { path: string; words: string }
  /** The title of the page of one, such as `Invoice`. */
  one: string
  /** The API's collection, such as `/v1/invoices`. */
  collection: string
  templates: { list: string; one: string }
  /** The statuses by which the list can be filtered, in words. */
  statuses: Record<string, string>
  filtersIn: (ctx: Context) => Filters
  /** What the page of the list shows beside it. */
  besideList?: object
  /** Reads the list, if not by these filters alone. */
  list?: (ctx: Context, filters: Filters) => Promise<Answer<Listed<Item>>>
  /** False for a kind of which the API has no timeline. */
  hasTimeline?: false
  idOf: (row: Item) => string
  /** An item of the list. Its title is also the heading of the page of one. */
  itemOf: (row: Item, now: number) => { title: string }
  factsOf: (row: Row) => Fact[]
  /** What the page of one shows beside its facts and its timeline, at the time of its timeline if it has one. */
  more: (ctx: Context, row: Row, shown: Shown, now: number) => Promise<Answer<object>>
}

/** Data of a page in place of its usual ones, such as what has become of a form. */
export type Shown = Partial<FormResult> & Record<string, unknown>

/**
 * The pages of one kind of resource: the list `/dashboard/{folder}` with its filters and pages, and `/{id}` with facts
 * and timeline. Returns what shows the latter again, for a form on it.
 */
export function addResourceFolder<Row extends Item, Item = Row>(
  site: Site,
  kind: ResourceKind<Row, Item>,
): (ctx: Context, shown?: Shown) => Promise<void> {
  const { home, sessions, now, read, show } = site
  const { link, collection, templates, statuses } = kind
  const folder = `${home}${link.path}`
  const common = { isSignedIn: true, at: link.path, folder }

  const list = (ctx: Context, filters: Filters): Promise<Answer<Listed<Item>>> =>
    sessions.call(ctx, 'GET', `${collection}?${queryOf(ctx, filters)}`)

  read(link.path, async (ctx) => {
    const filters = kind.filtersIn(ctx)
    const answer = await (kind.list ?? list)(ctx, filters)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const at = await now()
    const { note = null } = answer.body
    const items = answer.body.items.map((row) => ({ ...kind.itemOf(row, at), link: `${folder}/${kind.idOf(row)}` }))
    const pages = pagesOf(folder, answer.body.pagination, filters)
    show(
      ctx,
      pageOf(templates.list, link.words, { ...common, items, note, ...filters, statuses, pages, ...kind.besideList }),
    )
  })

  async function showOne(ctx: Context, shown: Shown = {}): Promise<void> {
    const path = `${collection}/${idIn(ctx)}`
    const answer = await sessions.call<Row>(ctx, 'GET', path)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    const hasTimeline = kind.hasTimeline !== false
    const timeline = hasTimeline ? await sessions.call<Static<typeof Timeline>>(ctx, 'GET', `${path}/timeline`) : null
    if (timeline?.ok === false) return showUnread(site, ctx, timeline.refused)
    const at = timeline ? Date.parse(timeline.body.as_of) : await now()
    const more = await kind.more(ctx, row, shown, at)
    if (!more.ok) return showUnread(site, ctx, more.refused)
    const data = {
      ...common,
      heading: kind.itemOf(row, at).title,
      back: { link: folder, words: `All ${link.words.toLowerCase()}` },
      facts: factsOf(kind.factsOf(row)),
      timeline: timeline && shownTimeline(timeline.body, { home, isForStaff: false }),
      ...more.body,
      ...shown,
    }
    show(ctx, pageOf(templates.one, kind.one, data, shown.status ?? 200))
  }
  read(`${link.path}/:id`, (ctx) => showOne(ctx))
  return showOne
}

/** What is shown beside the facts and the timeline, where it needs no call of its own. */
export const also = (data: object): Promise<Answer<object>> => Promise.resolve({ ok: true, body: data })
