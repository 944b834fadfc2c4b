import { createHmac } from 'node:crypto'
import type { EntityName, FilterQuery, QueryOrderMap } from '@mikro-orm/core'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { countInRange, hasCountedHours, type Range } from '../../db/core/counted-hours.ts'
import { countedRows, isCounted } from '../../db/core/row-count.ts'
import { type FieldError, invalid } from '../../domain/refusal.ts'
import type { Input } from './operation.ts'
import type { Services } from './services.ts'
import { isSameSecret } from './same-secret.ts'

/** The paging parameters of a `/v1` list, checked. */
export type PageQuery = { limit?: number; offset?: number; cursor?: string }

type Row = { id: string; createdAt: Date }
/** What a cursor contains. Cursors of earlier releases name no list. */
type Position = Place & { list: string | undefined }

/** By which moment a list is sorted, and whether its earliest or its latest row comes first. */
export type Order = { by: string; first: 'earliest' | 'latest' }
export const newestFirst: Order = { by: 'createdAt', first: 'latest' }

/** The directions of a cursor. A list with an order of its own does not take the cursors of another order. */
const directionsOf = ({ by }: Order) => {
  const prefix = by === newestFirst.by ? '' : `${by} `
  return { next: `${prefix}next`, prev: `${prefix}prev` }
}

type Means = { em: EntityManager; services: Services }

/**
 * One page, newest first unless another order is named, by offset or by cursor. A cursor contains a position and a
 * direction. It is signed, so that only we can make one. With a cursor, new rows do not shift the pages. `total` is for
 * a list that counts its rows in its own way.
 */
export async function listPage<T extends Row>(
  means: Means,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  query: PageQuery,
  order = newestFirst,
  total: number | Promise<number> = totalOf(means.em, entity, where),
) {
  const [{ rows, pagination }, found] = await Promise.all([listByCursor(means, entity, where, query, order), total])
  const { returned, ...rest } = pagination
  return { rows, pagination: { ...rest, offset: query.offset ?? 0, total: found, returned } }
}

