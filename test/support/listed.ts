import type { Client } from '@temporalio/client'
import { processId, type ProcessName } from '../../domain/processes.ts'

/** The state of a resource and whom it waits for, as operators find its process in the engine's list. */
export async function listed(client: Client, process: ProcessName, id: string): Promise<unknown[]> {
  const { searchAttributes } = await client.workflow.getHandle(processId(process, id)).describe()
  return [searchAttributes['State']?.[0], searchAttributes['WaitingOn']?.[0]]
}
