import type { CustomSlotSupplier, WorkflowSlotInfo } from '@temporalio/worker'

/** Tasks that work at a time: more than two processors can do, and few enough that nobody waits long behind them. */
const workingMax = 16
const lookEveryMs = 20

/**
 * Places for the tasks of webhooks: so many that work, and one more for each that only waits for its receiver, up to
 * `max`. What has to wait for a place waits in the engine, where merchants take turns, and not here behind a hundred
 * others; and receivers that hang take no place from those that answer. `waiting` says how many of them wait.
 */
export function createWebhookSlotSupplier(waiting: () => number, max: number): CustomSlotSupplier<WorkflowSlotInfo> {
  const queue = new Set<() => void>()
  let taken = 0
  let looking: NodeJS.Timeout | undefined

  const hasPlace = () => taken < Math.min(max, workingMax + waiting())

  function give(): void {
    for (const take of queue) {
      if (!hasPlace()) break
      queue.delete(take)
      taken += 1
      take()
    }
    if (queue.size > 0) looking ??= setInterval(give, lookEveryMs).unref()
    else {
      clearInterval(looking)
      looking = undefined
    }
  }

  return {
    type: 'custom',
    reserveSlot: (_context, signal) =>
      new Promise((resolve, reject) => {
        const take = () => {
          signal.removeEventListener('abort', leave)
          resolve({})
        }
        const leave = () => {
          queue.delete(take)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.add(take)
        give()
      }),
    tryReserveSlot() {
      if (queue.size > 0 || !hasPlace()) return null
      taken += 1
      return {}
    },
    markSlotUsed: () => undefined,
    releaseSlot() {
      taken -= 1
      give()
    },
  }
}
