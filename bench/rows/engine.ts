import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from '../../scripts/infra/child.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { temporalBinary } from '../../scripts/infra/temporal-binary.ts'
import { compared, type Figure } from '../figure.ts'
import { runOneStep } from '../floor/engine.ts'
import { rounds, sustain } from '../load.ts'
import { startMeasured } from '../process.ts'
import { connect, type Testbed } from '../testbed.ts'

const ROUNDS = 2
const CONCURRENCIES = [1, 50]
const TIMES = { warmMs: 1_500, countMs: 4_000 }
const START_MS = 30_000

/** The vendor's development server with its default settings, storing to a file as ours does, and a bare worker. */
async function startStockServer({ session, folder, report }: Testbed) {
  const port = await freePort()
  const binary = await temporalBinary(report)
  const command = [
    binary,
    'server',
    'start-dev',
    '--headless',
    '--db-filename',
    join(folder, 'stock.db'),
    '--port',
    String(port),
    '--log-level',
    'error',
  ]
  const child = startChild({ name: 'the stock server', command, logFile: join(folder, 'stock.log'), yields: true })
  session.atEnd(child.stop)
  const address = `127.0.0.1:${port}`
  const limit = performance.now() + START_MS
  for (;;) {
    try {
      const client = await connect(session, address)
      await client.workflowService.describeNamespace({ namespace: 'default' })
      const env = { TEMPORAL_ADDRESS: address }
      startMeasured(session, { name: 'stock-worker', folder, script: 'bench/floor/worker.ts', env, yields: true })
      await runOneStep(client) // until the worker runs
      return { client, stop: child.stop }
    } catch (error) {
      if (performance.now() > limit) throw error
      await sleep(100)
    }
  }
}

/** The same bare workflow with one activity, with our settings of the development server and with the vendor's. */
export async function measureEngine(testbed: Testbed): Promise<Figure[]> {
  const stock = await startStockServer(testbed)
  const figures: Figure[] = []
  for (const inFlight of CONCURRENCIES) {
    const pairs = await rounds(
      ROUNDS,
      () => sustain(inFlight, TIMES, () => runOneStep(stock.client)),
      () => sustain(inFlight, TIMES, () => runOneStep(testbed.client)),
    )
    const row = `development engine, ${inFlight} in flight`
    const about = { row, measure: 'workflows of one activity', unit: '/s', bar: 3, goal: 5, better: 'higher' } as const
    figures.push(compared(about, pairs))
  }
  await stock.stop()
  return figures
}
