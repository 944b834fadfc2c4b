import { absolute, type Figure } from '../figure.ts'
import type { Testbed } from '../testbed.ts'

/** The peak memory of the two processes. Runs after the loads. */
export async function measureMemory({ shop, worker }: Testbed): Promise<Figure[]> {
  const about = { measure: 'peak resident memory', unit: 'MB', better: 'lower' } as const
  return [
    absolute({ ...about, row: 'API under load', bar: 300, goal: 200 }, shop.api.peakMegabytes()),
    absolute({ ...about, row: 'worker under load', bar: 500, goal: 400 }, worker.peakMegabytes()),
  ]
}
