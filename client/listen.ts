import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventType } from '../domain/webhook/event.ts'
import { systemClock } from '../engine/clock.ts'
import { type Api, NoAnswer, ApiRefusal } from './api.ts'
import { type Event, followEvents } from './event-feed.ts'
import { forward, type Forwarded } from './forward.ts'
import { type Output, paint, plain } from './output.ts'

const everyMs = 2_000
const backOffMaxMs = 30_000

export type ListenOptions = { forwardTo: string; events?: EventType[]; secret?: string }

/** Forwards new events until the signal aborts. */
export async function listen(api: Api, output: Output, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { forwardTo, events: wanted } = options
  const secret = options.secret ?? `whsec_${randomBytes(24).toString('base64')}`
  const count = { forwarded: 0, failed: 0 }
  const feed = followEvents(api)
  await untilAborted(signal, async () => {
    await feed.start(signal)
    const made = options.secret === undefined ? { secret } : {}
    output.emit({ kind: 'listening', base_url: api.baseUrl, forward_to: forwardTo, ...made })
    output.say(`Listening to ${api.baseUrl}, forwarding to ${forwardTo}. Ctrl-C ends it.`)
    if (made.secret) output.say(`Signed with the secret ${paint('bold', secret)}`)

    for await (const event of newEvents(feed, output, signal)) {
      if (wanted && !wanted.some((type) => type === event.type)) continue
      const at = await systemClock.now()
      const done = await forward(event, { url: forwardTo, secret, at }, signal)
      if (signal.aborted) return
      count[done.error === null ? 'forwarded' : 'failed']++
      printForwarded(output, event, done, at)
    }
  })
  output.emit({ kind: 'ended', ...count })
  output.say(`\n${count.forwarded} forwarded, ${count.failed} failed.`)
}

/** Runs the work. Ignores its error once the signal has aborted. */
async function untilAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/**
 * Reads the new events every two seconds, a third of a key's rate limit. While the service is unavailable or busy it
 * reads less often, and prints that once.
 */
async function* newEvents(feed: ReturnType<typeof followEvents>, output: Output, signal: AbortSignal) {
  for (let failures = 0; ;) {
    try {
      const events = await feed.next(signal)
      if (failures > 0) printState(output, 'resumed', 'The service answers again.')
      failures = 0
      yield* events
      await sleep(everyMs, undefined, { signal })
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error
      if (failures++ === 0) printState(output, 'waiting', `${error.message} Still listening.`)
      const pause = Math.min(everyMs * 2 ** failures, backOffMaxMs)
      await sleep((error instanceof ApiRefusal ? error.retryAfterMs : null) ?? pause, undefined, { signal })
    }
  }
}

/** Whether a retry may help: no answer, too many calls, or an error of the service. */
const isTemporary = (error: unknown): error is NoAnswer | ApiRefusal =>
  error instanceof NoAnswer || (error instanceof ApiRefusal && (error.status === 429 || error.status >= 500))

function printState(output: Output, kind: 'waiting' | 'resumed', detail: string): void {
  output.emit({ kind, detail })
  output.say(paint('yellow', detail))
}

function printForwarded(output: Output, event: Event, { status, durationMs, error }: Forwarded, at: number): void {
  const { id, type, sequence } = event
  output.emit({
    kind: 'forwarded',
    at: new Date(at).toISOString(),
    event_id: id,
    type,
    sequence,
    status,
    duration_ms: durationMs,
    error,
  })
  const result = error === null ? paint('green', String(status)) : paint('red', String(status ?? error))
  output.say(`${new Date(at).toTimeString().slice(0, 8)}  ${plain(type)}  ${plain(id)}  ${result}  ${durationMs} ms`)
}
