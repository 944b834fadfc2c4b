import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Queue, queues } from '../../domain/process-contract.ts'
import { besideProcesses } from '../../engine/workflow-files.ts'
import { ROOT } from './paths.ts'

/** The file of each queue's workflows. */
const entries: Partial<Record<Queue, string>> = { main: 'workflows/main.ts', webhooks: 'workflows/webhooks.ts' }

/**
 * Bundles the workflows of each queue into a file of `folder`, so that workers start faster. Returns the folder.
 * `files` are those of other workflows, for some of the queues.
 */
export async function writeWorkflowBundles(folder: string, files = entries): Promise<string> {
  const logger = new DefaultLogger('WARN')
  for (const queue of queues) {
    const file = files[queue]
    if (file === undefined) continue
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(ROOT, file),
      ...besideProcesses,
      logger,
    })
    writeFileSync(join(folder, `${queue}.js`), code)
  }
  return folder
}
