import type { Context } from 'koa'
import { tracedPaths } from '../../domain/sight/traced-paths.ts'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import { missing } from './board-form.ts'
import { notAllowed } from './dashboard-lists.ts'
import type { AnyTimeline } from './timeline.ts'
import { addTimelinePages } from './timeline-pages.ts'

/** The paths of the resources whose ids begin like this one; none if no id does. */
const pathsOf = (id: string): readonly string[] =>
  Object.entries(tracedPaths).find(([prefix]) => id.startsWith(`${prefix}_`))?.[1] ?? []

const unknown: Answer<never> = { ok: false, refused: missing }

/** `/dashboard/timelines`: the timelines of an organization's own resources. */
export function addDashboardTimelines(site: Site): void {
  async function read(ctx: Context, id: string): Promise<Answer<AnyTimeline>> {
    let answer: Answer<AnyTimeline> = unknown
    for (const path of pathsOf(id)) {
      answer = await site.sessions.call<AnyTimeline>(ctx, 'GET', `${path}/${encodeURIComponent(id)}/timeline`)
      if (answer.ok || answer.refused.status !== 404) return answer
    }
    return answer
  }

  const ownPages = {
    payment: 'payments',
    payout: 'payouts',
    payout_destination: 'destinations',
    conversion: 'conversions',
    subscription: 'subscriptions',
    invoice: 'invoices',
    dispute: 'disputes',
    account: 'accounts',
    webhook_delivery: 'webhooks/deliveries',
  }
  addTimelinePages(site, { read, ownPages, forbidden: notAllowed })
}
