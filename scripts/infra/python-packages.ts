import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE } from './paths.ts'
import { SetupError } from './session.ts'
import { runTool } from './tool.ts'

/**
 * Installs the packages that a file names, each in one version, unless an earlier run has. Returns the folder for
 * PYTHONPATH; its `bin` has their commands. Throws a SetupError where Python or the packages cannot be had.
 */
export async function pythonPackages(name: string, requirements: string): Promise<string> {
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(CACHE, `${name}-${wanted}`)
  if (existsSync(folder)) return folder
  console.log(`Installing ${name} (pip) ...`)
  mkdirSync(CACHE, { recursive: true })
  const coming = mkdtempSync(`${folder}-`)
  const flags = ['--quiet', '--no-deps', '--disable-pip-version-check', '--root-user-action=ignore']
  const pip = ['-m', 'pip', 'install', ...flags, '--target', coming, '-r', requirements]
  try {
    const complaint = await runTool('python3', ...pip).catch(() => 'python3 is missing: install Python 3.10 or newer')
    if (complaint !== null) throw new SetupError(`${name} could not be installed:\n${complaint}`)
    renameSync(coming, folder)
    return folder
  } finally {
    rmSync(coming, { recursive: true, force: true })
  }
}
