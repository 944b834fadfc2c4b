import type { Context } from 'koa'
import type { Static } from 'typebox'
import { deliveryStatuses } from '../../domain/webhook/delivery.ts'
import { eventTypes, testEventId } from '../../domain/webhook/event.ts'
import type { Timeline } from '../../schemas/sight/timeline.ts'
import type { WebhookDeliveryWithBody } from '../../schemas/webhook/delivery.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { isUnread, keyIn, mayDo, newFormKey, noticeIn, refusedForm } from './board-form.ts'
import { type Fact, factsOf, idIn, type Listed, pagesOf, queryOf, showUnlisted, showUnread } from './dashboard-lists.ts'
import type { Shown } from './dashboard-resources.ts'
import { keyAfter } from './edit-form.ts'
import { wordIn } from './list-filter.ts'
import { shownJson, shownText } from './shown-text.ts'
import { shownTimeline } from './timeline.ts'
import { errorName } from './timeline-words.ts'
import { endpointPath, readEndpoint } from './webhook-endpoint.ts'
import {
  conflictWords,
  deliveryRow,
  deliveryStatusNames,
  notSentAgain,
  retriesOf,
  type ShownDelivery,
  type ShownEndpoint,
  titleOf,
} from './webhook-words.ts'

type Whole = Static<typeof WebhookDeliveryWithBody>

/** `/{id}/deliveries`: what was sent to an endpoint. `/deliveries/{id}`: one delivery, its attempts and its bodies. */
export function addDeliveryPages(site: Site, folder: string): void {
  const { home, sessions, read, submit, show } = site
  const path = folder.slice(home.length)
  const common = { isSignedIn: true, at: path }

  read(`${path}/:id/deliveries`, async (ctx) => {
    const filters = { status: wordIn(ctx, 'status', deliveryStatuses), type: wordIn(ctx, 'type', eventTypes) }
    const here = `${folder}/${idIn(ctx)}/deliveries`
    const [endpoint, answer] = await Promise.all([
      sessions.call<ShownEndpoint>(ctx, 'GET', endpointPath(ctx)),
      sessions.call<Listed<ShownDelivery>>(ctx, 'GET', `${endpointPath(ctx)}/deliveries?${queryOf(ctx, filters)}`),
    ])
    if (!endpoint.ok) return showUnread(site, ctx, endpoint.refused)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, here)
    const data = {
      ...common,
      ...filters,
      heading: titleOf(endpoint.body),
      folder: here,
      back: `${folder}/${endpoint.body.endpoint_id}`,
      items: answer.body.items.map((row) => deliveryRow(row, home)),
      pages: pagesOf(here, answer.body.pagination, filters),
      statuses: deliveryStatusNames,
      types: eventTypes,
    }
    show(ctx, pageOf('dashboard/deliveries', 'Deliveries', data))
  })

  const readDelivery = (ctx: Context) => sessions.call<Whole>(ctx, 'GET', `/v1/webhooks/deliveries/${idIn(ctx)}`)

  async function showDelivery(ctx: Context, shown: Shown = {}): Promise<void> {
    const answer = await readDelivery(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    const [timeline, endpoint] = await Promise.all([
      sessions.call<Static<typeof Timeline>>(ctx, 'GET', `/v1/webhooks/deliveries/${row.delivery_id}/timeline`),
      readEndpoint(site, ctx, row.endpoint_id),
    ])
    if (!timeline.ok) return showUnread(site, ctx, timeline.refused)
    if (!endpoint.ok) return showUnread(site, ctx, endpoint.refused)
    const listed = deliveryRow(row, home)
    const data = {
      ...common,
      heading: row.event_type,
      state: { words: listed.status, isLate: listed.isLate, isActive: listed.isActive },
      path: listed.link,
      retries: retriesOf(row),
      isOnHold: timeline.body.waiting_on === 'operator',
      facts: factsOf(deliveryFacts(row, endpoint.body, home)),
      attempts: row.attempts.toReversed().map(shownAttempt),
      sent: row.request_body === null ? null : shownJson(row.request_body),
      timeline: shownTimeline(timeline.body, { home, isForStaff: false }),
      mayResend: mayDo(site, ctx, 'webhooks:write') && isResendable(row) && endpoint.body?.enabled === true,
      formKey: newFormKey(),
      notice: noticeIn(ctx, notices),
      back: endpoint.body && `${folder}/${row.endpoint_id}/deliveries`,
      folder,
    }
    show(ctx, pageOf('dashboard/delivery', 'Delivery', { ...data, ...shown }, shown.status ?? 200))
  }

  read(`${path}/deliveries/:id`, (ctx) => showDelivery(ctx))

  submit(`${path}/deliveries/:id/resend`, async (ctx, form) => {
    const answer = await readDelivery(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const { event_id: event, endpoint_id } = answer.body
    const where = `/v1/webhooks/events/${encodeURIComponent(event)}/resend`
    const sent = await sessions.call<{ deliveries: ShownDelivery[] }>(ctx, 'POST', where, { endpoint_id }, keyIn(form))
    if (sent.ok) return goTo(ctx, `${folder}/deliveries/${sent.body.deliveries[0]?.delivery_id}?done=resent`)
    const { refused } = sent
    // The delivery itself was just read: what is missing is its event, or its endpoint.
    if (refused.status === 404) return showDelivery(ctx, { status: 409, errors: {}, problem: notResent })
    if (isUnread(refused)) return showUnread(site, ctx, refused)
    const result = refusedForm(refused, {}, conflictWords(refused, notSentAgain(refused)))
    await showDelivery(ctx, { ...result, formKey: keyAfter(form, result.status) })
  })
}

const notResent = 'Not sent again: the event is no longer kept, or its endpoint is deleted.'

const notices: Record<string, string> = {
  tested: 'The test event is on its way. Reload this page to see what your receiver answers.',
  resent:
    'Sent again: this is the new delivery, with a single attempt. Reload this page to see what your receiver answers.',
}

/** A test event reports nothing, and is sent again by another test. */
const isResendable = ({ event_id: event }: Whole): boolean => event !== testEventId

function deliveryFacts(row: Whole, endpoint: ShownEndpoint | null, home: string): Fact[] {
  const { trigger, attempts, next } = deliveryRow(row, home)
  const isTest = row.event_id === testEventId
  return [
    ['Id', row.delivery_id],
    ['Event', row.event_id, isTest ? undefined : `${home}/events/${row.event_id}`],
    endpoint
      ? ['Endpoint', titleOf(endpoint), `${home}/webhooks/${row.endpoint_id}`]
      : ['Endpoint', `${row.endpoint_id} (deleted)`],
    ['Sent because of', trigger],
    ['Attempts', attempts],
    ['Next attempt', next],
    ['Created', timeOf(row.created_at)],
    ['Ended', timeOf(row.completed_at)],
  ]
}

function shownAttempt({
  number,
  at,
  response_status: status,
  response_body: body,
  ...rest
}: Whole['attempts'][number]) {
  return {
    number,
    time: timeOf(at),
    answered: status === null ? 'No answer' : `Answered ${status}`,
    duration: `${rest.duration_ms} ms`,
    isFailed: rest.error !== null,
    error: rest.error === null ? null : errorName(rest.error),
    body: body ? shownText(body) : null,
    isCompressed: status !== null && body === null, // such an answer is never expanded, so it is not kept
  }
}
