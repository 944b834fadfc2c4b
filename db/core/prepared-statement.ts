import { type EntityClass, type EntityName, type EntityProperty, LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { type Meta, metaOf, type Row } from './metadata.ts'
import { runIn } from './postgres-driver.ts'
import { runNamed } from './prepared-query.ts'

const names = new Map<string, string>()

/**
 * Runs a prepared statement, which the server plans once per connection; only for the few texts that most calls need.
 * Within a transaction it runs over the transaction's connection, else it commits at once.
 */
export async function runPrepared<R extends object = Row>(
  em: EntityManager,
  text: string,
  values: unknown[],
): Promise<R[]> {
  const transaction = em.getTransactionContext()
  let name = names.get(text)
  if (!name) names.set(text, (name = `planned-${names.size}`))
  try {
    if (transaction) return (await runIn(transaction, text, values, name)) as R[]
    const pool = (await em.getConnection().getNativeClient()) as Pool
    return await runNamed<R>(pool, { name, text, values })
  } catch (error) {
    throw converted(em, error)
  }
}

/** A text whose parameters are `?`, with numbers for them, as prepared statements have. */
export function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/** Runs one of many texts in a transaction: the first ones that run a few times are prepared, the others are not. */
export async function runOneOfMany<R extends object = Row>(
  em: EntityManager,
  text: string,
  values: unknown[],
): Promise<R[]> {
  try {
    return (await runIn(em.getTransactionContext(), text, values)) as R[]
  } catch (error) {
    throw converted(em, error)
  }
}

/** An error of the driver as MikroORM throws it. */
const converted = (em: EntityManager, error: unknown): Error =>
  em
    .getPlatform()
    .getExceptionConverter()
    .convertException(error as Error)

/**
 * The row whose columns are equal to `where`, or null. The result has the entity's properties but is not managed:
 * changes to it are not saved. It costs a third of `em.findOne`. With an `id` in `where` the row is read by it alone:
 * for more columns Postgres may prefer an index of lists, and read all rows of an account, until the table is analyzed.
 * The other columns, which are texts, are compared here.
 */
export async function readRow<T extends object>(
  em: EntityManager,
  entity: EntityClass<T>,
  where: Partial<T>,
): Promise<Readonly<T> | null> {
  const meta = metaOf(em, entity)
  const { text, asked, compared } = queryBy(meta, Object.keys(where))
  const [found] = await runPrepared(
    em,
    text,
    asked.map((name) => (where as Row)[name]),
  )
  if (!found || compared.some((name) => found[name] !== (where as Row)[name])) return null
  return read(em, meta, found) as T
}

const lockingQueries = new WeakMap<Meta, string>()

/**
 * The row with an id, managed by `em` and locked until its transaction ends; null where there is none. Others can add
 * rows that refer to it (see db/core/postgres-driver.ts). It costs half of `em.findOne`, which is for a row that `em`
 * already has: what was changed of it stays.
 */
export async function lockRow<T extends { id: string }>(
  em: EntityManager,
  entity: EntityName<T>,
  id: string,
): Promise<T | null> {
  const key = id as never // MikroORM derives the type of a key from the entity, which is not known here
  if (!em.isInTransaction() || em.getUnitOfWork().getById(entity, key))
    return em.findOne(entity, key, { lockMode: LockMode.PESSIMISTIC_WRITE }) as Promise<T | null>
  const meta = metaOf(em, entity as EntityName<object>)
  let text = lockingQueries.get(meta)
  if (!text) {
    const columns = meta.props.map((prop) => `"${columnOf(prop)}"`)
    text = `select ${columns.join(', ')} from "${meta.tableName}" where id = $1 for no key update`
    lockingQueries.set(meta, text)
  }
  const [row] = await runPrepared(em, text, [id])
  if (!row) return null
  // Not `em.map`, which refuses a value of an enum that only a newer release knows.
  const data = em.getDriver().mapResult(row as never, meta as never)
  return em.merge(entity, data as never, { convertCustomTypes: true, refresh: true, validate: false }) as T
}

/** A statement that reads a row by some of its properties; the others are compared with the row. */
type QueryBy = { text: string; asked: string[]; compared: string[] }

const queriesBy = new WeakMap<Meta, Map<string, QueryBy>>()

/** The statement that reads a row by these properties. Its text is long, so it is built once. */
function queryBy(meta: Meta, properties: string[]): QueryBy {
  const known = queriesBy.get(meta) ?? new Map<string, QueryBy>()
  queriesBy.set(meta, known)
  const key = properties.join()
  let query = known.get(key)
  if (!query) {
    const others = properties.filter((name) => name !== 'id')
    const [asked, compared] = others.length < properties.length ? [['id'], others] : [properties, []]
    const conditions = asked.map((name, index) => `"${columnOf(meta.properties[name])}" = $${index + 1}`)
    const columns = meta.props.map((prop) => `"${columnOf(prop)}" as "${prop.name}"`)
    const text = `select ${columns.join(', ')} from "${meta.tableName}" where ${conditions.join(' and ')}`
    known.set(key, (query = { text, asked, compared }))
  }
  return query
}

/** What a row refers to: an entity, and the property of the row that has its id. */
type Parents<T> = Record<string, { entity: EntityClass<object>; by: keyof T & string }>
type WithParents<T, P extends Parents<T>> = { row: Readonly<T> } & {
  [Name in keyof P]: (P[Name]['entity'] extends EntityClass<infer Parent> ? Readonly<Parent> : never) | null
}

/**
 * A function that reads the row with an id together with rows that it refers to, by one statement; null where there is
 * no such row. A parent that is missing is null. As with `readRow`, changes to them are not saved.
 */
export function readerWithParents<T extends object, P extends Parents<T>>(entity: EntityClass<T>, parents: P) {
  let query: { text: string; parts: { name: string; meta: Meta }[] } | undefined
  return async (em: EntityManager, id: string): Promise<WithParents<T, P> | null> => {
    const { text, parts } = (query ??= queryWithParents(em, entity as EntityClass<object>, parents))
    const [found] = await runPrepared(em, text, [id])
    if (!found) return null
    const rows = parts.map(({ name, meta }) => {
      const row = Object.fromEntries(meta.props.map((prop) => [prop.name, found[`${name}.${prop.name}`]]))
      return [name, row['id'] === null ? null : read(em, meta, row)] as const
    })
    return Object.fromEntries(rows) as WithParents<T, P>
  }
}

function queryWithParents(em: EntityManager, entity: EntityClass<object>, parents: Parents<never>) {
  const own = metaOf(em, entity)
  const related = Object.entries(parents).map(([name, parent]) => ({
    name,
    meta: metaOf(em, parent.entity),
    by: parent.by,
  }))
  const parts = [{ name: 'row', meta: own }, ...related]
  const columns = parts.flatMap(({ name, meta }) =>
    meta.props.map((prop) => `"${name}"."${columnOf(prop)}" as "${name}.${prop.name}"`),
  )
  const joins = related.map(
    ({ name, meta, by }) =>
      ` left join "${meta.tableName}" "${name}" on "${name}".id = "row"."${columnOf(own.properties[by])}"`,
  )
  const text = `select ${columns.join(', ')} from "${own.tableName}" "row"${joins.join('')} where "row".id = $1`
  return { text, parts }
}

/** Gives a row, in place, the values that the entity's properties have. */
function read(em: EntityManager, meta: Meta, row: Row): Row {
  for (const { name, convert } of conversionsOf(em, meta)) {
    const value = row[name]
    if (value !== null) row[name] = convert(value)
  }
  return row
}

type Conversion = { name: string; convert(value: unknown): unknown }

const conversions = new WeakMap<Meta, Conversion[]>()

/** How the properties are read whose values are not those that the driver returns. */
function conversionsOf(em: EntityManager, meta: Meta): Conversion[] {
  let known = conversions.get(meta)
  if (!known) {
    const platform = em.getPlatform()
    known = meta.props.flatMap(({ name, runtimeType, customType }): Conversion[] => {
      if (runtimeType === 'Date') return [{ name, convert: (value) => new Date(value as string) }]
      return customType ? [{ name, convert: (value) => customType.convertToJSValue(value, platform) }] : []
    })
    conversions.set(meta, known)
  }
  return known
}

const columnOf = (prop: EntityProperty<Row> | undefined): string => {
  if (!prop?.fieldNames[0]) throw new Error('no such column')
  return prop.fieldNames[0]
}
