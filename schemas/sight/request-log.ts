import Type, { type Static } from 'typebox'
import type { RequestLog as RequestLogRow } from '../../db/core/request-log.ts'
import { callSources } from '../../domain/sight/logged-call.ts'
import { id, iso, nullable, Timestamp } from '../common.ts'

const UsedKey = Type.Object({
  api_key_id: id('key'),
  last_four: nullable(Type.String({ description: 'The end of the key; null if the key is not known any more.' })),
})

/** A call of the API, as its log keeps it. */
export const RequestLog = Type.Object(
  {
    request_log_id: id('req'),
    request_id: Type.String({ description: 'The `X-Request-Id` of its answer.' }),
    created_at: Timestamp,
    method: Type.String({ examples: ['POST'] }),
    route: Type.String({ description: 'The path of the operation.', examples: ['/v1/payments/{payment_id}'] }),
    path: Type.String({
      description: 'The path that was called, without its query. What is not an id stays as in `route`.',
    }),
    operation: Type.String({ description: 'The operation, by its `operationId`.', examples: ['payments.get'] }),
    status: Type.Integer({ examples: [200] }),
    error_code: nullable(Type.String({ description: 'The `error_code` of the answer; null if it was no error.' })),
    doc_url: nullable(Type.String({ description: 'The page about the error code; null without one.' })),
    error_fields: Type.Array(Type.String(), {
      description: 'The names of the fields that were wrong. `*` stands for a name that is not in the reference.',
    }),
    api_key: nullable(UsedKey),
    user_id: nullable(Type.String({ description: 'The person who called; null if it was a key.' })),
    acting_for: nullable(Type.String({ description: 'The connected account of `X-Account-Id`; null without one.' })),
    source: Type.Enum([...callSources], { description: 'A call of the API, or a form of the dashboard.' }),
    api_version: nullable(Type.String({ description: 'The `X-API-Version` of the answer.' })),
    idempotent_replayed: Type.Boolean({ description: 'Whether it got the stored answer to an earlier call.' }),
    duration_ms: Type.Integer({ description: 'From its arrival until it was answered, in milliseconds.' }),
  },
  { $id: 'RequestLog' },
)

/** What a row does not say itself: the end of its key, its operation, and the page about its error. */
type RowContext = { lastFour: string | null; operation: string; docUrl: string | null }

export const presentRequestLog = (row: RequestLogRow, context: RowContext): Static<typeof RequestLog> => ({
  request_log_id: row.id,
  request_id: row.requestId,
  created_at: iso(row.createdAt),
  method: row.method,
  route: row.route,
  path: row.path,
  operation: context.operation,
  status: row.status,
  error_code: row.errorCode,
  doc_url: context.docUrl,
  error_fields: row.errorFields,
  api_key: row.keyId === null ? null : { api_key_id: row.keyId, last_four: context.lastFour },
  user_id: row.userId,
  acting_for: row.actingFor,
  source: row.source,
  api_version: row.apiVersion,
  idempotent_replayed: row.isReplay,
  duration_ms: row.durationMs,
})
