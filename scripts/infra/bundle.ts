import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.ts'

/** Bundles the workflows into one file, which workers take as `workflowBundle: { codePath }` and so start quicker. */
export async function writeWorkflowBundle(file: string): Promise<string> {
  if (!existsSync(join(ROOT, 'workflows/index.ts'))) return file
  const logger = new DefaultLogger('WARN')
  const { code } = await bundleWorkflowCode({ workflowsPath: join(ROOT, 'workflows/index.ts'), logger })
  writeFileSync(file, code)
  return file
}
