import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { goInstall } from './go-install.ts'
import { CACHE } from './paths.ts'
import { SetupError } from './session.ts'
import { onPath } from './temporal-binary.ts'

/**
 * The path of a program: from the cache, else built with Go from its published `module` in this version. Null where
 * there is no Go; throws a SetupError where Go cannot build it.
 */
export async function goProgram(name: string, version: string, module: string): Promise<string | null> {
  const cached = join(CACHE, `${name}-${version}`)
  if (existsSync(cached)) return cached
  if (onPath('go') === null) return null
  mkdirSync(CACHE, { recursive: true })
  const building = join(CACHE, `build-${name}-${process.pid}`)
  try {
    const complaint = await goInstall(`${module}@v${version}`, building)
    if (complaint !== null) throw new SetupError(complaint)
    renameSync(join(building, name), cached) // the whole file at once, as others may build at the same time
    return cached
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}
