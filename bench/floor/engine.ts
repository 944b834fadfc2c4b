import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { goOn, oneStep, signalAndTwoSteps, threeSteps } from './workflows.ts'

const bare = () => ({ taskQueue: 'floor', workflowId: `floor/${randomUUID()}`, args: [] as [] })

/** One bare workflow with one activity that does nothing, from its start until its result is known. */
export const runOneStep = (client: Client): Promise<void> => client.workflow.execute(oneStep, bare())

/** The least cost of a sale: a process that is started and signalled and takes two steps, then two deliveries. */
export async function runBareSale(client: Client): Promise<void> {
  const sale = await client.workflow.start(signalAndTwoSteps, bare())
  await sale.signal(goOn)
  await sale.result()
  await Promise.all([runOneStep(client), runOneStep(client)])
}

/** The least cost of a payout: a process with three steps, from its start until its result is known. */
export const runThreeSteps = (client: Client): Promise<void> => client.workflow.execute(threeSteps, bare())
