import {
  type ActivityOptions,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import { isOneOf } from '../domain/narrow.ts'
import { type ProviderName, providerNames } from '../domain/rail-provider.ts'

type Step = (...args: unknown[]) => Promise<unknown>

/** The provider that the process works with. Undefined: as its start has said, which is in its memo. */
let provider: ProviderName | null | undefined

/** Keeps the provider that a message or a step has named. */
export function keepProvider(named: ProviderName | null | undefined): void {
  if (named !== undefined) provider = named
}

function providerNow(): ProviderName | null {
  const begun = workflowInfo().memo?.['provider']
  return provider === undefined && isOneOf(providerNames, begun) ? begun : (provider ?? null)
}

/**
 * The only way a process calls a rail. The steps of a live process run on the task queue of its provider, so that one
 * that hangs keeps no other process waiting; those of the sandbox on the main one. The queue is chosen when the step is
 * taken.
 */
export function proxyRailSteps<Activities>(options: ActivityOptions): Activities {
  const stepsOn = (queue: string | null) =>
    proxyActivities<Record<string, Step>>({ ...options, ...(queue !== null && { taskQueue: queue }) })
  const taking = (name: string): Step => {
    return (...args) => {
      const own = providerNow()
      const step = stepsOn(own && `${workflowInfo().taskQueue}-${own}`)[name] as Step // there is one for every name
      return step(...args)
    }
  }
  return new Proxy({} as Activities & object, { get: (_, name) => taking(String(name)) })
}

/**
 * A step at a rail that is likely to answer at once, such as the sandbox's: the first try is made within the process's
 * own task (by `quickRailPolicy`), which costs the engine no task of its own. A try that takes too long, or fails
 * without a refusal, is made again by `again`. The rail recognizes a repeated order by its id.
 */
export const hereFirst =
  <Args extends unknown[], Result>(here: (...args: Args) => Promise<Result>, again: typeof here): typeof here =>
  async (...args) => {
    try {
      return await here(...args)
    } catch (error) {
      if (isCancellation(error) || isRefusal(error)) throw error
      return again(...args)
    }
  }

/** Whether a local step has ended with a refusal, which no repetition changes. The engine wraps no local failure. */
const isRefusal = (error: unknown): boolean => error instanceof ApplicationFailure && error.nonRetryable === true
