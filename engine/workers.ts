import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import type { Deps } from '../activities/deps.ts'
import { createActivities } from '../activities/index.ts'
import type { Queue } from '../domain/process-contract.ts'
import type { Config } from './config.ts'
import { heartbeatWhileRunning } from './heartbeat.ts'
import type { Logger } from './logger.ts'
import { translateErrors } from './refusals.ts'
import { createWebhookSlotSupplier } from './webhook-slot-supplier.ts'

type Options = Pick<Config, 'taskQueue' | 'webhookTaskQueue' | 'temporalNamespace'> & {
  connection: NativeConnection
  logger: Logger
  /** The folder of prebuilt bundles, one for each queue; without it they are built, which takes some seconds. */
  bundles: string | undefined
  maxCachedWorkflows?: number
  /** How many activities of the money queue run at a time. */
  activitiesMax?: number
  /** Other steps than the ones that `deps` make. */
  activities?: ReturnType<typeof createActivities>
}

const webhooksAtOnce = 100
/**
 * Well above the slots, here and for the money queue with its 100: a process that must leave the cache while a step of
 * it is under way has that step cancelled, and makes it again.
 */
const cachedMax = 300

/**
 * The workers of a worker process: one for the money, one for webhooks, so that a slow receiver takes no slot from a
 * sale.
 */
export async function createWorkers(deps: Deps, options: Options): Promise<Worker[]> {
  const { activities = createActivities(deps) } = options
  const shared: Omit<WorkerOptions, 'taskQueue'> = {
    connection: options.connection,
    namespace: options.temporalNamespace,
    interceptors: { activity: [translateErrors(options.logger), heartbeatWhileRunning] },
    maxCachedWorkflows: options.maxCachedWorkflows ?? cachedMax,
    shutdownGraceTime: '10 seconds',
    shutdownForceTime: '15 seconds',
  }
  return [
    await Worker.create({
      ...shared,
      ...workflows('main', options.bundles),
      taskQueue: options.taskQueue,
      activities: activities.main,
      ...slots(options),
    }),
    await Worker.create({
      ...shared,
      ...workflows('webhooks', options.bundles),
      taskQueue: options.webhookTaskQueue,
      activities: activities.webhooks,
      // Receivers take up to ten seconds each: these are waits, not work.
      tuner: {
        workflowTaskSlotSupplier: createWebhookSlotSupplier(() => deps.webhooks.waitingAtOnce(), webhooksAtOnce),
        localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: webhooksAtOnce },
        activityTaskSlotSupplier: { type: 'fixed-size', numSlots: 400 },
        nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
      },
    }),
  ]
}

const slots = ({ activitiesMax }: Options) =>
  activitiesMax === undefined ? {} : { maxConcurrentActivityTaskExecutions: activitiesMax }

const workflows = (queue: Queue, bundles: string | undefined) =>
  bundles
    ? { workflowBundle: { codePath: join(bundles, `${queue}.js`) } }
    : { workflowsPath: fileURLToPath(new URL(`../workflows/${queue}.ts`, import.meta.url)) }
