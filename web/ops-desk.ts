import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { DeskCommon } from '../schemas/desk.ts'
import type { Refused } from './api.ts'
import { happening, timeOf } from './ops-words.ts'
import type { Page } from './render.ts'
import { pageOf } from './site.ts'
import { nothingTold, type Told } from './site-words.ts'

/** What a page of the desk says beside the facts: what came of a form, and the reason that was typed into it. */
export type Retold = Partial<Told> & { notice?: string | null; reason?: string }

/** The id in a page's address, as it goes into the address of a call. */
export const idIn = (ctx: Context): string => encodeURIComponent((ctx['params'] as { id: string }).id)

/** Whether the desk itself is shut to whoever asks; any other refusal is told on the page of the resource. */
export const isShut = ({ status }: Refused): boolean => status === 401 || status === 403

/** The decision of a form. What is missing goes as it is: the API says so. */
export function decisionIn(form: URLSearchParams): object {
  const reason = form.get('reason')?.trim()
  const review = form.get('review_id')
  return {
    decision: form.get('decision') ?? '',
    ...(reason && { reason }),
    ...(review && { review_id: review }),
  }
}

/** The page of one resource: its facts that are known, its review, its timeline and its process. */
export function deskPage(
  template: string,
  title: string,
  shown: Static<typeof DeskCommon>,
  retold: Retold,
  data: Record<string, unknown> & { facts: (string | null)[][] },
): Page {
  const { review, timeline, account, environment, process } = shown
  return pageOf(
    template,
    title,
    {
      ...{ isSignedIn: true, reason: '', account, environment, process, ...retold, ...data },
      facts: data.facts.filter(([, value]) => value),
      review: review && {
        ...review,
        ...{ due: timeOf(review.reminds_at), claimed: timeOf(review.claimed_at), isOpen: review.state === 'open' },
      },
      timeline: timeline.map(({ at, what, by, reason }) => ({ time: timeOf(at), words: happening(what), by, reason })),
    },
    retold.status ?? nothingTold.status,
  )
}
