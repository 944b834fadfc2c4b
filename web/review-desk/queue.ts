import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { ListedReview } from '../../schemas/payout/review.ts'
import { idIn } from './page.ts'
import { endingIn, timeOf } from './words.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { money } from '../words.ts'

type Reviews = {
  items: Listed[]
  pagination: { next_cursor: string | null; prev_cursor: string | null }
}
type Listed = Static<typeof ListedReview>
/** Links to lists of the engine's own UI. */
export type Lists = { name: string; url: string }[]

const kinds: Record<string, string> = { payout_destination: 'Destination', payout: 'Payout', account: 'Account' }
const states = ['open', 'decided', 'withdrawn']

/** `/ops/queue`: the reviews, and claims on them. */
export function addQueuePages({ home, sessions, read, submit, show, showRefused }: Site, lists: Lists): void {
  read('/queue', async (ctx) => {
    const { type, state, cursor } = filterIn(ctx)
    const query = new URLSearchParams({ state, ...(type && { type }), ...(cursor && { cursor }) })
    const answer = await sessions.call<Reviews>(ctx, 'GET', `/api/v1/admin/reviews?${query}`)
    if (!answer.ok) return showRefused(ctx, answer.refused)
    const { items, pagination } = answer.body
    const shown = items.map((review) => shownReview(home, review)).toSorted(byUrgency)
    const data = { isSignedIn: true, at: '/queue', reviews: shown, type, state, kinds, states, pagination, lists }
    show(ctx, pageOf('ops/queue', 'Queue', data))
  })

  submit('/reviews/:id/claim', async (ctx) => {
    const path = `/api/v1/admin/reviews/${idIn(ctx)}/claim`
    const answer = await sessions.call<Listed>(ctx, 'POST', path)
    if (!answer.ok && answer.refused.code !== 'CONFLICT') return showRefused(ctx, answer.refused)
    // If somebody else has claimed it meanwhile, the queue shows that.
    goTo(ctx, answer.ok ? linkOf(home, answer.body) : `${home}/queue`)
  })
}

function filterIn({ query }: Context): { type: string; state: string; cursor: string } {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const [type, state] = [text('type'), text('state')]
  return {
    type: Object.hasOwn(kinds, type) ? type : '',
    state: states.includes(state) ? state : 'open',
    cursor: text('cursor'),
  }
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

/** A review with its urgency: 0 is in time, 1 is late, 2 has been escalated. */
function shownReview(home: string, review: Listed) {
  const urgency = review.state !== 'open' ? 0 : review.escalated_at ? 2 : review.reminded_at ? 1 : 0
  const due = { 0: review.reminds_at, 1: review.escalates_at, 2: review.escalated_at ?? review.escalates_at }[urgency]
  return {
    ...review,
    urgency,
    link: linkOf(home, review),
    due: timeOf(due),
    opened: timeOf(review.created_at),
    decided: timeOf(review.decided_at),
    outcome: review.decision && outcomes[review.decision],
    claimed: timeOf(review.claimed_at),
    ending: endingIn(review.subject.last_four),
    title: titleOf(review),
  }
}

/** The title of a row, such as `Payout of NGN 1,000.00`. */
function titleOf({
  type,
  subject: { amount, currency, destination_name: name, account_holder: holder },
}: Listed): string {
  if (type === 'account') return `Account: ${holder}`
  return type === 'payout' && currency
    ? `Payout of ${money(amount ?? '0', currency)}`
    : `Destination: ${name}, ${currency}`
}

type Shown = ReturnType<typeof shownReview>
const byUrgency = (left: Shown, right: Shown): number =>
  right.urgency - left.urgency || left.created_at.localeCompare(right.created_at)
