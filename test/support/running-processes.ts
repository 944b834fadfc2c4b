import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { filterOpen } from '../../commands/open-rows.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { processId, type ProcessName, processOf, type RowProcess } from '../../domain/processes.ts'
import type { Config } from '../../engine/config.ts'
import { queuesFilter } from '../../engine/process-view.ts'
import { until } from './until.ts'

const batchMax = 500
const describedAtOnce = 16
/** A process ends a moment after its row, and the engine's list is seconds behind. */
const patience = { withinMs: 10_000, everyMs: 500 }

/** The engine of a deployment, and its task queues, as others may share it. Where time is skipped, it has no list. */
export type EngineOf = { client: Client; queues?: Pick<Config, 'taskQueue' | 'webhookTaskQueue'> }

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

/** The running processes whose row is missing or has ended, in words: they would wait for ever. */
export async function findStrays(em: EntityManager, { client, queues }: EngineOf, at: number): Promise<string[]> {
  if (!queues) return []
  const query = `${queuesFilter(queues)} AND ExecutionStatus = 'Running'`
  let strays: string[] = []
  let batch: string[] = []
  for await (const { workflowId } of client.workflow.list({ query })) {
    if (batch.push(workflowId) < batchMax) continue
    strays.push(...(await withoutRow(em, batch, at)))
    batch = []
  }
  strays.push(...(await withoutRow(em, batch, at)))
  const areGone = async () => {
    const running = await Promise.all(strays.map((id) => isRunning(client, id)))
    strays = await withoutRow(
      em,
      strays.filter((_, index) => running[index]),
      at,
    )
    return strays.length === 0
  }
  await until(areGone, 'each running process has an open row', patience).catch(() => undefined)
  return strays.map((id) => `a running process has an open row: ${id} has none`)
}

/** Those of these processes that work for a row, and whose row is not open. */
async function withoutRow(em: EntityManager, workflowIds: string[], at: number): Promise<string[]> {
  const working = workflowIds.flatMap((workflowId) => {
    const of = processOf(workflowId)
    return of && isOfRow(of.process) ? [{ workflowId, process: of.process, id: of.resourceId }] : []
  })
  const found: string[] = []
  for (const [process, some] of Map.groupBy(working, (each) => each.process)) {
    const open = new Set(
      await filterOpen(
        em,
        process,
        some.map(({ id }) => id),
        at,
      ),
    )
    found.push(...some.filter(({ id }) => !open.has(id)).map(({ workflowId }) => workflowId))
  }
  return found
}

const isOfRow = (process: ProcessName): process is RowProcess => process !== 'housekeeping' && process !== 'supervisor'
