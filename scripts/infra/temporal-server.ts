import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { buildWithGo } from './go-install.ts'
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
  report(`Temporal: building the server ${VERSION} with Go; this takes 2 to 4 minutes, once (kept in ${CACHE}) ...`)
  const complaint = await buildWithGo(
    [`${MODULE}/server@v${VERSION}`, `${MODULE}/tools/sql@v${VERSION}`],
    (built) => void (existsSync(FOLDER) || renameSync(built, FOLDER)),
    { of: 'Temporal', report },
  )
  if (complaint !== null) throw new SetupError(complaint)
  return { server: join(FOLDER, 'server'), sqlTool: join(FOLDER, 'sql') }
}

const noGo = `A cluster needs the Temporal server ${VERSION}, which is built with Go, and there is no \`go\` on PATH.
Install Go (https://go.dev/dl), or put the programs \`server\` and \`sql\` of ${MODULE} into ${FOLDER}.`
