import type { FilterQuery } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { ApiKey } from '../../db/access/api-key.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { escapeLike } from '../../db/core/like.ts'
import { RequestLog as Row } from '../../db/core/request-log.ts'
import { Refusal } from '../../domain/refusal.ts'
import { requestLogsKeptMs } from '../../domain/retention.ts'
import { cursorQuery, idParameter, pageByCursor } from '../../schemas/common.ts'
import { presentRequestLog, RequestLog } from '../../schemas/sight/request-log.ts'
import { createdRange } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { operationIdOf } from '../http/operation-id.ts'
import { listByCursor } from '../http/pagination.ts'
import type { Services } from '../http/services.ts'

const common = { tag: 'Request logs', auth: ['apiKey'], scope: 'webhooks:read' } as const

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const ListRequestLogs = Type.Object({
  ...cursorQuery,
  ...createdRange,
  status: Type.Optional(
    Type.String({
      pattern: '^([2-5]xx|[2-5]\\d\\d)$',
      description: 'Only those with this status, or with a status of this class, such as `4xx`.',
      examples: ['4xx'],
    }),
  ),
  method: Type.Optional(Type.Enum([...methods], { description: 'Only those with this method.' })),
  path: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^/',
      description: 'Only those whose `path` or `route` begins with this.',
      examples: ['/v1/checkout-sessions'],
    }),
  ),
  error_code: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only those with this error code.', examples: ['VALIDATION_ERROR'] }),
  ),
  api_key_id: Type.Optional({ ...idParameter('key'), description: 'Only those with this API key.' }),
  acting_for: Type.Optional({ ...idParameter('acct'), description: 'Only those that acted for this account.' }),
  request_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only those with this request id, which you may have chosen twice.' }),
  ),
})
type Asked = Static<typeof ListRequestLogs>

// No total: an account may have a million calls in a week, and counting them takes longer than reading a page.
export const listRequestLogs = operation({
  ...common,
  method: 'get',
  path: '/v1/request-logs',
  summary: 'List the calls of the last 7 days, newest first',
  query: ListRequestLogs,
  returns: [200, pageByCursor(RequestLog)],
  refuses: [],

  async handle({ query, caller, em, services }) {
    const own = ownCalls(caller, await services.clock.now())
    const where: FilterQuery<Row> = { $and: [own, ...conditionsOf(query)] }
    const { rows, pagination } = await listByCursor({ em, services }, Row, where, query)
    return { items: await presentAll(em, rows, services), pagination }
  },
})

export const getRequestLog = operation({
  ...common,
  method: 'get',
  path: '/v1/request-logs/{request_id}',
  summary: 'Read a call by the `X-Request-Id` of its answer, or by its own id',
  params: Type.Object({ request_id: Type.String({ maxLength: 64, examples: ['req_…'] }) }),
  returns: [200, RequestLog],
  refuses: ['NOT_FOUND'],

  async handle({ params: { request_id: id }, caller, em, services }) {
    const own = ownCalls(caller, await services.clock.now())
    const row =
      (await em.findOne(Row, { ...own, id })) ??
      (await em.findOne(Row, { ...own, requestId: id }, { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] }))
    if (!row) throw new Refusal('NOT_FOUND', 'no such call in the last 7 days')
    const [shown] = await presentAll(em, [row], services)
    return shown as Static<typeof RequestLog>
  },
})

/** The calls that an account can still read. They have the real time, also where the account is on a test clock. */
const ownCalls = ({ accountId, environment }: Caller, now: number) => ({
  accountId,
  environment,
  createdAt: { $gt: new Date(now - requestLogsKeptMs) },
})

function conditionsOf(query: Asked): FilterQuery<Row>[] {
  const { status, method, path, error_code: errorCode, api_key_id: keyId, request_id: requestId } = query
  const { acting_for: actingFor, created_after: after, created_before: before } = query
  return [
    ...(status === undefined ? [] : [{ status: statusIn(status) }]),
    ...(method === undefined ? [] : [{ method }]),
    ...(path === undefined ? [] : [{ $or: [{ path: beginning(path) }, { route: beginning(path) }] }]),
    // The second condition is implied by the first. It is there because the index of refused calls can use it.
    ...(errorCode === undefined ? [] : [{ errorCode, status: { $gte: 400 } }]),
    ...(keyId === undefined ? [] : [{ keyId }]),
    ...(actingFor === undefined ? [] : [{ actingFor }]),
    ...(requestId === undefined ? [] : [{ requestId }]),
    ...(after === undefined ? [] : [{ createdAt: { $gt: new Date(after) } }]),
    ...(before === undefined ? [] : [{ createdAt: { $lt: new Date(before) } }]),
  ]
}

/** A status, or the range of a class such as `4xx`. */
function statusIn(status: string): number | { $gte: number; $lt: number } {
  if (!status.endsWith('xx')) return Number(status)
  const from = Number(status[0]) * 100
  return { $gte: from, $lt: from + 100 }
}

const beginning = (text: string) => ({ $like: `${escapeLike(text)}%` })

async function presentAll(em: EntityManager, rows: readonly Row[], { config }: Services) {
  const ids = [...new Set(rows.flatMap(({ keyId }) => keyId ?? []))]
  const keys = ids.length === 0 ? [] : await em.find(ApiKey, { id: { $in: ids } }, { fields: ['lastFour'] })
  const ends = new Map(keys.map(({ id, lastFour }) => [id, lastFour]))
  return rows.map((row) =>
    presentRequestLog(row, {
      lastFour: ends.get(row.keyId ?? '') ?? null,
      operation: operationOf(row),
      docUrl: row.errorCode === null ? null : `${config.publicUrl}/docs/errors#${row.errorCode}`,
    }),
  )
}

/** The id of the operation follows from its method and its path, so it is not stored. */
const operationOf = ({ method, route }: Row): string =>
  operationIdOf({ method: method.toLowerCase() as 'get', path: route })
