import { join } from 'node:path'
import { copyOfTree, startService } from '../build.ts'
import { absolute, type Figure } from '../figure.ts'
import type { Testbed } from '../testbed.ts'

const START_MS = 60_000

/** `npm start` in a fresh copy with packages and engine installed, until its API answers for the first time. */
export async function measureStart({ session, folder }: Testbed): Promise<Figure[]> {
  const clone = copyOfTree(folder, 'clone')
  const startedAt = performance.now()
  const logFile = join(folder, 'npm-start.log')
  const { child } = await startService(session, { name: 'npm-start', cwd: clone, logFile, withinMs: START_MS })
  const seconds = (performance.now() - startedAt) / 1000
  await child.stop()
  const about = {
    row: 'npm start, engine cached',
    measure: 'to the first answer',
    unit: 's',
    bar: 15,
    goal: 8,
  } as const
  return [absolute({ ...about, better: 'lower' }, seconds)]
}
