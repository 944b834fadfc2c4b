import { setTimeout } from 'node:timers/promises'
import { type Frame, framesIn } from './event-stream.ts'

const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** A connection that has lasted so long has worked: the next wait is a short one again. */
const steadyMs = 10_000

export type ComingBack = {
  /** Opens the stream, after the event with this id; empty: with what happens from now on. */
  open(lastEventId: string): Promise<AsyncIterable<Uint8Array>>
  /** At least how long to wait after an error, 0 if it says nothing; null if waiting does not help. */
  retryAfterMs(error: unknown): number | null
  /** How often it is tried again until the first connection has begun. Left out: not once. */
  retriesMax?: number
  /** Called once, when the first connection has begun. */
  onBegun?(): void
  /** Called when the connection is lost or refused, once until it is there again. */
  onWaiting?(error: unknown): void
  onResumed?(): void
  signal?: AbortSignal | undefined
}

/**
 * The events of a stream over as many connections as it takes, each once. The service ends a connection now and then;
 * that is no error. The last error before the first connection has begun is thrown, and so is the reason of the signal.
 */
export async function* comingBack(how: ComingBack): AsyncGenerator<Frame> {
  const { open, retryAfterMs, retriesMax = 0, onBegun, onWaiting, onResumed, signal } = how
  let lastId = ''
  let isBegun = false
  let failures = 0
  let isLost = false
  for (let retries = 0; ; retries++) {
    let openedAt = Infinity
    let leastMs = 0
    try {
      const chunks = await open(lastId)
      openedAt = performance.now()
      for await (const frame of framesIn(chunks)) {
        if (!isBegun) onBegun?.()
        if (isLost) onResumed?.()
        isBegun = true
        isLost = false
        if (frame.id !== '') lastId = frame.id
        if (frame.data !== '') yield frame
      }
    } catch (error) {
      signal?.throwIfAborted()
      const wait = isBegun || retries < retriesMax ? retryAfterMs(error) : null
      if (wait === null) throw error
      leastMs = wait
      if (!isLost) onWaiting?.(error)
      isLost = true
    }
    signal?.throwIfAborted()
    failures = performance.now() - openedAt >= steadyMs ? 0 : failures + 1
    await setTimeout(Math.max(leastMs, pauseAfter(failures)), undefined, signal ? { signal } : {})
  }
}

/**
 * Whether these wrong fields say that the last event which came is later than any that the service knows. Its database
 * was restored then, and the first new event of anybody is later again: the stream goes on after a wait.
 */
export const isAhead = (errors: readonly { field: string; type?: string }[]): boolean =>
  errors.some(({ field, type }) => field === 'Last-Event-ID' && type === 'value_error.range')

/** Doubles with each failure, less a random part, so that many clients do not come back at the same moment. */
const pauseAfter = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.max(0, failures - 1), longestPauseMs) * (0.5 + Math.random() / 2)
