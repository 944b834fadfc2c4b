import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { goInstall } from './go-install.ts'
import { CACHE } from './paths.ts'
import { SetupError } from './session.ts'
import { onPath, type Report } from './temporal-binary.ts'

const VERSION = '1.29.1'
const MODULE = 'go.temporal.io/server/cmd'
const FOLDER = join(CACHE, `temporal-server-${VERSION}`)

/** The programs of the Temporal service as it is deployed: the server, and the tool that makes its tables. */
export type ServerPrograms = { server: string; sqlTool: string }

/** The programs of an earlier build, or null. */
export function cachedServer(): ServerPrograms | null {
  return existsSync(FOLDER) ? { server: join(FOLDER, 'server'), sqlTool: join(FOLDER, 'sql') } : null
}

/** The programs, from the cache or built with Go. Throws a SetupError where there is no Go, or it cannot build them. */
export async function temporalServer(report: Report): Promise<ServerPrograms> {
  const cached = cachedServer()
  if (cached !== null) return cached
  if (onPath('go') === null) throw new SetupError(noGo)
  mkdirSync(CACHE, { recursive: true })
  const building = join(CACHE, `build-temporal-server-${process.pid}`)
  report(`Temporal: building the server ${VERSION} with Go; this takes 2 to 4 minutes, once (kept in ${CACHE}) ...`)
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  const progress = setInterval(() => report(`Temporal: still building (${seconds()} s) ...`), 20_000)
  try {
    for (const program of ['server', 'tools/sql']) {
      const complaint = await goInstall(`${MODULE}/${program}@v${VERSION}`, building)
      if (complaint !== null) throw new SetupError(complaint)
    }
    // Both programs at once, as others may build at the same time: the first one to end is kept.
    if (!existsSync(FOLDER)) renameSync(building, FOLDER)
    report(`Temporal: built in ${seconds()} s.`)
    return { server: join(FOLDER, 'server'), sqlTool: join(FOLDER, 'sql') }
  } finally {
    clearInterval(progress)
    rmSync(building, { recursive: true, force: true })
  }
}

const noGo = `A cluster needs the Temporal server ${VERSION}, which is built with Go, and there is no \`go\` on PATH.
Install Go (https://go.dev/dl), or put the programs \`server\` and \`sql\` of ${MODULE} into ${FOLDER}.`
