import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { MetricsExporterConfig } from '@temporalio/worker'
import type { Config } from '../config.ts'

/** What the SDK of the workers counts. It serves that itself, and the process's own port passes it on. */
export type SdkMetrics = {
  /** For `Runtime.install`. */
  exporter: MetricsExporterConfig
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

/** A port that was free a moment ago: the SDK does not tell which one it has taken. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
