import {
  CancellationScope,
  isCancellation,
  type LocalActivityOptions,
  log,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow'
import { stepsWaitForTheirTurn } from './versions.ts'

type Step = (...args: unknown[]) => Promise<unknown>

/** Logged for each step that is made again. The proof of locked tables counts these lines. */
export const madeAgain = 'a canceled step is made again'
/** The pauses before a step is made again: none, then this one, then each twice as long as the last. */
const firstPauseMs = 1_000
const pauseMaxMs = 60_000

/** The steps that wait for their turn. It begins for the first of them when no other step runs. */
const waiting: (() => void)[] = []
let running = 0

/**
 * Runs one step at a time, in the order in which they are asked for. If two ran at once, a replay could answer both
 * together where the process has been answered one after the other, and the history would not replay.
 */
async function inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
  if (running > 0 && stepsWaitForTheirTurn()) await new Promise<void>((resolve) => void waiting.push(resolve))
  else running += 1
  try {
    return await step()
  } finally {
    const next = running === 1 ? waiting.shift() : undefined
    if (next) next()
    else running -= 1
  }
}

/**
 * The only way a process runs local activities, one at a time. A worker cancels a local activity that is between two
 * tries when it evicts the process from its cache, or when it stops. Nobody has asked for that cancellation, so the
 * step is made again with the same arguments: at once the first time, and later after a pause, in which the process can
 * move to another worker. A cancellation of the process itself is thrown on.
 */
export function proxyLocalSteps<Activities>(options: LocalActivityOptions): Activities {
  const steps = proxyLocalActivities<Record<string, Step>>(options)
  const makingAgain = (name: string): Step => {
    const step = steps[name] as Step // the SDK's proxy has a function for every name
    return (...args) => repeatIfCancelled(() => step(...args))
  }
  return new Proxy({} as Activities & object, { get: (_, name) => makingAgain(String(name)) })
}

async function repeatIfCancelled(step: () => Promise<unknown>): Promise<unknown> {
  for (let pauseMs = 0; ; pauseMs = Math.min(pauseMaxMs, pauseMs * 2 || firstPauseMs)) {
    if (pauseMs > 0) await sleep(pauseMs, { summary: 'before a canceled step is made again' })
    try {
      return await inTurn(step)
    } catch (error) {
      if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error
      log.warn(madeAgain)
    }
  }
}
