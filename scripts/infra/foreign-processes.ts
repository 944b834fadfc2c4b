import { Client } from '@temporalio/client'
import { NamespaceNotFoundError } from '@temporalio/common'
import { describeProcesses } from '../../commands/open-rows.ts'
import { patientLimits } from '../../db/core/time-limits.ts'
import { openDatabase } from '../../db/open-database.ts'
import { processOf, type RowProcess } from '../../domain/processes.ts'
import type { Config } from '../../engine/config.ts'
import { queuesFilter } from '../../engine/process-view.ts'
import { openService } from './search-attributes.ts'
import { SetupError } from './session.ts'

type Service = Pick<Config, 'temporal' | 'temporalNamespace' | 'taskQueue' | 'webhookTaskQueue'>

/** So many processes are looked at. */
const processesMax = 20
/** These have no row, or one that may be deleted before its process ends. */
const withoutRow = ['housekeeping', 'supervisor', 'clock', 'webhook-endpoint', 'webhook-recovery']

/**
 * Refuses, with a `SetupError`, a Temporal service with processes in our task queues that are about rows of another
 * database: our worker would take their tasks and fail them, as it does not find the rows. Changes nothing.
 */
export async function refuseForeignProcesses(databaseUrl: string, service: Service): Promise<void> {
  const running = await listRunning(service)
  if (running.length === 0) return
  const database = await openDatabase(databaseUrl, 1, patientLimits)
  try {
    const em = database.orm.em.fork()
    for (const [process, some] of Map.groupBy(running, (each) => each.process)) {
      const ids = some.map(({ resourceId }) => resourceId)
      const known = await describeProcesses(em, process, ids)
      const unknown = ids.find((id) => !known.some(({ resourceId }) => resourceId === id))
      if (unknown !== undefined) throw foreign(service, unknown)
    }
  } finally {
    await database.orm.close()
  }
}

/** The newest running processes of our task queues that belong to rows. */
async function listRunning({ temporal, temporalNamespace: namespace, ...queues }: Service) {
  const found: { process: RowProcess; resourceId: string }[] = []
  const connection = await openService(temporal)
  try {
    const types = withoutRow.map((name) => `'${name}'`).join(', ')
    const query = `${queuesFilter(queues)} AND ExecutionStatus = 'Running' AND WorkflowType NOT IN (${types})`
    for await (const { workflowId } of new Client({ connection, namespace }).workflow.list({ query })) {
      const known = processOf(workflowId)
      if (!known || known.process === 'housekeeping' || known.process === 'supervisor') continue
      if (found.push({ process: known.process, resourceId: known.resourceId }) === processesMax) break
    }
  } catch (error) {
    if (!(error instanceof NamespaceNotFoundError)) throw error // it has no processes yet
  } finally {
    await connection.close()
  }
  return found
}

const foreign = (service: Service, id: string) =>
  new SetupError(
    `TEMPORAL_ADDRESS names a service whose task queue ${service.taskQueue} serves another database: a process of ` +
      `it works for ${id}, which this database does not have. npm start is for development: its worker would take ` +
      'the tasks of such processes and fail them.\nNo process was changed. Set TASK_QUEUE to a name of your own, or ' +
      'leave TEMPORAL_ADDRESS out. If the database was yours and you have emptied it, end what runs for it:\n' +
      `  temporal workflow terminate --address ${service.temporal.address} ` +
      `--namespace ${service.temporalNamespace} \\\n` +
      `    --query "${queuesFilter(service)} AND ExecutionStatus = 'Running'"`,
  )
