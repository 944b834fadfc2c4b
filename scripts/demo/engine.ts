import { Client } from '@temporalio/client'
import { loadTemporal } from '../../engine/config.ts'
import { openEngine } from '../../engine/connection.ts'
import { searchAttributes } from '../../workflows/search-attributes.ts'
import type { Session } from '../infra/session.ts'
import type { Stack } from './stack.ts'

/** A process as the engine shows it; `events` counts those of its history. */
export type Shown = { execution: string; status: string; events: number; url: string }

/** Looks into the engine, as an operator would: nothing here changes anything. */
export async function lookIntoEngine(session: Session, stack: Stack) {
  const env = { ...process.env, TEMPORAL_ADDRESS: stack.temporal_address }
  const { temporal, temporalNamespace: namespace } = loadTemporal(env)
  const connection = await openEngine(temporal)
  session.atEnd(() => connection.close())
  const client = new Client({ connection, namespace })

  const urlOf = (id: string): string => {
    const query = `WorkflowId="${id}"`
    if (stack.temporal_ui_url === null) return `(in your Temporal UI) ${query}`
    return `${stack.temporal_ui_url}/namespaces/${namespace}/workflows?query=${encodeURIComponent(query)}`
  }

  /** Throws where there is no such process. */
  async function show(id: string): Promise<Shown> {
    const found = await client.workflow.getHandle(id).describe()
    return {
      execution: found.status.name,
      status: found.typedSearchAttributes.get(searchAttributes.state) ?? '',
      events: found.historyLength,
      url: urlOf(id),
    }
  }

  return {
    show,
    urlOf,
    /** The waiting delivery whose summary names this event and resource; null until the engine lists it. */
    async findDelivery(eventType: string, resourceId: string): Promise<string | null> {
      const query = `Resource="delivery" AND WaitingOn="receiver" AND ExecutionStatus="Running"
        AND AccountId="${stack.organization_id}" AND StartTime > "${new Date(Date.now() - 120_000).toISOString()}"`
      for await (const { workflowId } of client.workflow.list({ query })) {
        const { staticSummary } = await client.workflow.getHandle(workflowId).describe()
        if ((await staticSummary()) === `${eventType} of ${resourceId}`) return workflowId
      }
      return null
    },
    /** What a process says about itself, such as "Waiting for the receiver, until …". */
    async detailsOf(id: string): Promise<string> {
      const about = await client.workflow
        .getHandle(id)
        .query<{ currentDetails?: string }, []>('__temporal_workflow_metadata')
      return about.currentDetails ?? ''
    },
  }
}

export type Engine = Awaited<ReturnType<typeof lookIntoEngine>>
