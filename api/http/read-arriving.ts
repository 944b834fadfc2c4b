import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { invalid } from '../../domain/refusal.ts'

/**
 * The lowest rate of a body. Slower than any mobile network of today; the usual JSON body takes 25 s at most at this
 * rate, one with metadata or evidence four minutes.
 */
const bytesPerSecond = 4 * 1024
/** The rate is not checked before this time. */
const graceMs = 10_000
/** The longest pause in a body that was fast enough before. */
const pauseMaxMs = 30_000

/**
 * The bytes of a body as they arrive. A body that stops, or arrives below the lowest rate, is refused, as it holds a
 * connection and, in an upload, memory. So is a body whose sender hangs up, although nobody reads that answer.
 * Leaving the loop does not destroy the request, as its connection is still needed for the answer.
 */
export async function* readArriving(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false })
  let endsAt = performance.now() + graceMs
  try {
    for (;;) {
      // A body that has arrived in full needs no timer. Most have by the time their caller is authenticated.
      const next = await (request.complete ? chunks.next() : within(chunks.next(), endsAt))
      if (next.done) return
      const chunk = next.value as Buffer
      const bought = (chunk.length / bytesPerSecond) * 1000
      endsAt = Math.min(endsAt + bought, performance.now() + pauseMaxMs)
      yield chunk
    }
  } finally {
    chunks.return?.().catch(() => undefined) // not awaited: it would wait for the chunk that does not come
  }
}

/** The result of `next`. Refuses if it is not there at `endsAt`, in milliseconds of `performance.now()`. */
async function within<T>(next: Promise<T>, endsAt: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // If this process was blocked, the timer fires late: the bytes that have arrived meanwhile are read first.
      void setImmediate().then(() => reject(tooSlow()))
    }, endsAt - performance.now())
  })
  try {
    return await Promise.race([next.catch(refuseBroken), late])
  } finally {
    clearTimeout(timer)
  }
}

const tooSlow = () =>
  invalid('body', `arrives too slowly: at least ${bytesPerSecond / 1024} KB a second are needed`, 'value_error')

function refuseBroken(): never {
  throw invalid('body', 'broke off before its end')
}
