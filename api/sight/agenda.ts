import Type, { type Static } from 'typebox'
import { listWaits, type Wait, type WaitFilter, waitsOf } from '../../db/sight/agenda.ts'
import { WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { agendaResources, waitingOns } from '../../domain/sight/agenda.ts'
import { Refusal } from '../../domain/refusal.ts'
import { CursorPagination, cursorQuery, idParameter, Moment, nullable, page, pageQuery } from '../../schemas/common.ts'
import { AgendaItem, presentWait } from '../../schemas/sight/agenda.ts'
import { type Caller, type Operation, operation } from '../http/operation.ts'
import { pageOfAll, readPlace, writePlace } from '../http/pagination.ts'
import type { Services } from '../http/services.ts'
import { oneOf, scopeOf, type SeenResource, seenResources } from './resources.ts'

const Agenda = Type.Object(page(AgendaItem).properties, { $id: 'Agenda' })

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
    query: Type.Object(pageQuery),
    returns: [200, Agenda],
    refuses: ['NOT_FOUND'],

    async handle({ params, query, caller: { accountId, environment }, em, now, services }) {
      const owner = { accountId, environment }
      const found = await waiting(em, { id: String(params[parameter]), ...owner })
      if (!found) throw new Refusal('NOT_FOUND', `no such ${resource.replaceAll('_', ' ')}`)
      const waits = (await waitsOf(em, found, found.waiting, now)).toSorted(inOrder)
      const { rows, pagination } = pageOfAll('agenda of one resource', waits, wordOf, query, services)
      return { items: rows.map(presentWait), pagination }
    },
  })

/** The word by which the waits of a resource are sorted: those without a known end come last. */
const wordOf = ({ wakesAt, id, reason }: Wait): string => `${wakesAt?.toISOString() ?? 'unknown'} ${id} ${reason}`
const inOrder = (one: Wait, other: Wait): number => (wordOf(one) < wordOf(other) ? -1 : 1)

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

const AgendaPage = Type.Object(
  {
    items: Type.Array(AgendaItem),
    pagination: CursorPagination,
    next_cursor: { ...nullable(Type.String()), deprecated: true },
    has_more: Type.Boolean({ deprecated: true }),
  },
  { $id: 'AgendaPage' },
)

const ListAgenda = Type.Object({
  ...cursorQuery,
  resource: Type.Optional(Type.Enum([...agendaResources])),
  waiting_on: Type.Optional(Type.Enum([...waitingOns])),
  before: Type.Optional(Moment),
})
type Asked = Static<typeof ListAgenda>

// No total, and so no offset: all that an account waits for may be a hundred thousand waits (decision 0112).
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
    const list = (asked: WaitFilter) => listWaits(em, caller, asked, limit + 1, now)
    const { filter, found } = await findWaits(list, filterOf(query, caller, services))
    const shown = found.slice(0, limit)
    if (filter.isBackwards) shown.reverse()
    const isCut = found.length > limit
    const has_more = filter.isBackwards || isCut
    const hasPrevious = filter.isBackwards ? isCut : filter.from !== undefined
    const next_cursor = has_more ? cursorAt(shown.at(-1), 'next', services) : null
    const prev_cursor = hasPrevious ? cursorAt(shown[0], 'prev', services) : null
    const pagination = { next_cursor, prev_cursor, has_more, limit, returned: shown.length }
    return { items: shown.map(presentWait), pagination, next_cursor, has_more }
  },
})

/** The waits of a page. Those before it may all have ended: then the first page is the one to go on from. */
async function findWaits(list: (filter: WaitFilter) => Promise<Wait[]>, filter: WaitFilter) {
  const found = await list(filter)
  if (!filter.isBackwards || found.length > 0) return { filter, found }
  const first = { ...filter, from: undefined, isBackwards: false }
  return { filter: first, found: await list(first) }
}

/** The cursor that goes on from a wait. Its word is the reason of the wait, after `prev` if it leads back. */
function cursorAt(wait: Wait | undefined, to: 'next' | 'prev', services: Services): string | null {
  if (!wait?.wakesAt) return null
  const word = to === 'next' ? wait.reason : `${back}${wait.reason}`
  return writePlace('agenda', { at: wait.wakesAt.getTime(), id: wait.id, word }, services)
}

const back = 'prev '

/** What a call asks for, of the kinds of resources that its key may read. */
function filterOf({ resource, waiting_on, before, cursor }: Asked, { scopes }: Caller, services: Services): WaitFilter {
  const readable = agendaResources.filter((each) => scopes.includes(scopeOf[each]))
  const place = cursor ? readPlace('agenda', cursor, services) : null
  const isBackwards = place?.word.startsWith(back) ?? false
  return {
    resources: resource ? readable.filter((each) => each === resource) : readable,
    waitingOn: waiting_on,
    before: before === undefined ? undefined : Date.parse(before),
    from: place
      ? { wakesAt: place.at, id: place.id, reason: place.word.slice(isBackwards ? back.length : 0) }
      : undefined,
    isBackwards,
  }
}

export const agendaOperations: readonly Operation[] = [
  listAgenda,
  ...seenResources.map(({ read, ...seen }) => agendaOf(seen, read)),
  agendaOfEndpoint,
]
