import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { Account } from '../../db/core/account.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { countDeliveries, newEndpoint, WebhookEndpoint as EndpointRow } from '../../db/webhook/endpoint.ts'
import { makeSecret } from '../../db/webhook/secret.ts'
import { readMissedSince } from '../../db/webhook/missed-events.ts'
import { isWatched, switchEndpoint, signalEndpoint } from '../../db/webhook/health.ts'
import { newId } from '../../domain/id.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { mergeMetadata, validateMetadata } from '../../domain/metadata.ts'
import { endpointsMax } from '../../domain/webhook/endpoint.ts'
import { ChangedMetadata, id, idParameter, isoOrNull, Metadata, page, pageQuery } from '../../schemas/common.ts'
import {
  ChosenSecret,
  CreatedWebhookEndpoint,
  endpointSettings,
  presentEndpoint,
  WebhookEndpoint,
} from '../../schemas/webhook/endpoint.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import type { Services } from '../http/services.ts'
import { assertValid } from '../http/validate.ts'
import { urlError } from '../../domain/webhook/receiver-url.ts'

const managed = { tag: 'Webhooks', auth: ['apiKey'] } as const
const reads = { ...managed, scope: 'webhooks:read' } as const
const writes = { ...managed, scope: 'webhooks:write' } as const

const CreateEndpoint = Type.Object(
  {
    ...endpointSettings,
    metadata: Type.Optional(Metadata),
    secret: Type.Optional({ ...ChosenSecret, description: 'Left out: a new one is generated.' }),
  },
  { $id: 'CreateWebhookEndpoint' },
)

export const createEndpoint = operation({
  ...writes,
  method: 'post',
  path: '/v1/webhooks/endpoints',
  summary: `Add an endpoint; the answer shows its secret. At most ${endpointsMax}, beside the single-URL configuration`,
  body: CreateEndpoint,
  validate: ({ url }, { services }) => validateAddress(services, 'url', url),
  returns: [201, CreatedWebhookEndpoint],
  refuses: ['CONFLICT'],

  async handle({ body, caller, em, now, services }) {
    const { accountId, environment } = caller
    await lock(em, Account, accountId) // creations at the same time run one by one, so that each counts the others
    const where = { accountId, environment, isConfiguration: false, simulatedAnswers: null }
    const count = await em.count(EndpointRow, where)
    if (count >= endpointsMax) throw new Refusal('CONFLICT', `there are ${endpointsMax} endpoints already`)
    const { row, secret } = addEndpoint(em, body, { caller, now, services })
    return { ...presentEndpoint(row), secret }
  },
})

/** Sends an endpoint's events elsewhere. Who does that is in the log, as whoever adds an endpoint is. */
export function changeUrl(em: EntityManager, row: EndpointRow, url: string | null, { caller, now }: Changing): void {
  if (row.url === url) return
  row.url = url
  auditCaller(em, caller, { action: 'webhook_endpoint.url_changed', target: row.id }, now)
}

type Changing = Pick<Adding, 'caller' | 'now'>
type Adding = { caller: Caller; now: number; services: Services }

/** Adds an endpoint, with a secret of its own unless the body has one. */
export function addEndpoint(em: EntityManager, body: Static<typeof CreateEndpoint>, { caller, now, services }: Adding) {
  const secret = body.secret ?? makeSecret()
  const encryptedSecret = services.encrypter.encrypt(secret)
  const row = em.create(EndpointRow, { ...newRow(body, caller, now), encryptedSecret })
  auditCaller(em, caller, { action: 'webhook_endpoint.created', target: row.id }, now)
  return { row, secret }
}

function newRow(body: Static<typeof CreateEndpoint>, { accountId, environment }: Caller, now: number) {
  const { url, enabled = true } = body
  return {
    accountId,
    environment,
    url,
    enabled,
    ...newEndpoint,
    id: newId('we', now),
    ...settingsIn(body),
    accountScope: body.account_scope ?? 'own',
    isConfiguration: false,
    metadata: mergeMetadata({}, body.metadata),
    disabledAt: enabled ? null : new Date(now),
    createdAt: new Date(now),
    updatedAt: new Date(now),
  } as const
}

type Settings = Partial<Pick<Static<typeof CreateEndpoint>, 'description' | 'events' | 'account_scope'>>

/** The simple settings of the body, named as the row's properties. */
const settingsIn = ({ description, events, account_scope: accountScope }: Settings) => ({
  ...(description !== undefined && { description }),
  ...(events && { events: events.includes('*') ? ['*'] : [...new Set<string>(events)] }),
  ...(accountScope && { accountScope }),
})

/** The errors in a webhook address. The schema check reports a value that is not text. */
export function validateAddress(services: Services, field: string, url: unknown): FieldError[] {
  const error = typeof url === 'string' ? urlError(url, services.config.allowLoopbackWebhooks) : null
  if (!error) return []
  return [{ field, message: `must be a public HTTPS address (${error})`, type: 'value_error.format' }]
}

export const EndpointId = Type.Object({ endpoint_id: idParameter('we') })

/** The caller's own endpoint, also that of the single-URL configuration. `options` can lock it for a change. */
export async function findEndpoint(em: EntityManager, caller: Caller, endpointId: string, options = {}) {
  const { accountId, environment } = caller
  const row = await em.findOne(EndpointRow, { id: endpointId, accountId, environment }, options)
  if (!row) throw new Refusal('NOT_FOUND', 'no such webhook endpoint')
  return row
}

