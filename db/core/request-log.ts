import { defineEntity, p } from '@mikro-orm/core'
import { environments } from '../../domain/access/scope.ts'
import { callSources, type LoggedCall } from '../../domain/sight/logged-call.ts'
import { isOwned, moment } from './columns.ts'
import type { EntityManager } from './database.ts'
import { runPrepared } from './prepared-statement.ts'

const schema = defineEntity({
  name: 'RequestLog',
  tableName: 'request_logs',
  properties: {
    id: p.string().length(64).primary(),
    accountId: p.string().check(isOwned),
    environment: p.enum(environments),
    // The id of the answer's header. A caller may have chosen it, and used it before.
    requestId: p.string().length(64),
    method: p.string().length(7),
    route: p.string().length(255),
    path: p.string().length(500),
    status: p.smallint(),
    errorCode: p.string().length(64).strictNullable(),
    errorFields: p.array(),
    keyId: p.string().length(64).strictNullable(),
    userId: p.string().length(64).strictNullable(),
    actingFor: p.string().length(64).strictNullable(),
    source: p.enum(callSources),
    apiVersion: p.string().length(10).strictNullable(),
    isReplay: p.boolean(),
    durationMs: p.integer(),
    createdAt: moment(),
  },
  indexes: [
    { name: 'request_logs_of_account', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'request_logs_by_request', properties: ['accountId', 'environment', 'requestId'] },
    { name: 'request_logs_by_age', properties: ['createdAt'] },
    {
      name: 'request_logs_refused',
      properties: ['accountId', 'environment', 'createdAt', 'id'],
      where: 'status >= 400',
    },
    {
      name: 'request_logs_acting',
      properties: ['accountId', 'environment', 'actingFor', 'createdAt', 'id'],
      where: 'acting_for is not null',
    },
    {
      name: 'request_logs_by_rare_method',
      properties: ['accountId', 'environment', 'method', 'createdAt', 'id'],
      where: "method in ('PUT', 'PATCH', 'DELETE')",
    },
  ],
})
/** A call of a merchant, without its bodies and its headers. Rows are only ever added, and deleted after a week. */
export class RequestLog extends schema.class {}
schema.setClass(RequestLog)

/** Each column of a row, with its type in the database and its value. */
const columns: [name: string, type: string, valueOf: (call: LoggedCall) => unknown][] = [
  ['id', 'text', (call) => call.id],
  ['account_id', 'text', (call) => call.accountId],
  ['environment', 'text', (call) => call.environment],
  ['request_id', 'text', (call) => call.requestId],
  ['method', 'text', (call) => call.method],
  ['route', 'text', (call) => call.route],
  ['path', 'text', (call) => call.path],
  ['status', 'smallint', (call) => call.status],
  ['error_code', 'text', (call) => call.errorCode],
  ['error_fields', 'text', (call) => call.errorFields.join(',')],
  ['key_id', 'text', (call) => call.keyId],
  ['user_id', 'text', (call) => call.userId],
  ['acting_for', 'text', (call) => call.actingFor],
  ['source', 'text', (call) => call.source],
  ['api_version', 'text', (call) => call.apiVersion],
  ['is_replay', 'boolean', (call) => call.isReplay],
  ['duration_ms', 'integer', (call) => call.durationMs],
  ['created_at', 'timestamptz', (call) => new Date(call.at).toISOString()],
]

const listOf = (values: string[]) => values.join(', ')
const insertion = `insert into request_logs (${listOf(columns.map(([name]) => name))})
  select ${listOf(columns.map(([name]) => (name === 'error_fields' ? `string_to_array(${name}, ',')` : name)))}
  from unnest(${listOf(columns.map(([, type], index) => `$${index + 1}::${type}[]`))})
    as made (${listOf(columns.map(([name]) => name))})
  on conflict (id) do nothing`

/** Writes calls in one statement. A call that is written already stays: the answer to that statement may be lost. */
export async function insertRequestLogs(em: EntityManager, calls: readonly LoggedCall[]): Promise<void> {
  await runPrepared(
    em,
    insertion,
    columns.map(([, , valueOf]) => calls.map(valueOf)),
  )
}
