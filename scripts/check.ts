// npm run check: all checks of the code that do not run the service. Each step prints one line, and its output if it
// fails. All steps run, so that one run shows every error.
import { findDrift } from './drift.ts'
import { folders } from './infra/layers.ts'
import { runSession, type Session } from './infra/session.ts'
import { runTool } from './infra/tool.ts'
import { lintOpenApi } from './openapi.ts'

/** Null if the check passes, else the output to print. */
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
