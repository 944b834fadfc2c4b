import type { Context } from 'koa'
import type { Lists } from './queue.ts'
import { endingIn, timeOf } from './words.ts'
import { pageOf, type Site } from '../site.ts'
import { money } from '../words.ts'

/** An answer of `GET /api/v1/admin/stuck`, as far as the page shows it. */
type Stuck = { total: number; items: Item[] }
type Item = {
  resource: string
  id: string
  amount: string
  currency: string
  since: string
  destination: { last_four: string | null } | null
}

const kinds: Record<string, string> = {
  payout: 'Payout',
  refund: 'Refund',
  conversion: 'Conversion',
  deposit: 'Deposit',
  payment: 'Payment',
}
const perPage = 50

/** `/ops/stuck`: whatever its rail has not confirmed for over an hour, the longest wait first. */
export function addStuckPage({ home, sessions, read, show, showRefused }: Site, lists: Lists): void {
  read('/stuck', async (ctx) => {
    const { resource, offset } = filterIn(ctx)
    const query = new URLSearchParams({ limit: `${perPage}`, offset: `${offset}`, ...(resource && { resource }) })
    const answer = await sessions.call<Stuck>(ctx, 'GET', `/api/v1/admin/stuck?${query}`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { total, items } = answer.body
    const pageAt = (from: number) => `${home}/stuck?${new URLSearchParams({ resource, offset: `${from}` })}`
    const pages = {
      previous: offset > 0 ? pageAt(Math.max(0, offset - perPage)) : null,
      next: offset + perPage < total ? pageAt(offset + perPage) : null,
    }
    const shown = items.map((item) => shownItem(home, item))
    show(
      ctx,
      pageOf('ops/stuck', 'Stuck', { isSignedIn: true, at: '/stuck', items: shown, resource, kinds, pages, lists }),
    )
  })
}

function filterIn({ query }: Context): { resource: string; offset: number } {
  const { resource, offset } = query
  return {
    resource: typeof resource === 'string' && Object.hasOwn(kinds, resource) ? resource : '',
    offset: /^\d{1,8}$/.test(String(offset)) ? Number(offset) : 0,
  }
}

const shownItem = (home: string, item: Item) => ({
  ...item,
  title: `${kinds[item.resource]} of ${money(item.amount, item.currency)}`,
  link: `${home}/${item.resource === 'payout' ? 'payouts' : 'timelines'}/${item.id}`,
  since: timeOf(item.since),
  ending: endingIn(item.destination?.last_four ?? null),
})
