import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'

// What scripts/run.mjs installs before it runs a script. npm ends with 0 where it could not get an optional package.
type Entry = Record<string, unknown>
type Packages = Record<string, Entry>
const lockfile = (await import(join(ROOT, 'scripts/infra/lockfile.mjs'))) as {
  isInstalled(wanted: Packages, found: Packages): boolean
  missingHere(wanted: Packages, found: Packages, machine: Entry): string[]
}

test('a missing package counts as one for another machine only if it says so', () => {
  const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' }
  const optional = { version: '1.0.0', optional: true }
  const wanted = {
    '': {},
    'node_modules/always': { version: '1.0.0' },
    'node_modules/@tool/linux-x64': { ...optional, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/as-text': { ...optional, os: 'linux', cpu: 'x64' },
    'node_modules/a/node_modules/unix': { ...optional, os: ['!win32'] },
    'node_modules/@tool/linux-x64-musl': { ...optional, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/@tool/linux-arm64': { ...optional, os: ['linux'], cpu: ['arm64'] },
    'node_modules/not-linux': { ...optional, os: ['!linux'] },
    'node_modules/of-a-peer': optional,
  }
  const found = { 'node_modules/always': { version: '1.0.0' } }
  assert.ok(lockfile.isInstalled(wanted, found))
  assert.deepEqual(lockfile.missingHere(wanted, found, machine), ['@tool/linux-x64', 'as-text', 'unix'])
  assert.deepEqual(lockfile.missingHere(wanted, wanted, machine), [])
  assert.ok(!lockfile.isInstalled(wanted, {}), 'one that is not optional')
  assert.ok(!lockfile.isInstalled(wanted, { 'node_modules/always': { version: '2.0.0' } }), 'another version')
})

/** A project with one package for this machine, which its npm gets where `gets` matches its command. */
function project(gets: string) {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'))
  for (const file of ['run.mjs', 'infra/lockfile.mjs'])
    cpSync(join(ROOT, 'scripts', file), join(folder, 'scripts', file), { recursive: true })
  writeFileSync(join(folder, 'scripts/hello.ts'), `console.log('hello')`)
  const tool = { version: '1.0.0', optional: true, os: [process.platform] }
  const lock = { packages: { '': {}, 'node_modules/tool': tool } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const npm = `
    const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
    appendFileSync('called', process.argv[2] + ' ')
    appendFileSync('by', process.execPath + ' ')
    mkdirSync('node_modules', { recursive: true })
    const tool = ${JSON.stringify(tool)}
    const got = process.argv[2] === ${JSON.stringify(gets)}
    const packages = got ? { 'node_modules/tool': tool } : {}
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))`
  mkdirSync(join(folder, 'npm'))
  writeFileSync(join(folder, 'npm/npm.js'), npm)
  const env = { ...process.env, npm_execpath: join(folder, 'npm/npm.js') }
  const start = () =>
    spawnSync(process.execPath, ['scripts/run.mjs', 'scripts/hello.ts'], { cwd: folder, env, encoding: 'utf8' })
  return {
    start,
    tried: join(folder, 'node_modules/.tried-again'),
    called: () => readFileSync(join(folder, 'called'), 'utf8').trim().split(' '),
    folder,
    calledBy: () => readFileSync(join(folder, 'by'), 'utf8').trim().split(' '),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

test('npm is run by the Node that it has installed, as it leaves out what wants a newer one than its own', (t) => {
  const { start, folder, calledBy, remove } = project('never')
  t.after(remove)
  const own = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  mkdirSync(dirname(own), { recursive: true })
  cpSync(process.execPath, own)
  assert.equal(start().status, 0)
  assert.deepEqual(calledBy(), [own, own])
})

test('a package that npm could not get is made up for, and nothing is installed again', (t) => {
  const { start, called, remove } = project('install')
  t.after(remove)
  for (let n = 0; n < 2; n++) {
    const { status, stdout, stderr } = start()
    assert.deepEqual([status, stdout], [0, 'hello\n'], stderr)
    assert.doesNotMatch(stderr, /npm could not get tool/)
  }
  assert.deepEqual(called(), ['ci', 'install'])
})

test('a package that cannot be had is named, the script runs, and a day later it is asked for again', (t) => {
  const { start, called, tried, remove } = project('never')
  t.after(remove)
  const { status, stdout, stderr } = start()
  assert.deepEqual([status, stdout], [0, 'hello\n'], stderr)
  assert.match(stderr, /npm could not get tool\. What needs them fails/)
  assert.equal(start().stderr, '')
  assert.deepEqual(called(), ['ci', 'install'])
  const dayAgo = Date.now() / 1_000 - 25 * 3_600
  utimesSync(tried, dayAgo, dayAgo)
  start()
  assert.deepEqual(called(), ['ci', 'install', 'install'])
})
