import { defineEntity, p } from '@mikro-orm/core'
import { moment } from './columns.ts'
import type { EntityManager } from './database.ts'
import type { RowProcess } from '../../domain/processes.ts'
import { hourMs } from '../../domain/duration.ts'

const schema = defineEntity({
  name: 'ProcessRestart',
  tableName: 'process_restarts',
  properties: {
    process: p.string().length(64).primary(),
    resourceId: p.string().primary(),
    // How many times in a row; each time the pause is doubled.
    restarts: p.integer().check('restarts > 0'),
    restartedAt: moment(),
    // No restart before this moment, so that a process that cannot run costs little.
    notBefore: moment(),
  },
  indexes: [{ name: 'process_restarts_by_time', properties: ['restartedAt'] }],
})
/** A process that the supervisor had to start again because its row was open and had no running process. */
export class ProcessRestart extends schema.class {}
schema.setClass(ProcessRestart)

/** From one restart to the next in seconds: 2 minutes, 4, 8, at most 6 hours. */
const pauseMin = 120
const pauseMax = 6 * 3_600
/** A process that has run for this long after its last restart is counted from one again. */
const keptMs = 48 * hourMs

/** Which of these rows have a process that may not be started again yet. */
export async function findPausedRestarts(
  em: EntityManager,
  process: RowProcess,
  ids: string[],
  at: number,
): Promise<string[]> {
  const rows = await em.find(ProcessRestart, { process, resourceId: { $in: ids }, notBefore: { $gt: new Date(at) } })
  return rows.map(({ resourceId }) => resourceId)
}

/** Counts the restarts of these rows' processes. Returns how many there were in a row, by row id. */
export async function countRestarts(
  em: EntityManager,
  process: RowProcess,
  ids: string[],
  at: number,
): Promise<Map<string, number>> {
  const now = new Date(at)
  const rows = await em.execute<{ id: string; restarts: number }[]>(
    `insert into process_restarts as known (process, resource_id, restarts, restarted_at, not_before)
     select ?, id, 1, ?, ?::timestamptz + make_interval(secs => ${pauseMin}) from json_array_elements_text(?) id
     on conflict (process, resource_id) do update set restarts = known.restarts + 1,
       restarted_at = excluded.restarted_at, not_before = excluded.restarted_at
         + make_interval(secs => least(${pauseMax}, ${pauseMin} * 2 ^ least(known.restarts, 20)))
     returning resource_id as id, restarts`,
    [process, now, now, JSON.stringify(ids)],
  )
  return new Map(rows.map(({ id, restarts }) => [id, restarts]))
}

/** Forgets restarts that were long ago. */
export const forgetRestarts = (em: EntityManager, at: number): Promise<number> =>
  em.nativeDelete(ProcessRestart, { restartedAt: { $lt: new Date(at - keptMs) } })
