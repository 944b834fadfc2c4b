import { randomBytes } from 'node:crypto'
import type { EventType } from '../domain/webhook/event.ts'
import { systemClock } from '../engine/clock.ts'
import type { Api } from './api.ts'
import { type Event, newEvents } from './event-source.ts'
import { forward, type Forwarded } from './forward.ts'
import { type Output, paint, plain } from './output.ts'

export type ListenOptions = { forwardTo: string; events?: EventType[]; account?: string; secret?: string }

/** Forwards new events until the signal aborts. */
export async function listen(api: Api, output: Output, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { forwardTo, events: types, account: accountId } = options
  const secret = options.secret ?? `whsec_${randomBytes(24).toString('base64')}`
  const count = { forwarded: 0, failed: 0 }
  const of = accountId === undefined ? {} : { account_id: accountId }
  const made = options.secret === undefined ? { secret } : {}
  const happenings = {
    onBegun() {
      output.emit({ kind: 'listening', base_url: api.baseUrl, forward_to: forwardTo, ...of, ...made })
      const whose = accountId ?? 'your account'
      output.say(`Listening to ${whose} at ${api.baseUrl}, forwarding to ${forwardTo}. Ctrl-C ends it.`)
      output.say('Times are in UTC.')
      if (made.secret) output.say(`Signed with the secret ${paint('bold', secret)}`)
    },
    onWaiting: (detail: string) => printState(output, 'waiting', `${detail} Still listening.`),
    onResumed: () => printState(output, 'resumed', 'The service answers again.'),
  }
  await untilAborted(signal, async () => {
    for await (const event of newEvents(api, { types, accountId }, happenings, signal)) {
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
  output.say(`${new Date(at).toISOString().slice(11, 19)}  ${plain(type)}  ${plain(id)}  ${result}  ${durationMs} ms`)
}
