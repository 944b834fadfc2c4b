import type { CustomSlotSupplier, WorkflowSlotInfo } from '@temporalio/worker'

/** The tasks that use the processor at a time: enough to keep two processors busy, few enough for short waits. */
const workingMax = 16
/** How often a queue of waiting tasks looks whether `waiting` has grown. */
const lookEveryMs = 20

/**
 * Slots for webhook tasks: `workingMax` for tasks that work, and one more for each task that only waits for its
 * receiver, up to `max`. So slow receivers take no slot from others, and tasks without a slot wait in the engine, where
 * merchants take turns. `waiting` returns the number of tasks that wait for their receivers.
 */
export function createWebhookSlotSupplier(waiting: () => number, max: number): CustomSlotSupplier<WorkflowSlotInfo> {
  /** The tasks that wait for a slot, each by the function that grants it one. */
  const queue = new Set<() => void>()
  let taken = 0
  let looking: NodeJS.Timeout | undefined

  const hasPlace = () => taken < Math.min(max, workingMax + waiting())

  function grantSlots(): void {
    for (const grant of queue) {
      if (!hasPlace()) break
      queue.delete(grant)
      taken += 1
      grant()
    }
    if (queue.size > 0) looking ??= setInterval(grantSlots, lookEveryMs).unref()
    else {
      clearInterval(looking)
      looking = undefined
    }
  }

  return {
    type: 'custom',
    reserveSlot: (_context, signal) =>
      new Promise((resolve, reject) => {
        const grant = () => {
          signal.removeEventListener('abort', leave)
          resolve({})
        }
        const leave = () => {
          queue.delete(grant)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.add(grant)
        grantSlots()
      }),
    tryReserveSlot() {
      if (queue.size > 0 || !hasPlace()) return null
      taken += 1
      return {}
    },
    markSlotUsed: () => undefined,
    releaseSlot() {
      taken -= 1
      grantSlots()
    },
  }
}
