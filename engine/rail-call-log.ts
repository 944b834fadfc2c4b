import type { NoteRailCall, RailCall } from '../rails/line.ts'
import { hourMs, minuteMs } from '../domain/duration.ts'
import type { Logger } from './logger.ts'

/** The share of an hour's calls that may fail before staff should look at it. */
const failedShareMax = 0.01
/** An hour with fewer calls is not judged by its share. */
const callsMin = 100

type Count = { calls: number; failed: number; slowestMs: number }

/** No answer, an error of the provider's own, too many requests, and what was not sent because it was down. */
const hasFailed = ({ status }: RailCall): boolean => typeof status === 'string' || status === 429 || status >= 500

/**
 * Logs each call of a provider, its calls of each minute in one line, and once an hour that its error budget is used
 * up. `now` is in milliseconds, from any origin.
 */
export function createRailCallLog(
  logger: Pick<Logger, 'debug' | 'info' | 'warn'>,
  now: () => number = () => performance.now(),
): NoteRailCall {
  const minutes = new Map<string, Window>()
  const hours = new Map<string, Window>()
  return (call) => {
    const { provider } = call
    logger.debug(call, 'a call of a provider')
    const minute = windowOf(minutes, provider, now(), minuteMs)
    const hour = windowOf(hours, provider, now(), hourMs)
    if (minute.ended) logger.info({ provider, ...minute.ended }, 'calls of a provider in a minute')
    for (const { count } of [minute.current, hour.current]) add(count, call)
    const { count } = hour.current
    if (hour.current.isTold || count.calls < callsMin || count.failed <= count.calls * failedShareMax) return
    hour.current.isTold = true
    logger.warn(
      { provider, ...count, mayFail: failedShareMax },
      'the error budget of a provider is used up for this hour',
    )
  }
}

type Window = { since: number; count: Count; isTold: boolean }

/** The window that runs, and the counts of the one before, if it has just ended. */
function windowOf(windows: Map<string, Window>, provider: string, at: number, lengthMs: number) {
  const known = windows.get(provider)
  if (known && at - known.since < lengthMs) return { current: known, ended: null }
  const current = { since: at, count: { calls: 0, failed: 0, slowestMs: 0 }, isTold: false }
  windows.set(provider, current)
  return { current, ended: known?.count ?? null }
}

function add(count: Count, call: RailCall): void {
  count.calls += 1
  if (hasFailed(call)) count.failed += 1
  count.slowestMs = Math.max(count.slowestMs, call.ms)
}
