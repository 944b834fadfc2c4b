import type { EntityManager } from '../core/database.ts'
import { numbered, runPrepared } from '../core/prepared-statement.ts'
import { labelled, momentsOf, type Read, readWaits, type Wait } from './agenda.ts'
import { waitSources } from './wait-sources.ts'

// What the members of a test clock wait for.

/** Planned once for each connection, as planning takes longer than reading: a clock asks again and again. */
const runOften = (em: EntityManager, sql: string, params: unknown[]): Promise<Read[]> =>
  runPrepared<Read>(em, numbered(sql), params)

/** The waits of a clock's members for which a condition holds; `at` is the moment of the question. */
function onClock(em: EntityManager, clockId: string, at: number, condition: string, more: unknown[], order: string) {
  const parts = waitSources.map((source) => ({
    sql: `(${labelled(source)} where clock_id = ? ${condition})`,
    params: [...momentsOf(source.rows, at), clockId, ...more],
  }))
  return readWaits(em, parts, order, runOften)
}

/** The waits of a test clock's members that end at or before a moment, in milliseconds since the epoch. */
export const dueOnClock = (em: EntityManager, clockId: string, at: number): Promise<Wait[]> =>
  onClock(em, clockId, at - 1, 'and wakes_at <= ?', [new Date(at)], 'order by wakes_at, id, reason')

/** Every wait of a test clock's members, also those whose end is not known. */
export const allOnClock = (em: EntityManager, clockId: string, at: number): Promise<Wait[]> =>
  onClock(em, clockId, at - 1, '', [], 'order by wakes_at, id, reason')

/** When the next wait of a clock's members ends after a moment, both in ms since the epoch; null: none does. */
export async function nextOnClock(em: EntityManager, clockId: string, at: number): Promise<number | null> {
  const isFirst = 'order by wakes_at limit 1'
  const [next] = await onClock(em, clockId, at - 1, `and wakes_at > ? ${isFirst}`, [new Date(at)], isFirst)
  return next?.wakesAt?.getTime() ?? null
}
