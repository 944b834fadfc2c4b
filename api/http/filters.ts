import Type from 'typebox'
import { Moment } from '../../schemas/common.ts'
import type { Caller } from './operation.ts'

/** The query parameters of a list by time of creation, both exclusive. */
export const createdRange = { created_after: Type.Optional(Moment), created_before: Type.Optional(Moment) }

type Range = { created_after?: string; created_before?: string }

/**
 * The rows that a list may show: the caller's own, narrowed by the filters that were sent. `columns` says which
 * property each query parameter compares with.
 */
export function whereMatching<Q extends Range>(
  { accountId, environment }: Caller,
  query: Q,
  columns: Partial<Record<keyof Q, string>>,
) {
  const sent = Object.entries(columns).filter(([name]) => query[name as keyof Q] !== undefined)
  const { created_after: after, created_before: before } = query
  const createdAt = { ...(after && { $gt: new Date(after) }), ...(before && { $lt: new Date(before) }) }
  return {
    accountId,
    environment,
    ...Object.fromEntries(sent.map(([name, column]) => [column, query[name as keyof Q]])),
    ...(after || before ? { createdAt } : {}),
  }
}

/** A column that contains these characters, in any case; none of them stands for others. */
export const whereContaining = (text: string) => ({ $ilike: `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` })
