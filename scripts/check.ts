// npm run check: everything that can be said about the tree without running it. Each step says one line, and its
// output where it fails; all of them run, so that one run shows every fault.
import { findDrift } from './drift.ts'
import { folders } from './infra/layers.ts'
import { runSession, type Session } from './infra/session.ts'
import { runTool } from './infra/tool.ts'
import { lintOpenApi } from './openapi.ts'

/** Null when all is well, else what is to be said. */
type Step = (session: Session) => Promise<string | null>

const steps: Record<string, Step> = {
  'types (tsc)': () => runTool('tsc', '--noEmit'),
  'lint (oxlint)': () => runTool('oxlint'),
  'format (oxfmt)': () => runTool('oxfmt', '--check'),
  'sizes and style (tidy)': () => runTool('node', '--test', 'test/code/tidy.test.ts'),
  'layers (dependency-cruiser)': () => runTool('depcruise', ...folders),
  'unused code and packages (knip)': () => runTool('knip', '--no-progress'),
  'migrations against entities': findDrift,
  'OpenAPI document (redocly)': lintOpenApi,
}

await runSession(async (session) => {
  const failed = []
  for (const [name, step] of Object.entries(steps)) {
    const startedAt = performance.now()
    const complaint = await step(session).catch((error: unknown) => String(error))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${complaint === null ? '✔' : '✖'} ${name} (${seconds} s)`)
    if (complaint === null) continue
    console.log(complaint.trimEnd().replace(/^/gm, '    '))
    failed.push(name)
  }
  console.log(failed.length === 0 ? 'All checks passed.' : `FAILED: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
})
