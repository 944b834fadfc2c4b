import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { ListedReview } from '../../schemas/review.ts'
import { claimOf } from './claim.ts'
import { payeeOf } from './holder.ts'
import { idIn } from './page.ts'
import { endingIn } from './words.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { isolated } from '../isolated.ts'

type Reviews = {
  items: Listed[]
  pagination: { next_cursor: string | null; prev_cursor: string | null }
}
type Listed = Static<typeof ListedReview>
type Counts = { open: number; late: number; claimed_by_me: number; by_type: Record<Listed['type'], number> }
/** Links to lists of the engine's own UI. */
export type Lists = { name: string; url: string }[]

const kinds: Record<Listed['type'], string> = {
  payout_destination: 'Destination',
  payout: 'Payout',
  account: 'Account',
}
const states = ['open', 'decided', 'withdrawn']

/** `/ops/queue`: the start page, with all reviews, how many there are, and claims on them. */
export function addQueuePages(site: Site, lists: Lists): void {
  const { home, sessions, now, read, submit, show, showRefused } = site
  read('/queue', async (ctx) => {
    const filter = filterIn(ctx)
    const order = filter.state === 'open' ? { order: 'due' } : {}
    const query = new URLSearchParams({ ...given(filter), ...order })
    const answers = [
      sessions.call<Reviews>(ctx, 'GET', `/api/v1/admin/reviews?${query}`),
      sessions.call<Counts>(ctx, 'GET', '/api/v1/admin/reviews/counts'),
    ] as const
    const [answer, counts] = await Promise.all(answers)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    if (!counts.ok) return showRefused(ctx, counts.refused)
    const { items, pagination } = answer.body
    const at = await now()
    const pageAt = (cursor: string | null) =>
      cursor && `${home}/queue?${new URLSearchParams(given({ ...filter, cursor }))}`
    show(
      ctx,
      pageOf('ops/queue', 'Reviews', {
        ...filter,
        isSignedIn: true,
        at: '/queue',
        reviews: items.map((review) => shownReview(home, review, at)),
        counts: shownCounts(home, counts.body, filter),
        isFiltered: Object.keys(given({ ...filter, state: '' })).length > 0 || filter.state !== 'open',
        kinds,
        states,
        pages: { previous: pageAt(pagination.prev_cursor), next: pageAt(pagination.next_cursor) },
        lists,
      }),
    )
  })

  submit('/reviews/:id/claim', async (ctx) => {
    const path = `/api/v1/admin/reviews/${idIn(ctx)}/claim`
    const answer = await sessions.call<Listed>(ctx, 'POST', path)
    if (!answer.ok && answer.refused.code !== 'CONFLICT') return showRefused(ctx, answer.refused)
    // If somebody else has claimed it meanwhile, the queue shows that.
    goTo(ctx, answer.ok ? linkOf(home, answer.body) : `${home}/queue`)
  })
}

type Filter = { type: string; state: string; late: string; claimed_by: string; cursor: string }

/** The filters that are set. */
const given = (filter: Filter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))

function filterIn({ query }: Context): Filter {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const [type, state] = [text('type'), text('state')]
  return {
    type: Object.hasOwn(kinds, type) ? type : '',
    state: states.includes(state) ? state : 'open',
    late: text('late') === 'true' ? 'true' : '',
    claimed_by: text('claimed_by') === 'me' ? 'me' : '',
    cursor: text('cursor'),
  }
}

/** How many reviews are open, each number with the filter that shows them. */
function shownCounts(home: string, { open, late, claimed_by_me: mine, by_type: byType }: Counts, filter: Filter) {
  const none: Filter = { type: '', state: 'open', late: '', claimed_by: '', cursor: '' }
  const all = [
    { name: 'All', count: open, set: {} },
    ...(['payout', 'payout_destination', 'account'] as const).map((type) => ({
      name: `${kinds[type]}s`,
      count: byType[type],
      set: { type },
    })),
    { name: 'Late', count: late, set: { late: 'true' } },
    { name: 'Claimed by me', count: mine, set: { claimed_by: 'me' } },
  ]
  const now = new URLSearchParams(given({ ...filter, cursor: '' })).toString()
  return all.map(({ name, count, set }) => {
    const query = new URLSearchParams(given({ ...none, ...set })).toString()
    return { name, count, link: `${home}/queue?${query}`, isCurrent: query === now, isLate: 'late' in set }
  })
}

/** The page on which staff decide a review. */
const linkOf = (home: string, { type, resource_id: id }: Pick<Listed, 'type' | 'resource_id'>) =>
  `${home}/${pages[type]}/${id}`

const outcomes = { approve: 'Approved', reject: 'Rejected', request_information: 'Asked for information' } as const

const pages: Record<Listed['type'], string> = {
  payout: 'payouts',
  payout_destination: 'destinations',
  account: 'accounts',
}

/** How urgent a review is: 0 in time, 1 late, 2 escalated. Late by its own clock, or because the mail is late too. */
function urgencyOf({ state, escalated_at: escalated, reminded_at: reminded, reminds_at: reminds }: Listed, at: number) {
  if (state !== 'open') return 0
  if (escalated) return 2
  return reminded || Date.parse(reminds) < at ? 1 : 0
}

/** A row of the queue. `at` is the present, in ms since the epoch. */
function shownReview(home: string, review: Listed, at: number) {
  const { type, subject } = review
  const urgency = urgencyOf(review, at)
  const due = { 0: review.reminds_at, 1: review.escalates_at, 2: review.escalated_at ?? review.escalates_at }[urgency]
  const amount = type === 'payout' && subject.currency ? money(subject.amount ?? '0', subject.currency) : ''
  return {
    ...review,
    urgency,
    kind: kinds[type],
    // The rest of the link's name, which tells the rows apart where the other columns are not seen.
    title: amount ? ` of ${amount}` : `: ${type === 'account' ? subject.account_holder : nameOf(subject)}`,
    amount: amount || (subject.currency ?? ''),
    link: linkOf(home, review),
    ...(type === 'account' ? { payee: null } : payeeOf(subject, subject.destination_name)),
    due: timeOf(due),
    opened: timeOf(review.created_at),
    decided: timeOf(review.decided_at),
    outcome: review.decision && outcomes[review.decision],
    claimed: timeOf(review.state === 'open' ? (claimOf(review, at)?.at ?? null) : review.claimed_at),
    ending: endingIn(subject.last_four),
  }
}

const nameOf = ({ destination_name: name, currency }: Listed['subject']): string =>
  `${isolated(name ?? '')}, ${currency}`
