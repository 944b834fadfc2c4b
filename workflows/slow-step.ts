import { CancellationScope, sleep } from '@temporalio/workflow'
import { minuteMs } from '../domain/duration.ts'
import { slowRailsAreShown } from './versions.ts'

/** How long a rail may take before its process reads its row again. Most answer within seconds. */
const patienceMs = minuteMs

/**
 * The result of a step at a rail, however long it takes. A step that takes longer than a minute has changed the row
 * before it called the rail, and its answer may be hours away: the process then reads the row by `look`, so that it
 * shows what waits for the rail.
 */
export const lookingIfSlow = <Result>(step: Promise<Result>, look: () => Promise<void>): Promise<Result> =>
  slowRailsAreShown() ? withLook(step, look) : step

async function withLook<Result>(step: Promise<Result>, look: () => Promise<void>): Promise<Result> {
  const patience = new CancellationScope()
  const waiting = patience.run(() => sleep(patienceMs, { summary: 'then it is shown to wait for the rail' }))
  const looking = waiting.then(look).catch(() => undefined) // cancelled: the rail was quick enough
  try {
    return await step
  } finally {
    patience.cancel()
    await looking // a process does not end during a step
  }
}
