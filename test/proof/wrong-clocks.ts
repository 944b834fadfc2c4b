import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deploy } from './deployment.ts'
import { startPostgres } from '../../scripts/infra/postgres.ts'
import { migratedDatabase } from '../../scripts/infra/database.ts'

const minute = 60_000
/** How wrong the clocks of the processes are, in milliseconds; that of the engine is right. */
export const wrongBy = { apis: [5 * minute, -5 * minute], workers: [-5 * minute, 5 * minute] }
export const jumpMs = 60 * minute

const preload = ['--import', './test/proof/shifted-clock.ts']

/** Debian's package `faketime`: a library that moves the clock of a program written in C, as Postgres is. */
const faketime = () => globSync('/usr/lib/*/faketime/libfaketime.so.1').find((file) => existsSync(file)) ?? null

/**
 * Two APIs and two workers whose clocks are wrong, on a database whose clock is wrong by `databaseMs` too; that needs
 * `faketime`, without which its clock is right. The first API's clock can jump, and so can the second worker's.
 */
export async function startWithWrongClocks(folder: string, databaseMs: number) {
  const library = faketime()
  const env = { LD_PRELOAD: library ?? '', FAKETIME: `${databaseMs / 1_000}`, DONT_FAKE_MONOTONIC: '1' }
  const postgres = await startPostgres({
    dataDir: join(folder, `postgres${databaseMs}`),
    logFile: join(folder, `postgres${databaseMs}.log`),
    password: 'proof',
    careless: true,
    env: library ? env : {},
  })
  const deployment = await deploy({ databaseUrl: await migratedDatabase(postgres.url, 'proof') })
  const fileOf = (name: string) => join(folder, `${name}.clock`)
  const move = (name: string, ms = 0) => writeFileSync(fileOf(name), String(ms))
  const [wrongApi, wrongWorker] = ['api/main.ts', 'engine/worker.ts'].map((entry) => [...preload, entry])
  const variables = (name: string, ms = 0) => {
    move(name, ms)
    return { CLOCK_FILE: fileOf(name) }
  }
  return {
    deployment,
    /** How much the database's clock is ahead, in milliseconds. */
    aheadMs: library ? databaseMs : 0,
    startApis: () =>
      Promise.all(wrongBy.apis.map((ms, n) => deployment.startApi(wrongApi, undefined, variables(`api${n}`, ms)))),
    startWorkers: () =>
      Promise.all(wrongBy.workers.map((ms, n) => deployment.startWorker(wrongWorker, variables(`worker${n}`, ms)))),
    /** Sets two of the clocks an hour further, or back. */
    jump(isAway: boolean) {
      const byMs = isAway ? jumpMs : 0
      move('api0', (wrongBy.apis[0] ?? 0) + byMs)
      move('worker1', (wrongBy.workers[1] ?? 0) + byMs)
    },
    async stop() {
      await deployment.stop()
      await postgres.child.stop()
    },
  }
}

export type WrongClocks = Awaited<ReturnType<typeof startWithWrongClocks>>
