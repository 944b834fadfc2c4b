import type { Client } from '@temporalio/client'
import { processId, type ProcessName } from '../../domain/processes.ts'

/** What a process says in the engine's UI: whom it waits for, until when, and what staff can do. */
export async function detailsOf(client: Client, process: ProcessName, id: string): Promise<string> {
  const handle = client.workflow.getHandle(processId(process, id))
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
  return currentDetails ?? ''
}
