import type { Config } from '../config.ts'
import { type Tracing, untraced } from './traced.ts'

/** Traces a process, if an address for traces is configured. Otherwise nothing is loaded for it. */
export async function startTracing({ tracing }: Pick<Config, 'tracing'>, name: 'api' | 'worker'): Promise<Tracing> {
  if (tracing === null) return untraced
  const { createTracing } = await import('./spans.ts')
  return createTracing(tracing, name)
}
