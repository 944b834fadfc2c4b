import { fileURLToPath } from 'node:url'
import type { Queue } from '../domain/process-contract.ts'

/** The path of a queue's processes. */
export const workflowFile = (queue: Queue) => fileURLToPath(new URL(`../workflows/${queue}.ts`, import.meta.url))

/**
 * What every bundle of processes has beside them: it carries traces through them, says that they have ended, and keeps
 * their stacks short.
 */
export const besideProcesses = {
  workflowInterceptorModules: [
    fileURLToPath(new URL('../workflows/trace.ts', import.meta.url)),
    fileURLToPath(new URL('../workflows/ended.ts', import.meta.url)),
  ],
  preloadModules: [fileURLToPath(new URL('../workflows/short-stacks.ts', import.meta.url))],
}
