import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { startChild } from '../scripts/infra/child.ts'
import { CACHE, ROOT } from '../scripts/infra/paths.ts'
import { freePort } from '../scripts/infra/ports.ts'
import type { Session } from '../scripts/infra/session.ts'
import { untilAnswers, untilSays } from './process.ts'
import { processorTimes, type Role } from './processor-time.ts'

/** A build of the service that runs as `npm start` runs it. */
export type Build = {
  url: string
  apiKey: string
  temporalAddress: string
  query<T>(sql: string): Promise<T[]>
  /** The processor time of its processes so far, in milliseconds. */
  processorTimes(): Record<Role, number>
  stop(): Promise<void>
}

const LEFT_OUT = ['.git', '.local', 'node_modules']
const INSTALL_MS = 300_000

/** A copy of this tree, with its packages. */
export function copyOfTree(folder: string, name: string): string {
  const copy = join(folder, name)
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The tree of an earlier commit, with its own packages but without data; kept for the next time. */
export function treeOf(commit: string): string {
  const kept = join(CACHE, 'builds', commit)
  rmSync(join(kept, '.local'), { recursive: true, force: true })
  if (existsSync(kept)) return kept
  mkdirSync(join(CACHE, 'builds'), { recursive: true })
  execFileSync('git', ['clone', '--quiet', '--no-checkout', ROOT, kept])
  execFileSync('git', ['-C', kept, 'checkout', '--quiet', commit])
  return kept
}

/** What a build writes for scripts, once it has written the address of this start. */
async function developmentFile(data: string, url: string): Promise<Record<string, string>> {
  for (;;) {
    const file = join(data, 'dev.json')
    const dev = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
    if (dev['base_url'] === url) return dev
    await sleep(50)
  }
}

type Command = { name: string; cwd: string; logFile: string; command?: string[]; withinMs?: number }

/** Runs `npm start`, or another command, in a folder until its API answers. It is stopped at the end of the session. */
export async function startService(session: Session, options: Command) {
  const { name, cwd, logFile, command = ['npm', 'start'], withinMs = INSTALL_MS } = options
  const port = await freePort()
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _address, ...env } = process.env
  const child = startChild({
    name,
    command,
    cwd,
    env: { ...env, PORT: String(port), TRUSTED_PROXY_HOPS: '1' },
    logFile,
    stopSignal: 'SIGINT',
    stopMs: 20_000,
  })
  session.atEnd(child.stop)
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/readyz`, child, withinMs)
  return { child, url }
}

/** Starts the build in a folder, with a merchant without a rate limit. It is stopped at the end of the session. */
export async function startBuild(session: Session, name: string, cwd: string, logFile: string): Promise<Build> {
  const started = await startService(session, { name, cwd, logFile })
  // An API answers before its worker does.
  await untilSays('worker is running', { ...started.child, logFile: join(cwd, '.local/logs/worker.log') })
  return buildOf(session, started, join(cwd, '.local'))
}

/** Starts this build as a deployment of several processes, with its data in a folder; otherwise as `startBuild`. */
export async function startCluster(session: Session, data: string, logFile: string): Promise<Build> {
  const command = ['npm', 'run', 'cluster', '--', '--data', data]
  return buildOf(session, await startService(session, { name: 'cluster', cwd: ROOT, logFile, command }), data)
}

type Started = Awaited<ReturnType<typeof startService>>

async function buildOf(session: Session, { child, url }: Started, data: string): Promise<Build> {
  const dev = await developmentFile(data, url)
  const pool = new Pool({ connectionString: dev['database_url'] ?? '', max: 1 })
  pool.on('error', () => undefined) // its server ends with the build
  session.atEnd(() => pool.end())
  await pool.query(`update api_keys set rate_tier = 'unlimited'`)
  return {
    url,
    apiKey: dev['api_key'] ?? '',
    temporalAddress: dev['temporal_address'] ?? '',
    query: async <T>(sql: string) => (await pool.query(sql)).rows as T[],
    processorTimes: () => processorTimes(child.pid ?? 0),
    stop: child.stop,
  }
}
