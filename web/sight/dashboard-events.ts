import type { Context } from 'koa'
import type { Static } from 'typebox'
import { tracedPaths } from '../../domain/sight/traced-paths.ts'
import { shownDeliveriesMax } from '../../domain/webhook/delivery.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import type { WebhookEvent } from '../../schemas/webhook/event.ts'
import type { Answer } from '../api.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { isUnread, keyIn, mayDo, newFormKey, noticeIn, refusedForm } from './board-form.ts'
import { type Fact, factsOf, idIn, type Listed, pagesOf, queryOf, showUnlisted, showUnread } from './dashboard-lists.ts'
import type { Shown } from './dashboard-resources.ts'
import { keyAfter } from './edit-form.ts'
import { textIn, wordIn } from './list-filter.ts'
import { shownJson } from './shown-text.ts'
import { readEndpoint } from './webhook-endpoint.ts'
import {
  conflictWords,
  deliveryRow,
  notSentAgain,
  type ShownDelivery,
  type ShownEndpoint,
  titleOf,
  typeWords,
} from './webhook-words.ts'

type ListedEvent = Static<typeof WebhookEvent>
type EventWithDeliveries = ListedEvent & { deliveries: ShownDelivery[] }

export const eventsLink = { path: '/events', words: 'Events' }

const resourceMax = 64

/** `/dashboard/events`: what has happened, also what was sent nowhere; each with its payload and its deliveries. */
export function addEventPages(site: Site): void {
  const { home, sessions, read, submit, show } = site
  const folder = `${home}${eventsLink.path}`
  const common = { isSignedIn: true, at: eventsLink.path, folder }
  const apiPath = (ctx: Context) => `/v1/webhooks/events/${idIn(ctx)}`

  read(eventsLink.path, async (ctx) => {
    const filters = {
      type: wordIn(ctx, 'type', eventTypes),
      resource_id: textIn(ctx, 'resource_id').slice(0, resourceMax),
    }
    const answer = await sessions.call<Listed<ListedEvent>>(ctx, 'GET', `/v1/webhooks/events?${queryOf(ctx, filters)}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const data = {
      ...common,
      ...filters,
      items: answer.body.items.map((row) => shownRow(row, folder)),
      pages: pagesOf(folder, answer.body.pagination, filters),
      types: eventTypes,
    }
    show(ctx, pageOf('dashboard/events', eventsLink.words, data))
  })

  async function showEvent(ctx: Context, shown: Shown = {}): Promise<void> {
    const [answer, endpoints] = await Promise.all([
      sessions.call<EventWithDeliveries>(ctx, 'GET', apiPath(ctx)),
      sessions.call<Listed<ShownEndpoint>>(ctx, 'GET', '/v1/webhooks/endpoints?limit=100'),
    ])
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    if (!endpoints.ok) return showUnread(site, ctx, endpoints.refused)
    const { id, type, created_at, account_id, data: payload, deliveries } = answer.body
    const sent = { id, type, created_at, ...(account_id !== undefined && { account_id }), data: payload }
    const listed = endpoints.body.items
    const names = await readNames(site, ctx, deliveries, listed)
    if (!names.ok) return showUnread(site, ctx, names.refused)
    const data = {
      ...common,
      heading: type,
      path: `${folder}/${id}`,
      facts: factsOf(eventFacts(answer.body, home)),
      payload: shownJson(JSON.stringify(sent)),
      deliveries: deliveries
        .toReversed()
        .map((row) => ({ ...deliveryRow(row, home), title: names.body.get(row.endpoint_id) })),
      isCut: deliveries.length >= shownDeliveriesMax,
      receivers: listed.filter((row) => row.enabled).map((row) => [row.endpoint_id, titleOf(row)]),
      mayResend: mayDo(site, ctx, 'webhooks:write'),
      chosen: '',
      formKey: newFormKey(),
      notice: noticeIn(ctx, notices),
    }
    show(ctx, pageOf('dashboard/event', 'Event', { ...data, ...shown }, shown.status ?? 200))
  }

  read(`${eventsLink.path}/:id`, (ctx) => showEvent(ctx))

  submit(`${eventsLink.path}/:id/resend`, async (ctx, form) => {
    const chosen = typedText(form, 'endpoint_id')
    const body = chosen === '' ? {} : { endpoint_id: chosen }
    const sent = await sessions.call<{ deliveries: object[] }>(ctx, 'POST', `${apiPath(ctx)}/resend`, body, keyIn(form))
    if (sent.ok) {
      const done = sent.body.deliveries.length > 0 ? 'resent' : 'nobody'
      return goTo(ctx, `${folder}/${idIn(ctx)}?done=${done}`)
    }
    const { refused } = sent
    // The event or the endpoint may be the one that is unknown. An event that is unknown has no page either.
    if (refused.status === 404 && chosen !== '') return showEvent(ctx, unknownEndpoint)
    if (isUnread(refused)) return showUnread(site, ctx, refused)
    const result = refusedForm(refused, {}, conflictWords(refused, notSentAgain(refused)))
    await showEvent(ctx, { chosen, ...result, formKey: keyAfter(form, result.status) })
  })
}

/** The name of the endpoint of each delivery. What is in no list is read by its id: it may be deleted, or not. */
async function readNames(
  site: Site,
  ctx: Context,
  deliveries: ShownDelivery[],
  listed: ShownEndpoint[],
): Promise<Answer<Map<string, string>>> {
  const names = new Map(listed.map((row) => [row.endpoint_id, titleOf(row)]))
  for (const { endpoint_id: id } of deliveries) {
    if (names.has(id)) continue
    const answer = await readEndpoint(site, ctx, id)
    if (!answer.ok) return answer
    names.set(id, answer.body ? titleOf(answer.body) : `${id} (deleted)`)
  }
  return { ok: true, body: names }
}

const unknownEndpoint = {
  status: 409,
  errors: { endpoint_id: 'This endpoint does not exist any more.' },
  problem: null,
}

const notices: Record<string, string> = {
  resent: 'Sent again. Reload this page to see what your receivers answer.',
  nobody: 'Nothing was sent: no endpoint that is on receives this type. Choose one to send it there all the same.',
}

const shownRow = (row: ListedEvent, folder: string) => ({
  link: `${folder}/${row.id}`,
  title: row.type,
  about: row.resource_id,
  account: row.account_id ?? null,
  created: timeOf(row.created_at),
})

/** Whether the page of a resource can be looked up by its id. */
const isTraced = (id: string): boolean => Object.keys(tracedPaths).some((prefix) => id.startsWith(`${prefix}_`))

function eventFacts(row: EventWithDeliveries, home: string): Fact[] {
  const { resource_id: about, account_id: account } = row
  return [
    ['Id', row.id],
    ['What it reports', typeWords(row.type)],
    ['About', about, isTraced(about) ? `${home}/timelines?id=${encodeURIComponent(about)}` : undefined],
    ['Connected account', account ?? null, `${home}/accounts/${account}`],
    ['Sequence', String(row.sequence)],
    ['Created', timeOf(row.created_at)],
  ]
}
