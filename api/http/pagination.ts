import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EntityName, FilterQuery } from '@mikro-orm/core'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { countedRows, isCounted } from '../../db/core/row-count.ts'
import type { FieldError } from '../../domain/refusal.ts'
import type { Input } from './operation.ts'
import type { Services } from './services.ts'

/** The paging parameters of a `/v1` list, checked. */
export type PageQuery = { limit?: number; offset?: number; cursor?: string }

type Row = { id: string; createdAt: Date }
type Position = { at: number; id: string; direction: 'next' | 'prev' }

/**
 * One page, newest first, by offset or by cursor. A cursor contains a position and a direction. It is signed, so that
 * only we can make one. With a cursor, new rows do not shift the pages.
 */
export async function listPage<T extends Row>(
  { em, services }: { em: EntityManager; services: Services },
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { limit = 50, offset = 0, cursor }: PageQuery,
) {
  const sign = signer(services)
  const from = cursor ? readCursor(cursor, sign) : null // `validatePage` has refused invalid cursors
  const backwards = from?.direction === 'prev'
  const order = backwards ? 'asc' : 'desc'
  const conditions = from ? { $and: [where, beyond(from)] } : where
  const [total, found] = await Promise.all([
    totalOf(em, entity, where),
    em.fork({ keepTransactionContext: true }).find(entity, conditions as FilterQuery<T>, {
      orderBy: [{ createdAt: order }, { id: order }] as never,
      limit: limit + 1,
      offset,
    }),
  ])
  const page = found.slice(0, limit) as T[]
  if (backwards) page.reverse()
  const more = found.length > limit
  const hasNext = backwards || more
  const hasPrev = backwards ? more : from !== null || offset > 0
  const first = page[0]
  const last = page.at(-1)
  return {
    rows: page,
    pagination: {
      next_cursor: hasNext && last ? writeCursor(last, 'next', sign) : null,
      prev_cursor: hasPrev && first ? writeCursor(first, 'prev', sign) : null,
      has_more: hasNext,
      limit,
      offset,
      total,
      returned: page.length,
    },
  }
}

/** The errors in the paging parameters; they are unchecked and may have any type. */
export function validatePage(
  shape: Input,
  { cursor, offset }: Record<string, unknown>,
  services: Services,
): FieldError[] {
  if (!shape || !('cursor' in shape.properties) || typeof cursor !== 'string' || cursor === '') return []
  const isUnknown = readCursor(cursor, signer(services)) === null
  const isBoth = typeof offset === 'number' && offset > 0
  return [
    ...(isBoth ? [{ field: 'offset', message: 'cannot be used together with cursor', type: 'value_error' }] : []),
    ...(isUnknown ? [{ field: 'cursor', message: 'is not one that a list has answered with', type: formatType }] : []),
  ]
}

const formatType = 'value_error.format'

/** Rows by offset, newest first, and their total. */
export const newestOf = <T extends Row>(
  em: EntityManager,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { limit = 50, offset = 0 }: Omit<PageQuery, 'cursor'>,
) => em.findAndCount(entity, where, { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] as never, limit, offset })

/** The number of rows: from the row counts that are kept for some tables, else by counting. */
function totalOf<T extends Row>(em: EntityManager, entity: EntityName<T>, where: FilterQuery<T>): Promise<number> {
  const { accountId, environment, ...filters } = where as Tenant & Record<string, unknown>
  const { tableName } = em.getMetadata().get(entity)
  if (!isCounted(tableName, filters)) return em.count(entity, where)
  return countedRows(em, tableName, { accountId, environment }, filters as Record<string, string>)
}

function beyond({ at, id, direction }: Position) {
  const createdAt = new Date(at)
  const past = direction === 'next' ? '$lt' : '$gt'
  // The first condition is implied by the second. It is there because the index can use it.
  return {
    $and: [
      { createdAt: { [`${past}e`]: createdAt } },
      { $or: [{ createdAt: { [past]: createdAt } }, { id: { [past]: id } }] },
    ],
  }
}

type Sign = (text: string) => Buffer

function signer({ encrypter }: Services): Sign {
  const key = encrypter.deriveKey('cursor')
  return (text) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
}

const encode = (text: string, sign: Sign): string =>
  `${Buffer.from(text).toString('base64url')}.${sign(text).toString('base64url')}`

const writeCursor = (row: Row, direction: Position['direction'], sign: Sign): string =>
  encode(JSON.stringify([row.createdAt.getTime(), row.id, direction]), sign)

/** A place in a list that is sorted by a moment, an id and a word. */
export type Place = [at: number, id: string, word: string]

/** A cursor of a list that goes on from a place. */
export const writePlace = (place: Place, services: Services): string => encode(JSON.stringify(place), signer(services))

/** The place in a cursor that `validatePage` has accepted. */
export function readPlace(cursor: string, services: Services): { wakesAt: number; id: string; reason: string } {
  const position = readCursor(cursor, signer(services))
  if (!position) throw new Error('a cursor was read that was not checked')
  return { wakesAt: position.at, id: position.id, reason: position.direction }
}

/** The position in a cursor; null if we did not make it. */
function readCursor(cursor: string, sign: Sign): Position | null {
  const [encoded = ''] = cursor.split('.', 1)
  const text = Buffer.from(encoded, 'base64url').toString()
  const given = Buffer.from(cursor)
  const expected = Buffer.from(encode(text, sign)) // compared as text: several base64 texts decode to the same bytes
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [at, id, direction] = JSON.parse(text) as [number, string, Position['direction']]
  return { at, id, direction }
}
