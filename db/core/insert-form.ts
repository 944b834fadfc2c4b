import { type EntityProperty, isRaw } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { castTo, isSerial, storedOf } from './insert-statement.ts'
import { metaOfRow, type Row } from './metadata.ts'
import { runPrepared } from './prepared-statement.ts'

/** A column of a new row: its SQL has a `?` for each of its values. */
type Cell = { column: string; sql: string; values: unknown[] }

/**
 * A row that decides whether others are inserted: they are if this one is inserted, or takes the place of another one
 * by `conflict`. Its first column tells it from all other rows of its table.
 */
export type Guard = { table: string; cells: Cell[]; conflict: string }

/** What one call inserts. Insertions of the same `form` have the same statements and differ in their values alone. */
export type Insertion = { form: Form; values: unknown[] }

/**
 * `single` inserts the rows of one call, with a parameter for each value. `several` inserts those of many, from a JSON
 * array of objects in its only parameter, which have the number of the call in `call` and its values in `v0`, `v1` …
 * Both answer a row with the serial keys of each call whose guard was inserted, the second one with its `call` too.
 */
export type Form = { single: string; several: string }

const forms = new Map<string, Form>()

/**
 * The insertion of new rows. A call that has a guard inserts nothing where its guard does not. Of the values that the
 * database fills in, only serial keys are read back.
 */
export function insertionOf(em: EntityManager, rows: readonly object[], guard: Guard | null): Insertion {
  const values = guard ? guard.cells.flatMap((cell) => cell.values) : []
  let key = guard ? `${guard.table} ${guard.cells.map(({ column, sql }) => column + sql).join()} ${guard.conflict}` : ''
  for (const row of rows as readonly Row[]) {
    const meta = metaOfRow(em, row)
    key += `; ${meta.tableName}`
    for (const prop of meta.props) {
      const value = row[prop.name]
      if (value === undefined) continue
      key += ` ${prop.name}`
      if (!isRaw(value)) values.push(storedOf(em, value, prop))
      else {
        key += ` ${value.sql}`
        values.push(...value.params)
      }
    }
  }
  let form = forms.get(key)
  if (!form) forms.set(key, (form = formOf(em, rows as readonly Row[], guard)))
  return { form, values }
}

/** Gives an answer's serial keys to the rows of its call. */
export function setSerialKeys(em: EntityManager, rows: readonly object[], answer: Row): void {
  for (const [index, row] of (rows as readonly Row[]).entries())
    if (isSerial(metaOfRow(em, row))) row['id'] = BigInt(answer[`row${index}`] as string)
}

/** Inserts a guard by itself. It answers whether it was inserted. */
export async function insertGuard(em: EntityManager, guard: Guard): Promise<boolean> {
  const { form, values } = insertionOf(em, [], guard)
  return (await runPrepared(em, form.single, values)).length > 0
}

type New = { table: string; cells: Cell[]; serial: boolean }

function formOf(em: EntityManager, rows: readonly Row[], guard: Guard | null): Form {
  const added = rows.map((row) => newRow(em, row))
  return { single: single(added, guard), several: several(added, guard) }
}

function newRow(em: EntityManager, row: Row): New {
  const meta = metaOfRow(em, row)
  const set = meta.props.filter(({ name }) => row[name] !== undefined)
  return { table: meta.tableName, cells: set.map((prop) => cellOf(row[prop.name], prop)), serial: isSerial(meta) }
}

function cellOf(value: unknown, prop: EntityProperty<Row>): Cell {
  const column = prop.fieldNames[0] ?? ''
  if (isRaw(value)) return { column, sql: value.sql, values: [...value.params] }
  return { column, sql: `?${castTo(prop)}`, values: [value] }
}

/** Writes `$1`, `$2` … or `c.v0`, `c.v1` … for each `?`, in the order of the values. */
function numbering(nameOf: (index: number) => string) {
  let next = 0
  return (sql: string) => sql.replaceAll('?', () => nameOf(next++))
}

const columnsOf = (cells: Cell[]) => cells.map(({ column }) => `"${column}"`).join(', ')

function single(rows: New[], guard: Guard | null): string {
  const numbered = numbering((index) => `$${index + 1}`)
  const parts = guard ? [`guard as (${guarding(guard, numbered, '')})`] : []
  const serials: string[] = []
  for (const [index, { table, cells, serial }] of rows.entries()) {
    const listed = cells.map(({ sql }) => numbered(sql)).join(', ')
    const insert = `insert into "${table}" (${columnsOf(cells)}) select ${listed}${guard ? ' from guard' : ''}`
    parts.push(`row${index} as (${insert}${serial ? ' returning id' : ''})`)
    if (serial) serials.push(`(select id from row${index}) as row${index}`)
  }
  return `with ${parts.join(', ')} select ${['1 as done', ...serials].join(', ')}${guard ? ' from guard' : ''}`
}

function several(rows: New[], guard: Guard | null): string {
  let count = 0
  const numbered = numbering((index) => {
    count = index + 1
    return `c.v${index}`
  })
  const from = guard ? ` from calls c join guard on guard.key = c.v0` : ' from calls c'
  const parts = guard ? [`guard as (${guarding(guard, numbered, ' from calls c')})`] : []
  const serials: string[] = []
  for (const [index, { table, cells, serial }] of rows.entries()) {
    const listed = cells.map(({ sql }) => numbered(sql)).join(', ')
    const [column, value] = serial ? ['"id", ', `c.row${index}, `] : ['', '']
    parts.push(`row${index} as (insert into "${table}" (${column}${columnsOf(cells)}) select ${value}${listed}${from})`)
    if (serial) serials.push(`nextval(pg_get_serial_sequence('${table}', 'id')) as row${index}`)
  }
  const fields = ['call int', ...Array.from({ length: count }, (_, index) => `v${index} text`)].join(', ')
  const calls = `select ${['v.*', ...serials].join(', ')} from json_to_recordset($1::json) as v(${fields})`
  const keys = rows.flatMap(({ serial }, index) => (serial ? [`c.row${index}`] : []))
  return `with calls as materialized (${calls}), ${parts.join(', ')} select ${['c.call', ...keys].join(', ')}${from}`
}

/** Inserts the guard. It answers its first column as `key`. */
function guarding({ table, cells, conflict }: Guard, numbered: (sql: string) => string, from: string): string {
  const listed = cells.map(({ sql }) => numbered(sql)).join(', ')
  const key = `"${cells[0]?.column}" as key`
  return `insert into "${table}" as r (${columnsOf(cells)}) select ${listed}${from} ${conflict} returning ${key}`
}
