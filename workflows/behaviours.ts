import type { VersioningBehavior } from '@temporalio/common'
import { setWorkflowOptions } from '@temporalio/workflow'
import type { ProcessName } from '../domain/processes.ts'

// Which release's workers carry out a process (decision 0086, docs/operating/upgrading.md). It matters only where
// workers have a WORKER_BUILD_ID.

/**
 * PINNED: the process ends on the release on which it began, whose workers must run for as long. This is for processes
 * that end soon: the steps of a new release may differ from theirs in any way.
 *
 * AUTO_UPGRADE: the process may outlive a release, and the current release takes over its next step. A change of its
 * steps needs a named function in versions.ts.
 */
export const behaviours: Record<ProcessName, VersioningBehavior> = {
  checkout: 'PINNED',
  conversion: 'PINNED',
  'webhook-delivery': 'PINNED',
  'webhook-recovery': 'PINNED',
  clock: 'PINNED',

  deposit: 'AUTO_UPGRADE',
  refund: 'AUTO_UPGRADE',
  dispute: 'AUTO_UPGRADE',
  payout: 'AUTO_UPGRADE',
  'payout-destination': 'AUTO_UPGRADE',
  'payout-schedule': 'AUTO_UPGRADE',
  'webhook-endpoint': 'AUTO_UPGRADE',
  subscription: 'AUTO_UPGRADE',
  'account-review': 'AUTO_UPGRADE',
  housekeeping: 'AUTO_UPGRADE',
  supervisor: 'AUTO_UPGRADE',
}

type Workflow = (id: string) => Promise<unknown>

declare global {
  /** Set in the workflows of workers with a release, by engine/workers.ts, before their code is loaded. */
  var workersHaveReleases: boolean | undefined
}

/**
 * Declares the behaviours of these workflows to the engine, in workers with a release only: of others the engine
 * refuses every task that names a behaviour.
 */
export function declareBehaviours(workflows: Partial<Record<ProcessName, Workflow>>): void {
  if (globalThis.workersHaveReleases !== true) return
  for (const [name, workflow] of Object.entries(workflows)) {
    setWorkflowOptions({ versioningBehavior: behaviours[name as ProcessName] }, workflow)
  }
}
