import { accessSync, constants, existsSync, mkdirSync, renameSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { buildWithGo } from './go-install.ts'
import { CACHE } from './paths.ts'
import { SetupError } from './session.ts'
import { vendorDownload } from './vendor-download.ts'

const VERSION = '1.5.1'
const GO_MODULE = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`
const CACHED = join(CACHE, `temporal-${VERSION}`)

export type Report = (line: string) => void

/**
 * The path of a `temporal` binary: from PATH, from the cache, from the vendor, or built with Go.
 * Throws a SetupError that names every source if none works.
 */
export async function temporalBinary(report: Report): Promise<string> {
  const found = onPath('temporal')
  if (found !== null) return found
  if (existsSync(CACHED)) return CACHED
  mkdirSync(CACHE, { recursive: true })
  report(`Temporal service: fetching version ${VERSION} from its vendor (once; kept in ${CACHE}) ...`)
  const refused = await vendorDownload('cli', `v${VERSION}`, CACHED)
  if (refused === null) return CACHED
  report(`Temporal service: the vendor's download did not work (${refused}).`)
  const unbuilt = await build(report)
  if (unbuilt === null) return CACHED
  throw new SetupError(noBinary(refused, unbuilt))
}

/** The executable of that name on PATH, or null. */
export function onPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name)
    if (folder !== '' && isExecutable(file)) return file
  }
  return null
}

function isExecutable(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Null if the binary is now in the cache, else the reason. */
async function build(report: Report): Promise<string | null> {
  if (onPath('go') === null) return 'there is no `go` on PATH'
  report('Temporal service: building it with Go; this takes 2 to 3 minutes, once ...')
  const keep = (built: string) => renameSync(join(built, 'temporal'), CACHED)
  return buildWithGo([GO_MODULE], keep, { of: 'Temporal service', report })
}

const noBinary = (refused: string, unbuilt: string) => `No Temporal service was found or built. Provide one of these:
  1. TEMPORAL_ADDRESS=host:port of a running service
  2. a \`temporal\` command on PATH (https://docs.temporal.io/cli)
  3. a binary at ${CACHED}
  4. the vendor's download at https://temporal.download (tried: ${refused})
  5. Go, to build ${GO_MODULE} (tried: ${unbuilt})`
