import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/core/database.ts'
import { insertRequestLogs } from '../../db/core/request-log.ts'
import type { LoggedCall } from '../../domain/sight/logged-call.ts'
import type { Logger } from '../../engine/logger.ts'
import { isUnavailable } from '../../engine/unavailable.ts'

/** The calls that wait to be written: at most this many, about 11 MB. */
const heldMax = 10_000
/** They are written this long after the first of them. */
const everyMs = 500
/** The most calls that one statement writes. */
const batchMax = 1_000
/** While the database is unavailable, this long passes until the next try. */
const retryMs = 5_000
/** The most calls of an account that are logged in a minute. */
const accountMax = 2_000
/** The most of an account's calls that were answered with 401 or 429 and are logged in a minute. */
const turnedAwayMax = 10
/** The end of the process waits this long for what is not written yet. */
const closeMs = 3_000
const reportEveryMs = 60_000

type Means = { database: Pick<Database, 'orm'>; logger: Logger }

/**
 * The log of calls, as an API process writes it (decision 0063). No call waits for it: calls are kept in memory and
 * written together. What does not fit, or cannot be written, is left out and counted in the process's own log.
 */
export function createRequestLog({ database, logger }: Means) {
  const held: LoggedCall[] = []
  const counts = new Map<string, number>()
  let minute = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<boolean> | null = null
  let omitted = 0
  let reportedAt = -Infinity

  /** Whether an account may have one more call in the log in this minute: a storm of refusals must not fill it. */
  function hasRoom({ accountId, environment, status, at }: LoggedCall): boolean {
    const now = Math.floor(at / 60_000)
    if (now > minute) counts.clear()
    minute = Math.max(minute, now)
    const isTurnedAway = status === 401 || status === 429
    const counted = `${accountId} ${environment} ${isTurnedAway}`
    const count = (counts.get(counted) ?? 0) + 1
    counts.set(counted, count)
    return count <= (isTurnedAway ? turnedAwayMax : accountMax) && held.length < heldMax
  }

  function report(): void {
    const now = performance.now()
    if (omitted === 0 || now - reportedAt < reportEveryMs) return
    logger.warn({ omitted }, 'calls are not in the log of calls')
    omitted = 0
    reportedAt = now
  }

  /** Writes what is held now, a batch after the other. Returns false if the database is unavailable. */
  async function writeHeld(): Promise<boolean> {
    for (let left = held.length; left > 0; left -= batchMax) {
      const batch = held.slice(0, batchMax)
      try {
        await insertRequestLogs(database.orm.em.fork(), batch)
      } catch (error) {
        if (isUnavailable(error)) return false
        logger.error({ err: error }, 'the log of calls was not written')
        omitted += batch.length
      }
      held.splice(0, batch.length)
    }
    return true
  }

  async function write(): Promise<boolean> {
    timer = null
    writing ??= writeHeld()
    const isWritten = await writing
    writing = null
    report()
    if (held.length > 0) writeIn(isWritten ? everyMs : retryMs)
    return isWritten
  }

  async function writeAll(): Promise<void> {
    while (await write()) if (held.length === 0) return
  }

  function writeIn(ms: number): void {
    timer ??= setTimeout(() => void write(), ms).unref()
  }

  return {
    /** Takes a call that has been answered. It costs no wait and never fails. */
    add(call: LoggedCall): void {
      if (hasRoom(call)) held.push(call)
      else omitted += 1
      if (writing === null) writeIn(everyMs)
    },
    /** Writes what is held, as far as the database takes it within seconds. */
    async close(): Promise<void> {
      if (timer) clearTimeout(timer)
      await Promise.race([writeAll(), sleep(closeMs, undefined, { ref: false })])
      if (timer) clearTimeout(timer)
      omitted += held.length
      reportedAt = -Infinity
      report()
    },
  }
}

export type RequestLog = ReturnType<typeof createRequestLog>
