import { type ProcessName, processId } from '../../domain/processes.ts'
import type { Services } from '../http/services.ts'

/** A process by its id in the engine, and its page in the Temporal UI; null where that address is not configured. */
export function processLink(
  { temporalUiUrl: ui, temporalNamespace: namespace }: Services['config'],
  process: ProcessName,
  resourceId: string,
): { workflow_id: string; url: string | null } {
  const workflowId = processId(process, resourceId)
  const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`
  return { workflow_id: workflowId, url: ui ? `${ui}/${path}` : null }
}
