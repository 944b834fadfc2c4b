import { type EntityProperty, isRaw } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Meta, metaOfRow, type Row } from './metadata.ts'

/** One statement that inserts rows of several tables. `setIds` gives the serial keys of its answer to the rows. */
export type InsertStatement = { text: string; values: unknown[]; setIds(answer: Row): void }

/** Rows of one table, which are inserted in their order. */
type Group = { meta: Meta; rows: Row[] }

/**
 * A statement that inserts all rows. Rows of one table get their serial keys in the order in which they are given. Of
 * the values that the database fills in, only serial keys are read back.
 */
export function insertStatementOf(em: EntityManager, rows: readonly object[]): InsertStatement {
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const groups = [...Map.groupBy(rows as readonly Row[], (row) => row.constructor).values()].map((group): Group => ({
    meta: metaOfRow(em, group[0] ?? {}),
    rows: group,
  }))
  const parts = groups.map((group, index) => `row${index} as (${insert(em, group, param)})`)
  const serials = groups.flatMap(({ meta }, index) => (isSerial(meta) ? [index] : []))
  const ids = serials.map((index) => `(select array_agg(id order by id) from row${index}) as row${index}`)
  return {
    text: `with ${parts.join(', ')} select ${['1 as done', ...ids].join(', ')}`,
    values,
    setIds(answer) {
      for (const index of serials) {
        const given = answer[`row${index}`] as (string | number)[]
        for (const [nth, row] of (groups[index]?.rows ?? []).entries()) row['id'] = BigInt(given[nth] ?? 0)
      }
    },
  }
}

/** Whether the database numbers the rows. */
export const isSerial = (meta: Meta) => meta.getPrimaryProps().some(({ autoincrement }) => autoincrement)

type Param = (value: unknown) => string

function insert(em: EntityManager, { meta, rows }: Group, param: Param): string {
  const set = meta.props.filter(({ name }) => rows.some((row) => row[name] !== undefined))
  const columns = set.map(({ fieldNames }) => `"${fieldNames[0]}"`)
  const lists = rows.map((row) => set.map((prop) => valueOf(em, row[prop.name], prop, param)).join(', '))
  const returning = isSerial(meta) ? ' returning id' : ''
  return `insert into "${meta.tableName}" (${columns.join(', ')}) values (${lists.join('), (')})${returning}`
}

function valueOf(em: EntityManager, value: unknown, prop: EntityProperty<Row>, param: Param): string {
  if (value === undefined) return 'default'
  if (isRaw(value)) return withParams(value, param)
  return param(storedOf(em, value, prop)) + castTo(prop)
}

/** A value as the driver takes it. */
export const storedOf = (em: EntityManager, value: unknown, { customType }: EntityProperty<Row>): unknown =>
  customType ? customType.convertToDatabaseValue(value, em.getPlatform()) : value

/** The cast is to the type without its length: a value that is too long is refused, never cut. */
export const castTo = ({ columnTypes }: EntityProperty<Row>): string => `::${columnTypes[0]?.replace(/\(.*\)/, '')}`

function withParams({ sql, params }: { sql: string; params: readonly unknown[] }, param: Param): string {
  let next = 0
  return sql.replaceAll('?', () => param(params[next++]))
}
