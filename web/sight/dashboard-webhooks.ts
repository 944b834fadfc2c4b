import type { Context } from 'koa'
import type { Static } from 'typebox'
import type { AgendaItem } from '../../schemas/sight/agenda.ts'
import { endpointsMax } from '../../domain/webhook/endpoint.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { pageOf, type Site } from '../site.ts'
import { timeOf } from '../words.ts'
import { mayDo, newFormKey, noticeIn } from './board-form.ts'
import { addDeliveryPages } from './dashboard-deliveries.ts'
import { type Fact, factsOf, type Listed, pagesOf, queryOf, showUnlisted, showUnread } from './dashboard-lists.ts'
import type { Shown } from './dashboard-resources.ts'
import { addEndpointActs } from './webhook-acts.ts'
import { endpointPath } from './webhook-endpoint.ts'
import { addEndpointForm } from './webhook-form.ts'
import { addRecoveryPages } from './webhook-recovery.ts'
import { addSecretPages } from './webhook-secret.ts'
import {
  accountScopeNames,
  countWords,
  deliveryRow,
  endpointState,
  filterWords,
  type ShownDelivery,
  type ShownEndpoint,
  titleOf,
} from './webhook-words.ts'

export const webhooksLink = { path: '/webhooks', words: 'Webhooks' }

const newestMax = 5

/** `/dashboard/webhooks`: the endpoints and how they fare; each with its settings, its secret and its deliveries. */
export function addWebhookPages(site: Site): void {
  const { home, sessions, read, show } = site
  const folder = `${home}${webhooksLink.path}`
  const common = { isSignedIn: true, at: webhooksLink.path, folder }

  read(webhooksLink.path, async (ctx) => {
    const query = queryOf(ctx, {})
    const answer = await sessions.call<Listed<ShownEndpoint>>(ctx, 'GET', `/v1/webhooks/endpoints?${query}`)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const data = {
      ...common,
      items: answer.body.items.map((row) => ({ ...shownRow(row), link: `${folder}/${row.endpoint_id}` })),
      pages: pagesOf(folder, answer.body.pagination, {}),
      mayChange: mayDo(site, ctx, 'webhooks:write'),
      endpointsMax,
      notice: noticeIn(ctx, { deleted: 'Endpoint deleted.' }),
    }
    show(ctx, pageOf('dashboard/webhooks', webhooksLink.words, data))
  })

  /** The page of an endpoint, also after a form on it that was refused. */
  async function showEndpoint(ctx: Context, shown: Shown = {}): Promise<void> {
    const answer = await sessions.call<ShownEndpoint>(ctx, 'GET', endpointPath(ctx))
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const row = answer.body
    const [newest, waits] = await Promise.all([
      sessions.call<Listed<ShownDelivery>>(ctx, 'GET', `${endpointPath(ctx)}/deliveries?limit=${newestMax}`),
      row.enabled && row.failing_since !== null
        ? sessions.call<{ items: Static<typeof AgendaItem>[] }>(ctx, 'GET', `${endpointPath(ctx)}/agenda`)
        : { ok: true as const, body: { items: [] } },
    ])
    if (!newest.ok) return showUnread(site, ctx, newest.refused)
    if (!waits.ok) return showUnread(site, ctx, waits.refused)
    const data = {
      ...common,
      heading: titleOf(row),
      path: `${folder}/${row.endpoint_id}`,
      state: endpointState(row),
      isOff: !row.enabled,
      isSwitchedOff: row.disabled_reason !== null,
      hasAddress: row.url !== null,
      switchOff: timeOf(waits.body.items[0]?.expected_by ?? null),
      facts: factsOf(endpointFacts(row)),
      deliveries: newest.body.items.map((each) => deliveryRow(each, home)),
      mayChange: mayDo(site, ctx, 'webhooks:write'),
      types: eventTypes,
      formKey: newFormKey(),
      notice: noticeIn(ctx, notices),
    }
    show(ctx, pageOf('dashboard/webhook', 'Webhook endpoint', { ...data, ...shown }, shown.status ?? 200))
  }

  addEndpointForm(site, folder)
  addDeliveryPages(site, folder)
  addRecoveryPages(site, folder)
  addSecretPages(site, folder)
  addEndpointActs(site, folder, showEndpoint)
  read(`${webhooksLink.path}/:id`, (ctx) => showEndpoint(ctx))
}

const notices: Record<string, string> = {
  added: 'Endpoint added. Your receiver needs its signing secret, to know that an event comes from us: show it below.',
  saved: 'Endpoint saved.',
  on: 'Endpoint switched on. What it missed is not sent by itself: choose Recover… for that.',
  off: 'Endpoint switched off.',
}

const shownRow = (row: ShownEndpoint) => ({
  title: titleOf(row),
  description: row.description,
  state: endpointState(row),
  events: filterWords(row.events),
  counts: countWords(row.stats_24h),
})

function endpointFacts(row: ShownEndpoint): Fact[] {
  return [
    ['Id', row.endpoint_id],
    ['Address', row.url],
    ['Description', row.description],
    ['Kind', row.is_configuration ? 'The single address of the webhook configuration' : null],
    ['Event types', row.events.includes('*') ? 'All, also those that are added later' : row.events.join(', ')],
    ['Whose events', accountScopeNames[row.account_scope]],
    ['Failing since', timeOf(row.failing_since)],
    ['Owners told by mail', timeOf(row.warned_at)],
    ['Switched off', timeOf(row.disabled_at)],
    ['Last 24 hours', countWords(row.stats_24h) ?? 'No deliveries'],
    ['Signed', row.has_secret ? null : 'No: it has no signing secret'],
    ['Added', timeOf(row.created_at)],
    ['Changed', row.updated_at === row.created_at ? null : timeOf(row.updated_at)],
    ...Object.entries(row.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
  ]
}
