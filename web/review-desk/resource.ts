import type { Context } from 'koa'
import type { Site } from '../site.ts'
import type { AnyTimeline } from '../sight/timeline.ts'
import { addTimelinePages } from '../sight/timeline-pages.ts'
import { actionNotice, addActions, amountOf, factsOfAny, shownActions } from './actions.ts'
import { type FormState, nothingTyped, readTimeline } from './page.ts'

/** `/ops/timelines/{id}`: any resource, with its timeline and the actions of staff. */
export function addResourcePages(site: Site): void {
  const { home } = site
  const showResource = addTimelinePages(site, {
    isForStaff: true,
    read: (ctx, id) => readTimeline(site, ctx, id),
    ownPages: {
      payout: 'payouts',
      payout_destination: 'destinations',
      dispute: 'disputes',
      account: 'accounts',
    },
    more: (ctx) => (timeline) => shownBeside(home, timeline, { notice: actionNotice(ctx, timeline.resource) }),
  })
  addActions(site, {
    folder: 'timelines',
    show: (ctx: Context, formState) => showResource(ctx, (timeline) => shownBeside(home, timeline, formState)),
    factsOf: async (_ctx, told) => ({ ok: true, body: factsOfAny(told) }),
  })
}

/** What the page shows beside the timeline: the amount, the actions, and what has become of the form before. */
function shownBeside(home: string, timeline: AnyTimeline, formState: FormState) {
  if (!('process' in timeline)) return {}
  const path = `${home}/timelines/${encodeURIComponent(timeline.resource_id)}`
  return {
    form: '',
    typed: nothingTyped,
    ...formState,
    amount: amountOf(timeline),
    acting: shownActions(timeline, path, formState),
  }
}
