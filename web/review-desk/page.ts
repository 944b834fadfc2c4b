import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { ReviewDeskCommon } from '../../schemas/payout/review-desk.ts'
import type { StaffTimeline } from '../../schemas/sight/timeline.ts'
import type { Answer, Refused } from '../api.ts'
import { typedText } from '../form.ts'
import type { Page } from '../render.ts'
import { shownTimeline } from '../sight/timeline.ts'
import { pageOf, type Site } from '../site.ts'
import { noFormResult, type FormResult } from '../form-result.ts'
import { timeOf } from '../words.ts'
import { isolated } from '../isolated.ts'
import { claimOf } from './claim.ts'

/** The typed values of a form. */
export type Typed = { decision: string; reason: string; proof_ref: string }

/** The form that was just sent: its result, its name and its typed values. */
export type FormState = Partial<FormResult> & { notice?: string | null; form?: string; typed?: Typed }

export const nothingTyped: Typed = { decision: '', reason: '', proof_ref: '' }

export const typedIn = (form: URLSearchParams): Typed => ({
  decision: form.get('decision') ?? '',
  reason: typedText(form, 'reason'),
  proof_ref: typedText(form, 'proof_ref'),
})

/** A fact: its name, its value and the target of its link. Without a value it is not shown. */
export type Fact = [name: string, value: string | null, link?: string]

export const merchantFact = (account: string, environment: string): Fact => [
  'Merchant',
  `${isolated(account)}, ${environment}`,
]

const givenId = (ctx: Context): string => (ctx['params'] as { id: string }).id

/** The folders of the kinds that have a page of their own. */
const ownPages: Partial<Record<string, string>> = {
  payout: 'payouts',
  payout_destination: 'destinations',
  dispute: 'disputes',
  account: 'accounts',
}

/** The page of a resource: its own, or the one for every kind. */
export const pageOfResource = (home: string, resource: string, id: string): string =>
  `${home}/${ownPages[resource] ?? 'timelines'}/${encodeURIComponent(id)}`

/** The id in a page's address, encoded for the address of a call. */
export const idIn = (ctx: Context): string => encodeURIComponent(givenId(ctx).trim())

/** Whether the user may not use the review desk at all. Other refusals are shown on the page of the resource. */
export const isForbidden = ({ status }: Refused): boolean => status === 401 || status === 403

/** Reads the decision in a form. It is not checked here: the API refuses one that is not complete. */
export function decisionIn(form: URLSearchParams): object {
  const { decision, reason } = typedIn(form)
  const review = form.get('review_id')
  return { decision, ...(reason && { reason }), ...(review && { review_id: review }) }
}

/** What has happened to a resource, what it waits for, and what staff can do. */
export type Overview = Static<typeof StaffTimeline>
/** That, as it is and as the page shows it. `at` is the present, in ms since the epoch. */
export type Sight = { timeline: ReturnType<typeof shownTimeline>; overview: Overview; at: number }

/** Reads the timeline of any resource; that of the page's own if no id is named. */
export const readTimeline = ({ sessions }: Site, ctx: Context, id = givenId(ctx)): Promise<Answer<Overview>> =>
  sessions.call<Overview>(ctx, 'GET', `/api/v1/admin/timelines/${encodeURIComponent(id.trim())}`)

/** Reads the resource of a page at this path of the API, and its timeline. */
export async function readResource<T>(site: Site, ctx: Context, path: string): Promise<Answer<T & Sight>> {
  const calls = [site.sessions.call<T>(ctx, 'GET', path), readTimeline(site, ctx)] as const
  const [answer, overview] = await Promise.all(calls)
  if (!answer.ok) return answer
  if (!overview.ok) return overview
  const timeline = shownTimeline(overview.body, { home: site.home, isForStaff: true })
  return { ok: true, body: { ...answer.body, timeline, overview: overview.body, at: await site.now() } }
}

/** The page of one resource: its known facts, its review, its timeline and its process. */
export function reviewDeskPage(
  template: string,
  title: string,
  shown: Static<typeof ReviewDeskCommon> & Sight,
  formState: FormState,
  data: Record<string, unknown> & { facts: Fact[] },
): Page {
  const { review, people, timeline, account, environment, overview, at } = shown
  const claim = review && claimOf(review, at)
  return pageOf(
    template,
    title,
    {
      isSignedIn: true,
      form: '',
      typed: nothingTyped,
      process: overview.process,
      auditOf: overview.resource_id,
      helps: null,
      timeline,
      ...formState,
      ...data,
      facts: [merchantFact(account.name, environment), ...data.facts].filter(([, value]) => value),
      review: review && {
        ...review,
        claimer: claim && (people[claim.by] ?? null),
        isOpen: review.state === 'open',
        due: timeOf(review.reminds_at),
        claimed: timeOf(claim && claim.at),
      },
    },
    formState.status ?? noFormResult.status,
  )
}
