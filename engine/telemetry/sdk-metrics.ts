import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { PrometheusMetricsExporter } from '@temporalio/worker'
import type { Config } from '../config.ts'

/** What the SDK of the workers counts. It serves that itself, and the process's own port passes it on. */
export type SdkMetrics = {
  /** For `Runtime.install`. */
  exporter: PrometheusMetricsExporter
  /** The text of the metrics; empty while the SDK does not serve them. */
  read(): Promise<string>
}

const answersWithinMs = 1_000

/** The metrics of the SDK, on a free port of this machine alone. Null where metrics are not configured. */
export async function prepareSdkMetrics({ metrics }: Pick<Config, 'metrics'>): Promise<SdkMetrics | null> {
  if (metrics === null) return null
  const address = `127.0.0.1:${await freePort()}`
  return {
    exporter: {
      prometheus: {
        bindAddress: address,
        countersTotalSuffix: true,
        unitSuffix: true,
        useSecondsForDurations: true,
      },
    },
    async read() {
      try {
        const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(answersWithinMs) })
        return answer.ok ? await answer.text() : ''
      } catch {
        return ''
      }
    },
  }
}

const triesMax = 100

/**
 * A port that was free a moment ago: the SDK does not tell which one it has taken. It lies below those that the system
 * gives to connections, so that no connection takes it meanwhile.
 */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(10_000, 15_000) // below those of scripts/infra/ports.ts
    const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true })
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    await new Promise((resolve) => server.close(resolve))
    return port
  }
  throw new Error('no port is free for the metrics of the SDK')
}
