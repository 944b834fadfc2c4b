import { Client, type Connection } from '@temporalio/client'
import type { loadDeployment } from '../../engine/config.ts'
import { hasGrpcStatus } from '../../engine/grpc-status.ts'

/** What the engine refuses, or we refuse for it, in words for operators. */
export class ReleaseRefused extends Error {
  constructor(reason: string) {
    super(`Temporal refuses: ${reason}`)
  }
}

/** A release of the workers, as the engine knows it. */
export type WorkerRelease = {
  build: string
  /** `draining`: new processes do not begin on it, and processes that did may still be open. */
  state: 'current' | 'ramping' | 'draining' | 'drained' | 'inactive'
  /** The percentage of new processes that begin on it, if it is ramping. */
  percent: number | null
  /** Of each value of WORKER_QUEUES but `all`. */
  of: Record<Kind, OfKind>
}

type OfKind = {
  /** Open processes that end on this release. */
  pinned: number
  /** Worker processes that have asked for tasks in the last minutes. */
  workers: number
}

/** What a worker works on; one that works on everything counts twice. */
const kinds = ['money', 'webhooks'] as const
type Kind = (typeof kinds)[number]

type Deployment = ReturnType<typeof loadDeployment>

// temporal.api.enums.v1.VersionDrainageStatus
const draining = 1
const drained = 2
const askedWithinMs = 90_000 // a poll takes up to a minute

/** Reads and changes which releases of its workers take the processes of a service. */
export function workerReleases(connection: Connection, deployment: Deployment) {
  const { temporalNamespace: namespace, deploymentName, taskQueue } = deployment
  const { workflowService } = connection
  const client = new Client({ connection, namespace })

  const queueOf: Record<Kind, string> = { money: taskQueue, webhooks: `${taskQueue}-webhooks` }
  const openOn = (build: string) =>
    `TemporalWorkerDeploymentVersion = '${deploymentName}:${build}' AND ExecutionStatus = 'Running' ` +
    `AND TemporalWorkflowVersioningBehavior = 'Pinned'`

  async function describe() {
    const found = await ask(() => workflowService.describeWorkerDeployment({ namespace, deploymentName }), null)
    return found?.workerDeploymentInfo ?? null
  }

  /** Refuses to end the ramp of a release while another one is ramping. */
  async function checkRampOf(build: string): Promise<void> {
    const info = await describe()
    checkKnown(info, build)
    const ramping = info?.routingConfig?.rampingDeploymentVersion?.buildId
    if (ramping && ramping !== build) throw new ReleaseRefused(`${ramping} is ramping, and not ${build}`)
  }

  /** How many workers of each release ask a queue for tasks; the key is '' for those without a release. */
  async function countWorkers(name: string, now: number): Promise<Map<string, number>> {
    const { pollers } = await workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: 1, // of workflows
    })
    const asking = new Map<string, Set<string>>()
    for (const { identity, deploymentOptions, lastAccessTime } of pollers ?? []) {
      if (now - Number(lastAccessTime?.seconds ?? 0) * 1_000 > askedWithinMs) continue
      const build = deploymentOptions?.buildId ?? ''
      asking.set(build, (asking.get(build) ?? new Set()).add(identity ?? ''))
    }
    return new Map([...asking].map(([build, identities]) => [build, identities.size]))
  }

  const countOpen = async (build: string, kind: Kind) =>
    (await client.workflow.count(`${openOn(build)} AND TaskQueue = '${queueOf[kind]}'`)).count

  return {
    /** Every release, the oldest first. `now` is in milliseconds since the epoch. */
    async list(now: number): Promise<WorkerRelease[]> {
      const info = await describe()
      const { currentDeploymentVersion: current, rampingDeploymentVersion: ramping } = info?.routingConfig ?? {}
      const workers = {
        money: await countWorkers(queueOf.money, now),
        webhooks: await countWorkers(queueOf.webhooks, now),
      }
      const versions = (info?.versionSummaries ?? []).toSorted(
        (one, other) => Number(one.createTime?.seconds ?? 0) - Number(other.createTime?.seconds ?? 0),
      )
      const found: WorkerRelease[] = []
      for (const { deploymentVersion, drainageInfo } of versions) {
        const build = deploymentVersion?.buildId ?? ''
        const isRamping = ramping?.buildId === build
        const ofKind = async (kind: Kind): Promise<OfKind> => ({
          pinned: await countOpen(build, kind),
          workers: workers[kind].get(build) ?? 0,
        })
        const ofDrainage = { [draining]: 'draining', [drained]: 'drained' } as const
        const idle = ofDrainage[(drainageInfo?.status ?? 0) as keyof typeof ofDrainage] ?? 'inactive'
        found.push({
          build,
          state: current?.buildId === build ? 'current' : isRamping ? 'ramping' : idle,
          percent: isRamping ? (info?.routingConfig?.rampingVersionPercentage ?? 0) : null,
          of: { money: await ofKind('money'), webhooks: await ofKind('webhooks') },
        })
      }
      return found
    },

    /** New processes begin on this release; '' for workers without a release. Those that are not pinned move to it. */
    async makeCurrent(build: string): Promise<void> {
      await ask(() => workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId: build }))
    },

    /** This percentage of new processes, and of those that are not pinned, goes to this release; 0 ends it. */
    async ramp(build: string, percent: number): Promise<void> {
      if (percent === 0) await checkRampOf(build)
      const buildId = percent === 0 ? '' : build
      await ask(() =>
        workflowService.setWorkerDeploymentRampingVersion({ namespace, deploymentName, buildId, percentage: percent }),
      )
    },

    /** Lets the open processes that are pinned to this release go on with the current one. Returns how many. */
    async move(build: string): Promise<number> {
      let moved = 0
      checkKnown(await describe(), build)
      for await (const { workflowId, runId } of client.workflow.list({ query: openOn(build) })) {
        const isOpen = await ask(
          () =>
            workflowService.updateWorkflowExecutionOptions({
              namespace,
              workflowExecution: { workflowId, runId },
              workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
              updateMask: { paths: ['versioning_override'] },
            }),
          null,
        )
        if (isOpen) moved += 1
      }
      return moved
    },
  }
}

