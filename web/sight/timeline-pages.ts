import type { Context } from 'koa'
import type { Answer, Refused } from '../api.ts'
import type { Page } from '../render.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { type AnyTimeline, shownTimeline } from './timeline.ts'
import { kindName } from './timeline-words.ts'
import { plainWord } from '../words.ts'

/** How a site reads timelines. */
type Means = {
  /** Reads the timeline of a resource, whatever its kind. */
  read: (ctx: Context, id: string) => Promise<Answer<AnyTimeline>>
  /** The folder of the pages of this kind, if the site has such pages: they show the timeline too. */
  ownPages: Partial<Record<AnyTimeline['resource'], string>>
  /** What a user reads whose role does not allow it. */
  forbidden: string
}

export const lookUpLink = { path: '/timelines', words: 'Look up' }

/** `/timelines`: a form for an id. `/timelines/{id}`: what has happened to that resource, and what it waits for. */
export function addTimelinePages({ home, sessions, read, show, showRefused, goToLogin }: Site, means: Means): void {
  async function lookUp(ctx: Context, id: string, found: (timeline: AnyTimeline) => Promise<void> | void) {
    const answer = await means.read(ctx, id)
    if (answer.ok) return found(answer.body)
    const { status } = answer.refused
    if (status === 403) return show(ctx, lookUpPage(403, id, means.forbidden))
    if (isUnknown(answer.refused)) return show(ctx, lookUpPage(404, id, unknown))
    showRefused(ctx, answer.refused)
  }

  read('/timelines', async (ctx) => {
    const { id } = ctx.query
    if (!sessions.isKept(ctx)) return goToLogin(ctx)
    if (typeof id !== 'string') return show(ctx, lookUpPage(200))
    const typed = id.trim()
    if (typed === '') return show(ctx, lookUpPage(422, '', 'Enter an id.'))
    await lookUp(ctx, typed, ({ resource, resource_id }) =>
      goTo(ctx, `${home}/${means.ownPages[resource] ?? 'timelines'}/${encodeURIComponent(resource_id)}`),
    )
  })

  read('/timelines/:id', (ctx) =>
    lookUp(ctx, (ctx['params'] as { id: string }).id.trim(), (timeline) =>
      show(ctx, resourcePage(timeline, { home, isForStaff: false })),
    ),
  )
}

/** Whether there is no such resource. An id that is too long is unknown too. */
export const isUnknown = ({ status }: Refused): boolean => [400, 404, 422].includes(status)

/** What is said of an id that is of nothing. */
export const unknown = 'There is nothing with this id. Check that it is complete, or copy it again.'

const lookUpPage = (status: number, typed = '', error?: string): Page =>
  pageOf(
    'sight/look-up',
    'Look up by id',
    { isSignedIn: true, at: lookUpLink.path, typedId: typed, errors: error ? { id: error } : {} },
    status,
  )

const resourcePage = (timeline: AnyTimeline, seen: Parameters<typeof shownTimeline>[1]): Page =>
  pageOf('sight/resource', kindName(timeline.resource), {
    isSignedIn: true,
    at: lookUpLink.path,
    id: timeline.resource_id,
    status: plainWord(timeline.status),
    timeline: shownTimeline(timeline, seen),
    typedId: '',
  })
