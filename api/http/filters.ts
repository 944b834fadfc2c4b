import Type from 'typebox'
import { escapeLike } from '../../db/core/like.ts'
import { Moment } from '../../schemas/common.ts'
import type { Caller } from './operation.ts'

/** The query parameters that filter a list by time of creation, both exclusive. */
export const createdRange = { created_after: Type.Optional(Moment), created_before: Type.Optional(Moment) }

type Range = { created_after?: string; created_before?: string }

/**
 * The condition of a list: the caller's own rows that match the filters. `columns` says which property each query
 * parameter is compared with.
 */
export function whereMatching<Q extends object>(
  { accountId, environment }: Caller,
  query: Q & Range,
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

/** Matches a column that contains this text, in upper or lower case. `%` and `_` in the text are not wildcards. */
export const whereContaining = (text: string) => ({ $ilike: `%${escapeLike(text)}%` })
