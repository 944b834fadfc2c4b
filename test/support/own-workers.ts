import { NativeConnection } from '@temporalio/worker'
import type { createActivities } from '../../activities/index.ts'
import { createWorkers } from '../../engine/workers.ts'
import type { useStack } from './use-stack.ts'

type Stack = Pick<Awaited<ReturnType<typeof useStack>>, 'taskQueue' | 'deps'>
type Given = { steps: ReturnType<typeof createActivities>; inThisThread: boolean }

/** Runs workers of a stack that has none, with these steps, until `act` is done. */
export async function withWorkers(
  { taskQueue, deps }: Stack,
  { steps, inThisThread }: Given,
  act: () => Promise<void>,
): Promise<void> {
  const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' })
  const queues = { taskQueue, webhookTaskQueue: `${taskQueue}-webhooks`, temporalNamespace: 'default' }
  const bundles = process.env['WORKFLOW_BUNDLES']
  const options = { ...queues, connection, bundles, logger: deps.logger, inThisThread, activities: steps }
  const workers = await createWorkers(deps, options)
  const done = workers.map((worker) => worker.run())
  try {
    await act()
  } finally {
    for (const worker of workers) worker.shutdown()
    await Promise.all(done)
    await connection.close()
  }
}
