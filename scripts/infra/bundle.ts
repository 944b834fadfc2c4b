import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { queues } from '../../domain/process-contract.ts'
import { ROOT } from './paths.ts'

/** Bundles the workflows of each queue into a file of `folder`, so that workers start faster. Returns the folder. */
export async function writeWorkflowBundles(folder: string): Promise<string> {
  const logger = new DefaultLogger('WARN')
  for (const queue of queues) {
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(ROOT, `workflows/${queue}.ts`),
      workflowInterceptorModules: [join(ROOT, 'workflows/trace.ts')],
      logger,
    })
    writeFileSync(join(folder, `${queue}.js`), code)
  }
  return folder
}
