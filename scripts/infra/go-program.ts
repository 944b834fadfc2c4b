import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { buildWithGo } from './go-install.ts'
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
  const complaint = await buildWithGo([`${module}@v${version}`], (built) => renameSync(join(built, name), cached))
  if (complaint !== null) throw new SetupError(complaint)
  return cached
}
