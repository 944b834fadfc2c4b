import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { openSidePort, type Problem, type SidePort } from './side-port.ts'

/** The metrics of a process, and the port on which they are served. */
export type Metrics = Pick<SidePort, 'port' | 'close'>

type Parts = { config: Pick<Config, 'metrics'>; logger: Logger; problem: Problem }

/** Starts to count and serves what was counted. Null if no port is configured: then nothing is counted. */
export async function startMetrics({ config, logger, problem }: Parts): Promise<Metrics | null> {
  if (config.metrics === null) return null
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  const metrics = async () => ({ status: 200, type: register.contentType, body: await register.metrics() })
  const side = await openSidePort({ ...config.metrics, problem, metrics, logger })
  logger.info({ host: config.metrics.host, port: side.port }, 'metrics are served')
  return side
}
