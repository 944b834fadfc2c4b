import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from '../infra/paths.ts'
import { runTool } from '../infra/tool.ts'

/** Files of the package beside the compiled ones. The verifier is plain JavaScript already. */
const copied = [
  'client/library/package.json',
  'client/library/README.md',
  'client/verify-webhook.js',
  'client/verify-webhook.d.ts',
  'LICENSE',
]

/** Compiles the client for TypeScript, and makes its package in the folder. Returns the path of the tarball. */
export async function packClient(folder: string): Promise<string> {
  const staged = mkdtempSync(join(tmpdir(), 'steadypay-client-'))
  try {
    const complaint = await runTool('tsc', '-p', 'client/library/tsconfig.json', '--outDir', staged)
    if (complaint !== null) throw new Error(`the client does not compile:\n${complaint}`)
    for (const file of copied) copyFileSync(join(ROOT, file), join(staged, basename(file)))
    return packFolder(staged, folder)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

/** Makes the package of a folder that has a package.json, without running its scripts. Returns the tarball's path. */
export function packFolder(source: string, folder: string): string {
  const args = ['pack', source, '--pack-destination', folder, '--json', '--ignore-scripts', '--offline']
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' })
  if (error || status !== 0) throw new Error(`npm pack failed: ${error?.message ?? stderr}`)
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  if (!packed) throw new Error(`npm pack printed no file name: ${stdout}`)
  return join(folder, packed.filename)
}
