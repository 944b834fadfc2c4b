import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { AuditEntry } from '../../schemas/sight/audit.ts'
import { pageOf, type Site } from '../site.ts'
import { dayMs, isDay } from '../../domain/duration.ts'
import { plainWord, timeOf } from '../words.ts'

type Entry = Static<typeof AuditEntry>
type LogPage = { items: Entry[]; next_cursor: string | null }

/** The filters that are texts, as the page names them. */
const fields = [
  { name: 'user', label: 'Person', hint: 'Email or usr_…' },
  { name: 'account_id', label: 'Account', hint: 'acct_…' },
  { name: 'action', label: 'Action', hint: 'payout.approved' },
  { name: 'target', label: 'Resource', hint: 'Any id' },
]
const days = ['from', 'until']
type Filter = Record<string, string>

/** `/ops/audit`: who did what, when, to which resource, for which reason. */
export function addAuditPage({ home, sessions, read, show, showRefused }: Site): void {
  read('/audit', async (ctx) => {
    const filter = filterIn(ctx)
    const { cursor } = ctx.query
    const place = typeof cursor === 'string' && cursor ? { cursor } : {}
    const query = new URLSearchParams({ ...askedFor(filter), ...place })
    const answer = await sessions.call<LogPage>(ctx, 'GET', `/api/v1/admin/audit-entries?${query}`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { items, next_cursor: next } = answer.body
    const pageAt = (more: Filter) => `${home}/audit?${new URLSearchParams({ ...filter, ...more })}`
    show(
      ctx,
      pageOf('ops/audit', 'Audit log', {
        isSignedIn: true,
        at: '/audit',
        fields,
        filter,
        isFiltered: Object.keys(filter).length > 0,
        entries: items.map((entry) => shownEntry(home, entry)),
        pages: { first: 'cursor' in place ? pageAt({}) : null, next: next && pageAt({ cursor: next }) },
      }),
    )
  })
}

/** The filters that are set. A day that is none is left out. */
function filterIn({ query }: Context): Filter {
  const names = [...fields.map(({ name }) => name), ...days]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name]
      const text = typeof value === 'string' ? value.trim().slice(0, 255) : ''
      return text && (!days.includes(name) || isDay(text)) ? [[name, text]] : []
    }),
  )
}

/** The same for the API, which takes moments: the days are those of UTC, and the last one is a whole one. */
function askedFor({ from, until, action, ...rest }: Filter): Filter {
  return {
    ...rest,
    ...(action && { action: action.slice(0, 64) }),
    ...(from && { from: new Date(from).toISOString() }),
    ...(until && { until: new Date(Date.parse(until) + dayMs).toISOString() }),
  }
}

/** Logins, tokens, mails and calls have no page. */
const hasNoPage = /^(ses|chal|cs|os|mail|call)_/

function shownEntry(home: string, entry: Entry) {
  const only = (filter: Filter) => `${home}/audit?${new URLSearchParams(filter)}`
  const [noun = '', deed = ''] = entry.action.split('.').map(plainWord)
  return {
    ...entry,
    time: timeOf(entry.at),
    words: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${deed}`,
    from: entry.address === 'process' ? 'carried out' : entry.address,
    page:
      entry.target && !hasNoPage.test(entry.target) ? `${home}/timelines/${encodeURIComponent(entry.target)}` : null,
    ofUser: entry.user_id && only({ user: entry.user_id }),
    ofAction: only({ action: entry.action }),
    ofAccount: entry.account_id && only({ account_id: entry.account_id }),
  }
}
