import Type, { type Static } from 'typebox'
import { listWaits, type WaitFilter, type WaitPlace, waitsOf } from '../../db/sight/agenda.ts'
import { WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { agendaResources, waitingOns } from '../../domain/sight/agenda.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParameter, Moment, nullable } from '../../schemas/common.ts'
import { AgendaItem, presentWait } from '../../schemas/sight/agenda.ts'
import { type Caller, type Operation, operation } from '../http/operation.ts'
import { type Place, readPlace, writePlace } from '../http/pagination.ts'
import type { Services } from '../http/services.ts'
import { oneOf, scopeOf, type SeenResource, seenResources } from './resources.ts'

const Agenda = Type.Object({ items: Type.Array(AgendaItem) }, { $id: 'Agenda' })

/** Whose waits they are, and of which resources; null where there is no such resource. */
type Waiting = (em: EntityManager, where: { id: string } & Tenant) => Promise<(Tenant & { waiting: string[] }) | null>

/** `GET /v1/{resource}/{id}/agenda`: everything that a resource waits for. */
const agendaOf = (
  { path, parameter, prefix, tag, scope, resource }: Omit<SeenResource, 'read'>,
  waiting: Waiting,
): Operation =>
  operation({
    method: 'get',
    path: `${path}/{${parameter}}/agenda`,
    summary: `List what ${oneOf(resource)} waits for, and until when`,
    tag,
    auth: ['apiKey'],
    scope,
    params: Type.Object({ [parameter]: idParameter(prefix) }),
    returns: [200, Agenda],
    refuses: ['NOT_FOUND'],

    async handle({ params, caller: { accountId, environment }, em, now }) {
      const owner = { accountId, environment }
      const found = await waiting(em, { id: String(params[parameter]), ...owner })
      if (!found) throw new Refusal('NOT_FOUND', `no such ${resource.replaceAll('_', ' ')}`)
      return { items: (await waitsOf(em, found, found.waiting, now)).map(presentWait) }
    },
  })

const agendaOfEndpoint = agendaOf(
  {
    resource: 'webhook_endpoint',
    path: '/v1/webhooks/endpoints',
    parameter: 'endpoint_id',
    prefix: 'we',
    tag: 'Webhooks',
    scope: 'webhooks:read',
  },
  async (em, where) => ((await em.findOne(WebhookEndpoint, where)) ? { ...where, waiting: [where.id] } : null),
)

const limitMax = 100

const AgendaPage = Type.Object(
  { items: Type.Array(AgendaItem), next_cursor: nullable(Type.String()), has_more: Type.Boolean() },
  { $id: 'AgendaPage' },
)

const ListAgenda = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  resource: Type.Optional(Type.Enum([...agendaResources])),
  waiting_on: Type.Optional(Type.Enum([...waitingOns])),
  before: Type.Optional(Moment),
})
type Asked = Static<typeof ListAgenda>

const listAgenda = operation({
  method: 'get',
  path: '/v1/agenda',
  summary: 'List what everything of the account waits for and until when, the next moment first',
  tag: 'Agenda',
  auth: ['apiKey'],
  scope: 'payments:read',
  query: ListAgenda,
  returns: [200, AgendaPage],
  refuses: [],

  async handle({ query, caller, em, now, services }) {
    const { limit = 50 } = query
    const found = await listWaits(em, caller, filterOf(query, caller, services), limit + 1, now)
    const shown = found.slice(0, limit)
    const hasMore = found.length > limit
    const last = hasMore ? shown.at(-1) : undefined
    return {
      items: shown.map(presentWait),
      next_cursor: last?.wakesAt
        ? writePlace('agenda', { at: last.wakesAt.getTime(), id: last.id, word: last.reason }, services)
        : null,
      has_more: hasMore,
    }
  },
})

/** What a call asks for, of the kinds of resources that its key may read. */
function filterOf({ resource, waiting_on, before, cursor }: Asked, { scopes }: Caller, services: Services): WaitFilter {
  const readable = agendaResources.filter((each) => scopes.includes(scopeOf[each]))
  return {
    resources: resource ? readable.filter((each) => each === resource) : readable,
    waitingOn: waiting_on,
    before: before === undefined ? undefined : Date.parse(before),
    after: cursor ? placeOf(readPlace('agenda', cursor, services)) : undefined,
  }
}

const placeOf = ({ at, id, word }: Place): WaitPlace => ({ wakesAt: at, id, reason: word })

export const agendaOperations: readonly Operation[] = [
  listAgenda,
  ...seenResources.map(({ read, ...seen }) => agendaOf(seen, read)),
  agendaOfEndpoint,
]
