import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { EntityManager } from '../../db/core/database.ts'
import { processId, type ProcessName } from '../../domain/processes.ts'

const batchMax = 500
const describedAtOnce = 16

/** Rows that must have a running process: a SELECT of `id` from `c`, to which conditions can be added. */
export type Unfinished = [process: ProcessName, sql: string]

/** How many rows were compared with their processes, and the violations in words. */
export type Looked = { rows: number; violations: string[] }

/** A row that waits in the outbox has no process yet, which is right. */
const notPromised = 'and not exists (select from outbox o where o.resource_id = c.id)'

/**
 * Checks every unfinished row, in batches. A row whose process does not run is read again, because both may have ended
 * in between.
 */
export async function checkProcesses(em: EntityManager, client: Client, kinds: Unfinished[]): Promise<Looked> {
  const looked: Looked = { rows: 0, violations: [] }
  for (const [process, sql] of kinds) {
    const wanted = `${sql} ${notPromised}`
    for (let after = ''; ;) {
      const next = `${wanted} and c.id > ? order by c.id limit ${batchMax}`
      const ids = (await em.execute<{ id: string }[]>(next, [after])).map(({ id }) => id)
      looked.rows += ids.length
      const alone = await withoutProcess(client, process, ids)
      const still = alone.length > 0 ? await em.execute<{ id: string }[]>(`${wanted} and c.id in (?)`, [alone]) : []
      looked.violations.push(...still.map(({ id }) => `an unfinished row has a running process: ${id} has none`))
      if (ids.length < batchMax) break
      after = ids.at(-1) ?? ''
    }
  }
  return looked
}

async function withoutProcess(client: Client, process: ProcessName, ids: string[]): Promise<string[]> {
  const left = [...ids]
  const alone: string[] = []
  const describeNext = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      if (!(await isRunning(client, processId(process, id)))) alone.push(id)
    }
  }
  await Promise.all(Array.from({ length: describedAtOnce }, describeNext))
  return alone
}

async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING'
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
