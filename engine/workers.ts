import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleWorkflowCode, type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import type { Deps } from '../activities/deps.ts'
import type { createActivities } from '../activities/index.ts'
import { type Queue, queues } from '../domain/process-contract.ts'
import { providerNames } from '../domain/rail-provider.ts'
import { dormantChanges } from '../workflows/versions.ts'
import type { Config } from './config.ts'
import { heartbeatWhileRunning } from './heartbeat.ts'
import type { Logger } from './logger.ts'
import { translateErrors } from './refusals.ts'
import { type Tracing, untraced } from './telemetry/traced.ts'
import { createWebhookSlotSupplier } from './webhook-slot-supplier.ts'
import { besideProcesses, workflowFile } from './workflow-files.ts'

type Options = Pick<Config, 'taskQueue' | 'webhookTaskQueue' | 'temporalNamespace'> & {
  connection: NativeConnection
  logger: Logger
  /**
   * The folder of prebuilt bundles, one per queue. Undefined: they are built at the start, which takes some seconds.
   */
  bundles: string | undefined
  /** The queues that the process works on; all of them if it is left out. */
  workerQueues?: readonly Queue[]
  /** The release of these workers. They then take only the processes that the engine gives to it. */
  workerVersion?: Config['workerVersion']
  /** Changes of workflows that processes do not take yet; those of workflows/versions.ts if left out. */
  dormant?: readonly string[]
  maxCachedWorkflows?: number
  /**
   * Runs the workflows in this thread, and not in one of their own for each queue. Workers then start faster, and
   * nothing stops a workflow that never yields.
   */
  inThisThread?: boolean
  /** The activities of the main queue that run at a time. */
  activitiesMax?: number
  /** The steps of each queue. The outbox relay makes first attempts of deliveries by the same ones. */
  activities: ReturnType<typeof createActivities>
  /** Traces what they do. Left out: they trace nothing. */
  tracedBy?: Pick<Tracing, 'activityInterceptors' | 'sinks'>
}

const webhooksAtOnce = 100
/** The steps of one provider that run at a time: more than its connections, as steps also read and write rows. */
const providerStepsAtOnce = 40
/**
 * Well above the number of slots, as for the main queue with its 100. If a process is evicted from the cache during an
 * activity, that activity is cancelled and run again.
 */
const cachedMax = 300

/**
 * The workers of a worker process: one for the main queue, with one for the steps of each provider, and one for
 * webhooks, so that a slow receiver or provider takes no slots from others.
 */
export async function createWorkers(deps: Deps, options: Options): Promise<Worker[]> {
  const { workerQueues = queues, tracedBy = untraced, dormant = dormantChanges } = options
  const shared: Shared = {
    connection: options.connection,
    namespace: options.temporalNamespace,
    interceptors: {
      activity: [translateErrors(options.logger), heartbeatWhileRunning, ...tracedBy.activityInterceptors],
      ...(!options.bundles && { workflowModules: besideProcesses.workflowInterceptorModules }), // a bundle has them
    },
    sinks: tracedBy.sinks,
    ...releaseOf(options),
    patchActivationCallback: ({ patchId }) => !dormant.includes(patchId),
    maxCachedWorkflows: options.maxCachedWorkflows ?? cachedMax,
    debugMode: options.inThisThread ?? false,
    shutdownGraceTime: '10 seconds',
    shutdownForceTime: '15 seconds',
  }
  return [
    ...(workerQueues.includes('main') ? await createMoneyWorkers(shared, options) : []),
    ...(workerQueues.includes('webhooks') ? [await createWebhookWorker(shared, deps, options)] : []),
  ]
}

/** Each workflow declares its own behaviour (workflows/behaviours.ts); the default is never used. */
const releaseOf = ({ workerVersion }: Options): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  workerVersion
    ? {
        workerDeploymentOptions: {
          version: workerVersion,
          useWorkerVersioning: true,
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      }
    : {}

type Shared = Omit<WorkerOptions, 'taskQueue'>

async function createMoneyWorkers(shared: Shared, options: Options): Promise<Worker[]> {
  const { activities } = options
  const ofProviders = providerNames.map((provider) =>
    Worker.create({
      ...shared,
      taskQueue: `${options.taskQueue}-${provider}`,
      activities: activities.main,
      maxConcurrentActivityTaskExecutions: providerStepsAtOnce,
    }),
  )
  const main = {
    ...shared,
    ...(await codeFor('main', options)),
    taskQueue: options.taskQueue,
    activities: activities.main,
    ...slots(options),
  }
  return [...(await Promise.all(ofProviders)), await Worker.create(main)]
}

const createWebhookWorker = async (shared: Shared, deps: Deps, options: Options): Promise<Worker> =>
  Worker.create({
    ...shared,
    ...(await codeFor('webhooks', options)),
    taskQueue: options.webhookTaskQueue,
    activities: options.activities.webhooks,
    // An activity here mostly waits: a receiver may take up to ten seconds.
    tuner: {
      workflowTaskSlotSupplier: createWebhookSlotSupplier(() => deps.webhooks.tasksHeld(), webhooksAtOnce),
      localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: webhooksAtOnce },
      activityTaskSlotSupplier: { type: 'fixed-size', numSlots: 400 },
      nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
    },
  })

/** Whether all these workers ask for tasks. */
export const pollsAll = (workers: Worker[]): boolean =>
  workers.every((worker) => {
    const { runState, workflowPollerState, activityPollerState } = worker.getStatus()
    const pollers = [workflowPollerState, activityPollerState]
    return runState === 'RUNNING' && pollers.includes('POLLING') && !pollers.includes('FAILED')
  })

const slots = ({ activitiesMax }: Options) =>
  activitiesMax === undefined ? {} : { maxConcurrentActivityTaskExecutions: activitiesMax }

/** The code of a queue's processes: from the folder of prebuilt bundles, if there is one, else as it is. */
export const workflowsOf = (queue: Queue, bundles: string | undefined) =>
  bundles
    ? { workflowBundle: { codePath: join(bundles, `${queue}.js`) } }
    : { workflowsPath: workflowFile(queue), bundlerOptions: { preloadModules: besideProcesses.preloadModules } }

/**
 * The same for a worker. For one with a release the code begins with a flag, as only its processes may declare their
 * behaviour (workflows/behaviours.ts).
 */
async function codeFor(queue: Queue, { bundles, workerVersion }: Options) {
  if (!workerVersion) return workflowsOf(queue, bundles)
  const source = { workflowsPath: workflowFile(queue), ...besideProcesses }
  const code = bundles ? readFileSync(join(bundles, `${queue}.js`), 'utf8') : (await bundleWorkflowCode(source)).code
  return { workflowBundle: { code: `globalThis.workersHaveReleases = true;${code}` } }
}
