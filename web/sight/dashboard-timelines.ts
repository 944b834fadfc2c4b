import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import type { AnyTimeline } from './timeline.ts'
import { addTimelinePages } from './timeline-pages.ts'

/** Where the API reads the timelines of ids with this prefix. Payments and payouts share one. */
const foldersOf = new Map([
  ['chk', ['checkout-sessions']],
  ['pay', ['payments', 'payouts']],
  ['ref', ['refunds']],
  ['pd', ['payouts/destinations']],
  ['cnv', ['conversions']],
  ['dlv', ['webhooks/deliveries']],
])

const unknown: Answer<never> = {
  ok: false,
  refused: { status: 404, code: 'NOT_FOUND', errors: [], waitSeconds: null },
}

const forbidden = 'Your role does not allow this. Ask an owner or an admin of your organization.'

/** `/dashboard/timelines`: the timelines of an organization's own resources. */
export function addDashboardTimelines(site: Site): void {
  async function read(ctx: Context, id: string): Promise<Answer<AnyTimeline>> {
    let answer: Answer<AnyTimeline> = unknown
    for (const folder of foldersOf.get(id.split('_')[0] ?? '') ?? []) {
      answer = await site.sessions.call<AnyTimeline>(ctx, 'GET', `/v1/${folder}/${encodeURIComponent(id)}/timeline`)
      if (answer.ok || answer.refused.status !== 404) return answer
    }
    return answer
  }

  addTimelinePages(site, { isForStaff: false, read, ownPages: {}, forbidden })
}