type Known = { versionSummaries?: { deploymentVersion?: { buildId?: string | null } | null }[] | null }

/** Refuses a release of which the engine has never heard. */
function checkKnown(info: Known | null, build: string): void {
  const isKnown = info?.versionSummaries?.some(({ deploymentVersion }) => deploymentVersion?.buildId === build)
  if (!isKnown) throw new ReleaseRefused(`there is no release ${build}`)
}

/** The engine's answer; `missing`, if it is given, where the engine does not know what is asked for. */
async function ask<T, M = never>(call: () => Promise<T>, missing?: M): Promise<T | M> {
  try {
    return await call()
  } catch (error) {
    if (missing !== undefined && hasGrpcStatus(error, 'notFound')) return missing
    if (!hasGrpcStatus(error, 'invalidArgument', 'notFound', 'failedPrecondition')) throw error
    throw new ReleaseRefused(error.details)
  }
}

/** A table of releases for operators, with what they should do. */
export function describeReleases(releases: WorkerRelease[]): string {
  if (releases.length === 0) return 'No worker with a WORKER_BUILD_ID has asked for tasks yet.'
  const row = (build: string, state: string, ...counts: (string | number)[]) =>
    [build.padEnd(24), state.padEnd(14), ...counts.map((count, n) => String(count).padStart(n === 0 ? 7 : 17))].join(
      ' ',
    )
  const head = row('RELEASE', 'STATE', 'PINNED', 'WORKERS: MONEY', 'WORKERS: WEBHOOKS')
  const lines = releases.map(({ build, state, percent, of: { money, webhooks } }) =>
    row(
      build,
      percent === null ? state : `${state} ${percent} %`,
      money.pinned + webhooks.pinned,
      money.workers,
      webhooks.workers,
    ),
  )
  return [head, ...lines, ...releases.flatMap(hintOf)].join('\n')
}

/** What to do where a kind of work of a release has no worker: processes that are pinned there, or begin there. */
function hintOf({ build, state, of }: WorkerRelease): string[] {
  const begins = state === 'current' || state === 'ramping'
  const stuck = kinds.filter((kind) => of[kind].workers === 0 && (begins || of[kind].pinned > 0))
  if (stuck.length === 0) return []
  const remedy = `Start workers of ${build} for ${stuck.join(' and ')}`
  return [`${remedy}${state === 'current' ? '' : ', or move its processes'}: nothing carries them out.`]
}
