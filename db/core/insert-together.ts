import { type EntityProperty, isRaw } from '@mikro-orm/core'
import { clockOf, type Database, type EntityManager, prepareCommit } from './database.ts'
import { type Meta, type Row, runPrepared } from './prepared-statement.ts'

/** An INSERT with `?` for its values and a RETURNING clause. The other rows are inserted only if it returns a row. */
export type Guard = { sql: string; params: unknown[] }

/**
 * Inserts and commits all rows that `work` creates in one statement, and so in one round trip. If the guard inserts
 * nothing, no row is inserted and the result is null. Of the values that the database fills in, only serial keys are
 * read back.
 */
export async function insertTogether<T>(
  database: Database,
  work: (em: EntityManager) => Promise<T>,
  guardOf: (result: T) => Guard | null,
): Promise<T | null> {
  const { em, announceCommit } = prepareCommit(database)
  const result = await work(em)
  const rows = [...em.getUnitOfWork().getPersistStack()].map((row) => ({ row: row as Row, meta: metaOf(em, row) }))
  const clock = clockOf(em)
  for (const { row, meta } of rows) if (clock && 'clockId' in meta.properties) row['clockId'] ??= clock.id
  const { text, values } = statement(em, rows, guardOf(result))
  const [written] = await runPrepared(em, text, values)
  if (!written) return null
  for (const [index, { row, meta }] of rows.entries()) {
    if (isSerial(meta)) Object.assign(row, { id: BigInt(String(written[`row${index}`])) })
  }
  announceCommit()
  return result
}

function statement(em: EntityManager, rows: { row: Row; meta: Meta }[], guard: Guard | null) {
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const parts = guard ? [`guard as (${withParams(guard, param)})`] : []
  const writer = { param, source: guard ? ' from guard' : '' }
  for (const { row, meta } of rows)
    parts.push(`row${parts.length - Number(!!guard)} as (${insertion(em, row, meta, writer)})`)
  const serials = rows.flatMap(({ meta }, index) =>
    isSerial(meta) ? [`(select id from row${index}) as row${index}`] : [],
  )
  const text = `with ${parts.join(', ')} select ${['1 as done', ...serials].join(', ')}${writer.source}`
  return { text, values }
}

type Writer = { param: (value: unknown) => string; source: string }

const metaOf = (em: EntityManager, row: object) => em.getMetadata().get(row.constructor as never) as Meta

const isSerial = (meta: Meta) => meta.getPrimaryProps().some(({ autoincrement }) => autoincrement)

function insertion(em: EntityManager, row: Row, meta: Meta, { param, source }: Writer): string {
  const set = meta.props.filter(({ name }) => row[name] !== undefined)
  const columns = set.map(({ fieldNames }) => `"${fieldNames[0]}"`)
  const values = set.map((prop) => valueOf(em, row[prop.name], prop, param))
  const returning = isSerial(meta) ? ' returning id' : ''
  return `insert into "${meta.tableName}" (${columns.join(', ')}) select ${values.join(', ')}${source}${returning}`
}

/** The cast is to the type without its length: a value that is too long is refused, never cut. */
function valueOf(em: EntityManager, value: unknown, prop: EntityProperty<Row>, param: Writer['param']): string {
  if (isRaw(value)) return withParams({ sql: value.sql, params: [...value.params] }, param)
  const type = prop.columnTypes[0]?.replace(/\(.*\)/, '')
  const stored = prop.customType ? prop.customType.convertToDatabaseValue(value, em.getPlatform()) : value
  return `${param(stored)}::${type}`
}

function withParams({ sql, params }: Guard, param: Writer['param']): string {
  let next = 0
  return sql.replaceAll('?', () => param(params[next++]))
}
