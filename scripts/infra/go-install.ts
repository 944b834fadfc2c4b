import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CACHE } from './paths.ts'

/**
 * Builds programs with Go, from modules with their versions, in a folder of the cache. `keep` moves them from there to
 * where they stay: as a whole, as others may build them at the same time. Null if that is done, else the reason. With
 * `progress` it says now and then that it is still building.
 */
export async function buildWithGo(
  modules: readonly [string, ...string[]],
  keep: (built: string) => void,
  progress?: { of: string; report: (line: string) => void },
): Promise<string | null> {
  const building = join(CACHE, `build-${basename(modules[0])}-${process.pid}`)
  mkdirSync(building, { recursive: true })
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const say = (line: string) => progress?.report(`${progress.of}: ${line}`)
  const saying = setInterval(() => say(`still building (${seconds()} s) ...`), 20_000)
  try {
    for (const module of modules) {
      const complaint = await goInstall(module, building)
      if (complaint !== null) return complaint
    }
    keep(building)
    say(`built in ${seconds()} s.`)
    return null
  } finally {
    clearInterval(saying)
    rmSync(building, { recursive: true, force: true })
  }
}

/** Builds a program with Go: a module with its version, into a folder. Null if it is there now, else the reason. */
async function goInstall(module: string, into: string): Promise<string | null> {
  const complaint = await go(['install', module], into)
  if (complaint === null || !/(exclude|replace) directives/.test(complaint)) return complaint
  // Go installs no module by its name whose go.mod leaves out versions. As a part of another module it builds it.
  const [path = ''] = module.split('@')
  const steps = [
    ['mod', 'init', 'tool'],
    ['get', module],
    ['build', '-o', basename(path), path],
  ]
  for (const step of steps) {
    const refused = await go(step, into)
    if (refused !== null) return refused
  }
  return null
}

/** Runs Go in a folder, into which it installs. Null if it succeeds, else the reason. */
async function go(args: string[], folder: string): Promise<string | null> {
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '' }
  const child = spawn('go', args, { env, stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2000)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  process.off('exit', endWithUs)
  return code === 0 ? null : `\`go ${args.join(' ')}\` failed: ${output.trim()}`
}
