import { cpSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { startChild } from '../../scripts/infra/child.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { absolute, type Figure } from '../figure.ts'
import { untilAnswers } from '../process.ts'
import type { Testbed } from '../testbed.ts'

const LEFT_OUT = ['.git', '.local', 'node_modules']

/** `npm start` in a fresh copy with packages and engine installed, until its API answers for the first time. */
export async function measureStart({ session, folder }: Testbed): Promise<Figure[]> {
  const clone = join(folder, 'clone')
  cpSync(ROOT, clone, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) })
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  const port = await freePort()
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _address, ...env } = process.env
  const startedAt = performance.now()
  const npm = startChild({
    name: 'npm-start',
    command: ['npm', 'start'],
    cwd: clone,
    env: { ...env, PORT: String(port) },
    logFile: join(folder, 'npm-start.log'),
    stopSignal: 'SIGINT',
    stopMs: 20_000,
  })
  session.atEnd(npm.stop)
  await untilAnswers(`http://127.0.0.1:${port}/readyz`, npm)
  const seconds = (performance.now() - startedAt) / 1000
  await npm.stop()
  const about = {
    row: 'npm start, engine cached',
    measure: 'to the first answer',
    unit: 's',
    bar: 15,
    goal: 8,
  } as const
  return [absolute({ ...about, better: 'lower' }, seconds)]
}
