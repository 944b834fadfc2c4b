import { defineEntity, p } from '@mikro-orm/core'
import { moment } from './columns.ts'
import type { EntityManager } from './database.ts'
import type { RowProcess } from './open-rows.ts'

const schema = defineEntity({
  name: 'ProcessRestart',
  tableName: 'process_restarts',
  properties: {
    process: p.string().length(64).primary(),
    resourceId: p.string().primary(),
    // How often in a row, each time within the pause that was doubled then.
    restarts: p.integer().check('restarts > 0'),
    restartedAt: moment(),
    // A process that ends at once again is not started before: so one that cannot run costs little.
    notBefore: moment(),
  },
  indexes: [{ name: 'process_restarts_by_time', properties: ['restartedAt'] }],
})
/** A process that the supervisor had to start again, as its row was open and nothing worked for it. */
export class ProcessRestart extends schema.class {}
schema.setClass(ProcessRestart)

const minuteMs = 60_000
const pauseMaxMs = 6 * 60 * minuteMs
/** A process that has run for so long after its last restart counts from one again. */
export const restartsKeptMs = 48 * 60 * minuteMs

/** Milliseconds from the n-th restart in a row to the next: 2 minutes, 4, 8, at most 6 hours. */
export const pauseAfter = (restarts: number): number => Math.min(pauseMaxMs, minuteMs * 2 ** Math.min(restarts, 20))

/** Of these rows those whose process may not be started again yet. */
export async function resting(em: EntityManager, process: RowProcess, ids: string[], at: number): Promise<string[]> {
  const rows = await em.find(ProcessRestart, { process, resourceId: { $in: ids }, notBefore: { $gt: new Date(at) } })
  return rows.map(({ resourceId }) => resourceId)
}

type Restarted = { process: RowProcess; resourceId: string }

/** Counts that a process is started again: answers how often that was in a row. */
export async function countRestart(em: EntityManager, of: Restarted, at: number): Promise<number> {
  const { process, resourceId } = of
  const known = await em.findOne(ProcessRestart, { process, resourceId })
  const restarts = (known?.restarts ?? 0) + 1
  const times = { restarts, restartedAt: new Date(at), notBefore: new Date(at + pauseAfter(restarts)) }
  if (known) Object.assign(known, times)
  else em.create(ProcessRestart, { process, resourceId, ...times })
  return restarts
}

/** Forgets restarts that were long ago. */
export const forgetRestarts = (em: EntityManager, at: number): Promise<number> =>
  em.nativeDelete(ProcessRestart, { restartedAt: { $lt: new Date(at - restartsKeptMs) } })
