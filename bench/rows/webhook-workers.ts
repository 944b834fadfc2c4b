import { compared, type Figure, type Pair } from '../figure.ts'
import { type Measured, untilSays } from '../process.ts'
import type { Testbed } from '../testbed.ts'
import { openDeliveries } from './webhook.ts'

const ROUNDS = 2
const WORKERS = [2, 4]

/**
 * How the number of workers affects webhooks: deliveries a second by two and by four workers, beside one worker in the
 * same round. If one worker, the engine and Postgres already use all cores, more workers add little.
 */
export async function measureWebhookWorkers(testbed: Testbed): Promise<Figure[]> {
  const { prepare, deliver, close } = await openDeliveries(testbed)
  const measure = async () => {
    await prepare()
    const perSecond = await deliver()
    await testbed.untilQuiet()
    return perSecond
  }
  const pairs = new Map<number, Pair[]>(WORKERS.map((count) => [count, []]))
  for (let round = 0; round < ROUNDS; round++) {
    const more: Measured[] = []
    const floor = await measure()
    for (const count of WORKERS) {
      while (more.length < count - 1) more.push(await startAnother(testbed, `worker-${round}-${more.length + 2}`))
      pairs.get(count)?.push({ ours: await measure(), floor })
    }
    for (const worker of more) await worker.stop()
  }
  await close()
  return [...pairs].map(([count, measured]) => {
    const row = `webhook deliveries by ${count} workers, beside one`
    return compared(
      { row, measure: 'throughput', unit: '/s', bar: 0.9, goal: count === 2 ? 1.5 : 2, better: 'higher' },
      measured,
    )
  })
}

async function startAnother(testbed: Testbed, name: string): Promise<Measured> {
  const worker = testbed.startWorker(name)
  await untilSays('worker is running', worker)
  return worker
}
