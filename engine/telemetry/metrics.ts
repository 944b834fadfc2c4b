import type { PostgreSqlConnection } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import type { Database } from '../../db/core/database.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { countCalls, countDispatches, countRailCalls, countWebhooks, PoolState } from './counters.ts'
import { createFigureReader } from './database-figures.ts'
import type { SdkMetrics } from './sdk-metrics.ts'
import { openSidePort, type Problem, type SidePort } from './side-port.ts'

/** The metrics of a process, and the port on which they are served. Each kind is counted once it was asked for. */
export type Metrics = Pick<SidePort, 'port' | 'close'> & {
  countCalls(): ReturnType<typeof countCalls>
  countRailCalls(): ReturnType<typeof countRailCalls>
  countWebhooks(): ReturnType<typeof countWebhooks>
  countDispatches(): ReturnType<typeof countDispatches>
  /** Shows the state of these pools, by name, and the figures that the first one reads, of the time of `clock`. */
  show(pools: { main: Database } & Record<string, Database>, clock: Clock): void
}

type Parts = { config: Pick<Config, 'metrics'>; logger: Logger; problem: Problem; sdk?: SdkMetrics | null }

/** Starts to count and serves what was counted. Null if no port is configured: then nothing is counted. */
export async function startMetrics({ config, logger, problem, sdk }: Parts): Promise<Metrics | null> {
  if (config.metrics === null) return null
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const counters = await import('./counters.ts')
  const register = new Registry()
  collectDefaultMetrics({ register })
  let refresh = async () => {}
  const metrics = async () => {
    const [ofSdk = ''] = await Promise.all([sdk?.read(), refresh()])
    return { status: 200, type: register.contentType, body: `${await register.metrics()}${ofSdk}` }
  }
  const side = await openSidePort({ ...config.metrics, problem, metrics, logger })
  logger.info({ host: config.metrics.host, port: side.port }, 'metrics are served')
  return {
    ...side,
    countCalls: () => counters.countCalls(register),
    countRailCalls: () => counters.countRailCalls(register),
    countWebhooks: () => counters.countWebhooks(register),
    countDispatches: () => counters.countDispatches(register),
    show(pools, clock) {
      const [showPools, showFigures] = [counters.showPools(register), counters.showFigures(register)]
      const readFigures = createFigureReader({ database: pools.main, clock, logger })
      refresh = async () => {
        showPools(await statesOf(pools)) // first, as reading the figures takes a connection
        showFigures(await readFigures())
      }
    },
  }
}

async function statesOf(pools: Record<string, Database>): Promise<Record<string, PoolState>> {
  const states = Object.entries(pools).map(async ([name, { orm }]) => {
    const connection: PostgreSqlConnection = orm.em.getConnection()
    const { totalCount, idleCount, waitingCount, options } = (await connection.getNativeClient()) as Pool
    const state = { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max }
    return [name, state] as const
  })
  return Object.fromEntries(await Promise.all(states))
}
