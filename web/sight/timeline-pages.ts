import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import type { Page } from '../render.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { type AnyTimeline, shownTimeline } from './timeline.ts'
import { kindName } from './timeline-words.ts'

/** How a site reads timelines. */
type Means = {
  isForStaff: boolean
  /** Reads the timeline of a resource, whatever its kind. */
  read: (ctx: Context, id: string) => Promise<Answer<AnyTimeline>>
  /** The folder of the pages of this kind, if the site has such pages: they show the timeline too. */
  ownPages: Partial<Record<AnyTimeline['resource'], string>>
  /** What the page of a resource shows beside its timeline, such as what has become of a form. */
  more?: (ctx: Context) => More
  /** What a user reads whose role does not allow it, if the site has no words for it. */
  forbidden?: string
}

/** The status of a page, and its data beside the timeline. */
type More = (timeline: AnyTimeline) => { status?: number } & Record<string, unknown>

export const lookUpLink = { path: '/timelines', words: 'Look up' }

/**
 * `/timelines`: a form for an id. `/timelines/{id}`: what has happened to that resource, and what it waits for. Returns
 * what shows the latter page, for a form on it that was refused.
 */
export function addTimelinePages(
  { home, sessions, now, read, show, showRefused }: Site,
  means: Means,
): (ctx: Context, more?: More) => Promise<void> {
  async function lookUp(ctx: Context, id: string, found: (timeline: AnyTimeline) => Promise<void> | void) {
    const answer = await means.read(ctx, id)
    if (answer.ok) return found(answer.body)
    const { status } = answer.refused
    if (status === 403 && means.forbidden) return show(ctx, lookUpPage(403, id, means.forbidden))
    // An id that is too long is unknown too.
    if ([400, 404, 422].includes(status)) return show(ctx, lookUpPage(404, id, unknown))
    showRefused(ctx, answer.refused)
  }

  read('/timelines', async (ctx) => {
    const { id } = ctx.query
    if (!sessions.isKept(ctx)) return goTo(ctx, `${home}/login`)
    if (typeof id !== 'string') return show(ctx, lookUpPage(200))
    const typed = id.trim()
    if (typed === '') return show(ctx, lookUpPage(422, '', 'Enter an id.'))
    await lookUp(ctx, typed, ({ resource, resource_id }) =>
      goTo(ctx, `${home}/${means.ownPages[resource] ?? 'timelines'}/${encodeURIComponent(resource_id)}`),
    )
  })

  const showResource = (ctx: Context, more?: More): Promise<void> =>
    lookUp(ctx, (ctx['params'] as { id: string }).id.trim(), async (timeline) =>
      show(ctx, resourcePage(timeline, { home, isForStaff: means.isForStaff, now: await now() }, more)),
    )
  read('/timelines/:id', (ctx) => showResource(ctx, means.more?.(ctx)))
  return showResource
}

const unknown = 'There is nothing with this id. Check that it is complete, or copy it again.'

const lookUpPage = (status: number, typed = '', error?: string): Page =>
  pageOf(
    'sight/look-up',
    'Look up by id',
    { isSignedIn: true, at: lookUpLink.path, typedId: typed, errors: error ? { id: error } : {} },
    status,
  )

function resourcePage(timeline: AnyTimeline, seen: Parameters<typeof shownTimeline>[1], more?: More): Page {
  const forStaff = 'process' in timeline ? timeline : null
  const { status = 200, ...data } = more?.(timeline) ?? {}
  return pageOf(
    'sight/resource',
    kindName(timeline.resource),
    {
      isSignedIn: true,
      at: lookUpLink.path,
      id: timeline.resource_id,
      status: timeline.status.replaceAll('_', ' '),
      merchant: forStaff && `${forStaff.account_id}, ${forStaff.environment}`,
      process: forStaff && forStaff.process,
      timeline: shownTimeline(timeline, seen),
      acting: null,
      amount: null,
      typedId: '',
      ...data,
    },
    status,
  )
}
