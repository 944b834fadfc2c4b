import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { invalid } from '../../domain/refusal.ts'

/** Slower than any telephone line of today, and 25 s for the longest JSON body. */
const bytesPerSecond = 4 * 1024
/** Before this nothing is asked of a body. */
const graceMs = 10_000
/** A body that came fast may pause, but never for longer than this. */
const pauseMaxMs = 30_000

/**
 * The bytes of a body as they arrive. A body that stops, or comes more slowly than the least rate, is refused: whoever
 * sends it holds a connection and, in an upload, memory. One whose sender hangs up is refused too, which nobody hears.
 * Leaving the loop does not destroy the request, as its connection is still needed for the answer.
 */
export async function* readArriving(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false })
  let endsAt = performance.now() + graceMs
  try {
    for (;;) {
      // What is all there already, as most bodies are once their sender is known, needs no clock.
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

/** What `next` comes to, unless it is not there at `endsAt`, in milliseconds as `performance.now()` counts them. */
async function within<T>(next: Promise<T>, endsAt: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // Where this process itself was held up, what has arrived meanwhile is read first.
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