export const lockEndpoint = (em: EntityManager, caller: Caller, endpointId: string) =>
  findEndpoint(em, caller, endpointId, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** Refuses an endpoint that is switched off. */
export function assertEnabled(row: EndpointRow): void {
  if (!row.enabled) throw new Refusal('CONFLICT', 'the webhook endpoint is switched off')
}

/** Refuses the receiver of a scenario, which has no address and gets only what happens on its clock. */
export function assertNotSimulated(row: EndpointRow): void {
  if (row.simulatedAnswers) throw new Refusal('CONFLICT', 'the endpoint is the receiver of a scenario')
}

/**
 * Endpoints with how their deliveries have gone: since when they have missed events, and their statistics of the last
 * 24 hours, those of its own clock where an endpoint is on one.
 */
async function show(em: EntityManager, rows: EndpointRow[], now: number): Promise<Static<typeof WebhookEndpoint>[]> {
  const times = new Map<EndpointRow, number>()
  for (const row of rows) times.set(row, (await clockTimeOf(em, row)) ?? now)
  const shown = new Map(rows.map((row) => [row.id, presentEndpoint(row)]))
  for (const [at, group] of Map.groupBy(rows, (row) => times.get(row) ?? now)) {
    const ids = group.map((row) => row.id)
    for (const { endpointId, status, count } of await countDeliveries(em, ids, at)) {
      const endpoint = shown.get(endpointId)
      if (endpoint) endpoint.stats_24h[status] = count
    }
    for (const { endpointId, since } of await readMissedSince(em, ids, { at, now })) {
      const endpoint = shown.get(endpointId)
      if (endpoint) endpoint.missed_since = isoOrNull(since)
    }
  }
  return [...shown.values()]
}

async function showOne(em: EntityManager, row: EndpointRow, now: number): Promise<Static<typeof WebhookEndpoint>> {
  const [shown] = await show(em, [row], now)
  return shown ?? presentEndpoint(row)
}

export const listEndpoints = operation({
  ...reads,
  method: 'get',
  path: '/v1/webhooks/endpoints',
  summary: 'List the webhook endpoints, newest first',
  query: Type.Object(pageQuery),
  returns: [200, page(WebhookEndpoint)],
  refuses: [],

  async handle({ query, caller, em, now, services }) {
    const { rows, pagination } = await listPage(
      { em, services },
      EndpointRow,
      { ...whereMatching(caller, {}, {}), simulatedAnswers: null },
      query,
    )
    return { items: await show(em, rows, now), pagination }
  },
})

export const getEndpoint = operation({
  ...reads,
  method: 'get',
  path: '/v1/webhooks/endpoints/{endpoint_id}',
  summary: 'Read a webhook endpoint and how its deliveries have gone',
  params: EndpointId,
  returns: [200, WebhookEndpoint],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    return showOne(em, await findEndpoint(em, caller, params.endpoint_id), now)
  },
})

export const changeEndpoint = operation({
  ...writes,
  method: 'patch',
  path: '/v1/webhooks/endpoints/{endpoint_id}',
  summary: 'Change an endpoint; `enabled: true` also clears its failures',
  params: EndpointId,
  body: Type.Partial(Type.Object({ ...endpointSettings, metadata: ChangedMetadata }), { $id: 'ChangeWebhookEndpoint' }),
  validate: ({ url }, { services }) => validateAddress(services, 'url', url),
  returns: [200, WebhookEndpoint],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    const { url, enabled } = body
    const row = await lockEndpoint(em, caller, params.endpoint_id)
    if (url !== undefined) assertNotSimulated(row)
    const metadata = mergeMetadata(row.metadata, body.metadata)
    assertValid(validateMetadata(metadata))
    if (url !== undefined) changeUrl(em, row, url, { caller, now })
    Object.assign(row, settingsIn(body), { metadata, updatedAt: new Date(now) })
    if (enabled && row.url === null) throw new Refusal('CONFLICT', 'the webhook endpoint has no URL to send to')
    if (enabled !== undefined) switchEndpoint(em, row, enabled, now)
    await em.flush() // what it has missed depends on its settings
    return showOne(em, row, now)
  },
})

export const deleteEndpoint = operation({
  ...writes,
  method: 'delete',
  path: '/v1/webhooks/endpoints/{endpoint_id}',
  summary: 'Delete an endpoint; pending deliveries are skipped, past ones are kept',
  params: EndpointId,
  returns: [
    200,
    Type.Object({ endpoint_id: id('we'), deleted: Type.Literal(true) }, { $id: 'DeletedWebhookEndpoint' }),
  ],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    const row = await lockEndpoint(em, caller, params.endpoint_id)
    removeEndpoint(em, row, { caller, now })
    return { endpoint_id: row.id, deleted: true as const }
  },
})

/** Deletes a locked endpoint. */
export function removeEndpoint(em: EntityManager, row: EndpointRow, { caller, now }: Changing): void {
  if (isWatched(row)) signalEndpoint(em, row, 'disabled')
  em.remove(row)
  auditCaller(em, caller, { action: 'webhook_endpoint.deleted', target: row.id }, now)
}
