import { deploy, type Deployment } from './deployment.ts'
import { addEndpoint, commitEvents, newSecret } from './endpoints.ts'
import { startListener } from './listener.ts'
import { failedProcesses, waitUntilIdle } from './rest.ts'
import type { Scenario } from './scenario.ts'

/** `size` is the number of events; for each of them a worker dies. */
export const dyingRelay: Scenario = {
  promise: 'when workers die after a receiver has taken a first attempt and before that is recorded, it is made again',
  size: 25,
  async run(size) {
    const deployment = await deploy()
    const received = new Map<string, number>()
    const listener = await startListener(({ id }) => void received.set(id, (received.get(id) ?? 0) + 1))
    try {
      await deployment.sql('create table proof_signals (event_id text primary key)')
      await addEndpoint(deployment, listener.url, newSecret())
      const startWorker = () => deployment.startWorker(['test/proof/rigged-relay.ts'])
      for (let n = 0; n < size; n++) {
        const worker = await startWorker() // which may also make the attempts again that the ones before left
        await commitEvents(deployment, deployment.organizationId, 1)
        await worker.exited
      }
      await startWorker()
      const { restMs, violations } = await waitUntilIdle(deployment, 120_000)
      violations.push(...(await failedProcesses(deployment)))
      const wrong = await deployment.sql<{ id: string }>(
        `select d.id from deliveries d left join delivery_attempts a on a.delivery_id = d.id
         group by d.id having d.status <> 'succeeded' or d.attempt_count <> 1 or count(a.number) <> 1`,
      )
      violations.push(...wrong.map(({ id }) => `${id} has not exactly one recorded attempt`))
      const lost = [...received.values()].filter((times) => times < 2).length
      if (received.size !== size || lost > 0) violations.push(`${lost} of ${received.size} events were not sent again`)
      const processes = await countProcesses(deployment)
      return { figures: { events: size, processes, restMs }, violations }
    } finally {
      listener.close()
      await deployment.stop()
    }
  },
}

/** How many deliveries needed a process. */
async function countProcesses({ client, taskQueue }: Deployment): Promise<number> {
  const { count } = await client.workflow.count(`TaskQueue = '${taskQueue}-webhooks' AND Resource = 'delivery'`)
  return count
}