/** The same for a list whose rows are too many to be counted with each page. */
export async function listByCursor<T extends Row>(
  { em, services }: Means,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { limit = 50, offset = 0, cursor }: PageQuery,
  order = newestFirst,
) {
  const sign = signer(services)
  const directions = directionsOf(order)
  const list = em.getMetadata().get(entity).tableName
  const from = cursor ? readCursor(cursor, sign) : null // `validatePage` has refused cursors that we did not make
  assertOfList(from, list)
  if (from && !Object.values(directions).includes(from.word)) throw invalid('cursor', 'is of another order')
  const backwards = from?.word === directions.prev
  const isAscending = backwards === (order.first === 'latest')
  const sort = isAscending ? 'asc' : 'desc'
  const conditions = from ? { $and: [where, beyond(from, order.by, isAscending)] } : where
  const found = await pageOf(em.fork({ keepTransactionContext: true }), entity, conditions as FilterQuery<T>, {
    orderBy: [{ [order.by]: sort }, { id: sort }] as Sorting<T>,
    limit: limit + 1,
    offset,
  })
  // The rows before a page may all have left the list: then its first page is the one to go on from.
  if (backwards && found.length === 0) return listByCursor({ em, services }, entity, where, { limit }, order)
  const page = found.slice(0, limit)
  if (backwards) page.reverse()
  const more = found.length > limit
  const hasNext = backwards || more
  const hasPrev = backwards ? more : from !== null || offset > 0
  const first = page[0]
  const last = page.at(-1)
  const cursorAt = (row: T, direction: string) => encode({ ...placeOf(row, order.by, direction), list }, sign)
  return {
    rows: page,
    pagination: {
      next_cursor: hasNext && last ? cursorAt(last, directions.next) : null,
      prev_cursor: hasPrev && first ? cursorAt(first, directions.prev) : null,
      has_more: hasNext,
      limit,
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

/** Of an entity that is not known here the compiler does not see that it has these columns. */
type Sorting<T> = QueryOrderMap<T>[]
type Offset<T> = { orderBy: Sorting<T>; limit: number; offset: number }
/** From this offset on the rows before a page are skipped by their ids, which an index has. */
const DEEP = 500

/** The rows of a page. Those that are skipped are not read as a whole: with a large offset they are many. */
async function pageOf<T extends Row>(
  em: EntityManager,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { orderBy, limit, offset }: Offset<T>,
): Promise<T[]> {
  if (offset < DEEP) return em.find(entity, where, { orderBy, limit, offset }) as Promise<T[]>
  const ids = await em
    .fork({ keepTransactionContext: true })
    .find(entity, where, { fields: ['id'] as never, orderBy, limit, offset })
  const id = { $in: ids.map((row) => row.id) }
  return em.find(entity, { $and: [where, { id }] } as FilterQuery<T>, { orderBy }) as Promise<T[]>
}

/** Rows by offset, newest first, and their total. */
export const newestOf = <T extends Row>(
  em: EntityManager,
  entity: EntityName<T>,
  where: FilterQuery<T>,
  { limit = 50, offset = 0 }: Omit<PageQuery, 'cursor'>,
): Promise<[T[], number]> => {
  const orderBy: object[] = [{ createdAt: 'desc' }, { id: 'desc' }]
  const rows = pageOf(em, entity, where, { orderBy: orderBy as Sorting<T>, limit, offset })
  return Promise.all([rows, totalOf(em.fork({ keepTransactionContext: true }), entity, where)])
}

/** The number of rows: from the counts that are kept of some tables, else by counting. */
function totalOf<T extends Row>(em: EntityManager, entity: EntityName<T>, where: FilterQuery<T>): Promise<number> {
  const { accountId, environment, createdAt, ...filters } = where as Tenant & { createdAt?: Range }
  const { tableName } = em.getMetadata().get(entity)
  const owner = { accountId, environment }
  if (createdAt && hasCountedHours(tableName, filters)) {
    const [facet = ''] = Object.values<string>(filters)
    return countInRange(
      em,
      entity,
      { ...owner, ...filters } as FilterQuery<T>,
      { ...owner, tableName, facet },
      createdAt,
    )
  }
  if (createdAt || !isCounted(tableName, filters)) return em.count(entity, where)
  return countedRows(em, tableName, owner, filters)
}

function beyond({ at, id }: Position, by: string, isAscending: boolean) {
  const moment = new Date(at)
  const past = isAscending ? '$gt' : '$lt'
  // The first condition is implied by the second. It is there because the index can use it.
  return {
    $and: [{ [by]: { [`${past}e`]: moment } }, { $or: [{ [by]: { [past]: moment } }, { id: { [past]: id } }] }],
  }
}

function placeOf(row: Row, by: string, direction: string): Place {
  const moment: unknown = row[by as keyof Row]
  if (!(moment instanceof Date)) throw new Error(`a list cannot be sorted by ${by}`)
  return { at: moment.getTime(), id: row.id, word: direction }
}

type Sign = (text: string) => Buffer

function signer({ encrypter }: Services): Sign {
  const key = encrypter.deriveKey('cursor')
  return (text) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
}

const encode = ({ at, id, word, list }: Position, sign: Sign): string =>
  seal(JSON.stringify([at, id, word, list]), sign)

const seal = (text: string, sign: Sign): string =>
  `${Buffer.from(text).toString('base64url')}.${sign(text).toString('base64url')}`

/** A row's place in a list, by what it is sorted by: `at`, in milliseconds since the epoch, its id, and a word. */
export type Place = { at: number; id: string; word: string }

/** A cursor of the list of this name that goes on from a place. */
export const writePlace = (list: string, place: Place, services: Services): string =>
  encode({ ...place, list }, signer(services))

/** The place in a cursor that `validatePage` has accepted. */
export function readPlace(list: string, cursor: string, services: Services): Place {
  const position = readCursor(cursor, signer(services))
  if (!position) throw new Error('a cursor was read that was not checked')
  assertOfList(position, list)
  return { at: position.at, id: position.id, word: position.word }
}

/**
 * One page of rows that were all read, sorted by the word that `wordOf` names: for a list that is short, whatever the
 * account. The words are different from one another.
 */
export function pageOfAll<T>(
  list: string,
  rows: readonly T[],
  wordOf: (row: T) => string,
  { limit = 50, offset = 0, cursor }: PageQuery,
  services: Services,
) {
  // The place of a row is its word, as the id, and the direction in which the cursor goes on from it.
  const from = cursor ? readPlace(list, cursor, services) : null
  const isBackwards = from?.word === 'prev'
  const before = from ? rows.filter((row) => wordOf(row) < from.id || (!isBackwards && wordOf(row) === from.id)) : []
  const first = from ? before.length - (isBackwards ? Math.min(limit, before.length) : 0) : offset
  // The rows before a page may all have left the list: then its first page is the one to go on from.
  const page = rows.slice(first, isBackwards && before.length > 0 ? before.length : first + limit)
  const hasNext = first + page.length < rows.length && page.length > 0
  const cursorAt = (row: T | undefined, direction: string) =>
    row === undefined ? null : writePlace(list, { at: 0, id: wordOf(row), word: direction }, services)
  return {
    rows: page,
    pagination: {
      next_cursor: hasNext ? cursorAt(page.at(-1), 'next') : null,
      prev_cursor: first > 0 ? cursorAt(page[0], 'prev') : null,
      has_more: hasNext,
      limit,
      offset,
      total: rows.length,
      returned: page.length,
    },
  }
}

/** Refuses the cursor of another list: its place would mean nothing here. */
function assertOfList(position: Position | null, list: string): void {
  if (position?.list === undefined || position.list === list) return
  throw invalid('cursor', 'is of another list: send the one that this list has answered with')
}

/** The position in a cursor; null if we did not make it. */
function readCursor(cursor: string, sign: Sign): Position | null {
  const [encoded = ''] = cursor.split('.', 1)
  const text = Buffer.from(encoded, 'base64url').toString()
  // Compared as text: several base64 texts decode to the same bytes.
  if (!isSameSecret(cursor, seal(text, sign))) return null
  const [at, id, word, list] = JSON.parse(text) as [number, string, string, string | undefined]
  return { at, id, word, list }
}
