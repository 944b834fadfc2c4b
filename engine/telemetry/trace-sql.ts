import { context, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import type { Pool, PoolClient } from 'pg'
import type { Database } from '../../db/core/database.ts'

type Query = (...args: unknown[]) => unknown
type Connect = (taken?: (...args: never[]) => void) => unknown

/**
 * Makes a span of each statement that is run for a recorded trace. It tells what is done to which table, and neither
 * the statement nor its values. To be called before the first connection is opened.
 */
export async function traceSql({ orm }: Pick<Database, 'orm'>, tracer: Tracer): Promise<void> {
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool
  pool.on('connect', (client) => traceQueries(client, tracer))
  // A connection that was waited for is handed over by whoever had it before: what follows belongs to who waited.
  const connect = pool.connect.bind(pool) as Connect
  const bound: Connect = (taken) => (taken ? connect(context.bind(context.active(), taken)) : connect())
  Object.assign(pool, { connect: bound })
}

function traceQueries(client: PoolClient, tracer: Tracer): void {
  // The driver has an overload for each way of a query; here all are passed on as they come.
  const query = client.query.bind(client) as unknown as Query
  const traced: Query = (...args) => {
    if (!trace.getActiveSpan()?.isRecording()) return query(...args)
    const { operation, table } = describeStatement(textOf(args[0]))
    const span = tracer.startSpan([operation, table].filter(Boolean).join(' '), {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system': 'postgresql',
        'db.operation.name': operation,
        ...(table && { 'db.collection.name': table }),
      },
    })
    const end = (error?: unknown) => {
      if (error) span.setStatus({ code: SpanStatusCode.ERROR })
      if (error) span.setAttribute('error.type', codeOf(error))
      span.end()
    }
    const last = args.at(-1)
    if (typeof last === 'function') {
      const answered = (...told: unknown[]) => {
        end(told[0])
        return Reflect.apply(last, undefined, told)
      }
      return query(...args.slice(0, -1), answered)
    }
    const result = query(...args)
    if (result instanceof Promise) result.then(() => end(), end)
    else span.end()
    return result
  }
  Object.assign(client, { query: traced })
}

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown } | null)?.text ?? '')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'error'

const operations = /\b(insert|update|delete|select|begin|start|commit|rollback|savepoint|release|set)\b/i
const tables = /\b(?:insert\s+into|update|delete\s+from|from|join)\s+"?([a-z_]{1,63})\b/i

/** What a statement does first, and the first table in it. Both are words of our own code. */
export function describeStatement(text: string): { operation: string; table: string | null } {
  const operation = operations.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  return { operation, table: tables.exec(text)?.[1] ?? null }
}
