import { type EntityProperty, isRaw } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Meta, metaOfRow, type Row } from './metadata.ts'

/** An INSERT with `?` for its values and a RETURNING clause. The other rows are inserted only if it returns a row. */
export type Guard = { sql: string; params: unknown[] }

/**
 * One statement that inserts rows of several tables. It answers one row, or none if the guard inserts nothing. `setIds`
 * gives that answer's serial keys to the rows.
 */
export type Insertion = { text: string; values: unknown[]; setIds(answer: Row): void }

/** Rows of one table, which are inserted in their order. */
type Group = { meta: Meta; rows: Row[] }

/**
 * A statement that inserts all rows. Rows of one table get their serial keys in the order in which they are given. Of
 * the values that the database fills in, only serial keys are read back.
 */
export function insertionOf(em: EntityManager, rows: readonly object[], guard: Guard | null): Insertion {
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  // With a guard each row is selected from it, and a selected row has no word for the default of a column.
  const groups = guard ? rows.map((row) => groupOf(em, row, [row])) : byTable(em, rows)
  const guarding = guard ? [`guard as (${withParams(guard, param)})`] : []
  const parts = groups.map((group, index) => `row${index} as (${insert(em, group, param, guard !== null)})`)
  const serials = groups.flatMap(({ meta }, index) => (isSerial(meta) ? [index] : []))
  const ids = serials.map((index) => `(select array_agg(id order by id) from row${index}) as row${index}`)
  const from = guard ? ' from guard' : ''
  return {
    text: `with ${[...guarding, ...parts].join(', ')} select ${['1 as done', ...ids].join(', ')}${from}`,
    values,
    setIds(answer) {
      for (const index of serials) {
        const given = answer[`row${index}`] as (string | number)[]
        for (const [nth, row] of (groups[index]?.rows ?? []).entries()) row['id'] = BigInt(given[nth] ?? 0)
      }
    },
  }
}

const groupOf = (em: EntityManager, row: object, rows: readonly object[]): Group => ({
  meta: metaOfRow(em, row),
  rows: rows as Row[],
})

const byTable = (em: EntityManager, rows: readonly object[]): Group[] =>
  [...Map.groupBy(rows, (row) => row.constructor).values()].map((group) => groupOf(em, group[0] ?? {}, group))

const isSerial = (meta: Meta) => meta.getPrimaryProps().some(({ autoincrement }) => autoincrement)

type Param = (value: unknown) => string

function insert(em: EntityManager, { meta, rows }: Group, param: Param, isGuarded: boolean): string {
  const set = meta.props.filter(({ name }) => rows.some((row) => row[name] !== undefined))
  const columns = set.map(({ fieldNames }) => `"${fieldNames[0]}"`)
  const lists = rows.map((row) => set.map((prop) => valueOf(em, row[prop.name], prop, param)).join(', '))
  const source = isGuarded ? `select ${lists[0]} from guard` : `values ${lists.map((list) => `(${list})`).join(', ')}`
  const returning = isSerial(meta) ? ' returning id' : ''
  return `insert into "${meta.tableName}" (${columns.join(', ')}) ${source}${returning}`
}

/** The cast is to the type without its length: a value that is too long is refused, never cut. */
function valueOf(em: EntityManager, value: unknown, prop: EntityProperty<Row>, param: Param): string {
  if (value === undefined) return 'default'
  if (isRaw(value)) return withParams({ sql: value.sql, params: [...value.params] }, param)
  const type = prop.columnTypes[0]?.replace(/\(.*\)/, '')
  const stored = prop.customType ? prop.customType.convertToDatabaseValue(value, em.getPlatform()) : value
  return `${param(stored)}::${type}`
}

function withParams({ sql, params }: Guard, param: Param): string {
  let next = 0
  return sql.replaceAll('?', () => param(params[next++]))
}
