import { setTimeout } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import { systemClock } from './clock.ts'
import type { Logger } from './logger.ts'
import { repeatEvery } from './repeat.ts'
import { isUnavailable } from './unavailable.ts'

/** The time by which a process goes, in milliseconds since the epoch. */
export type DatabaseClock = {
  /** The database's time; until it is known, the time of this machine. */
  now(): number
  /** Ends once the database's time is known, from its first answers. */
  known: Promise<void>
  close(): Promise<void>
}

type Times = {
  /** Milliseconds since some moment; they never jump, whatever is done to the clock of the machine. */
  elapsed(): number
  /** The clock of this machine, in milliseconds since the epoch. */
  own(): number
}

const askEveryMs = 10_000
const retryMs = 1_000
/** How many answers are compared at the start, so that one slow answer does not decide. */
const answersAtStart = 3
/** A change of this machine's clock against the elapsed time that nobody's correction of it explains. */
const jumpMs = 1_000
/** From this difference on a clock of a machine is reported as wrong: one that is kept right differs by far less. */
const wrongMs = 2_000

const realTimes: Times = { elapsed: () => performance.now(), own: systemClock.now }

/**
 * A clock that tells the database's time: the one time of all processes of a deployment (docs/decisions/0089). It asks
 * the database at the start, every 10 s, and at once when the clock of this machine was moved or has stood still. In
 * between, and while the database is unavailable, it counts on by the time that has elapsed.
 */
export function startDatabaseClock(
  database: Pick<Database, 'orm'>,
  logger: Logger,
  { elapsed, own }: Times = realTimes,
): DatabaseClock {
  let ownAhead = own() - elapsed()
  let ahead = ownAhead // of the database's time to `elapsed`
  let answers = 0
  let isWrong = false
  let asking: Promise<void> | null = null
  let begunAt = -Infinity
  /** How often this machine's clock has jumped, and how many of these jumps a later answer has settled. */
  let jumps = 0
  let settled = 0
  let askedAgainAt = -Infinity

  /** Notices whether this machine's clock was moved, or has stood still, since the last look. */
  function noticeJump(): void {
    const at = elapsed()
    if (Math.abs(own() - at - ownAhead) <= jumpMs) return
    ownAhead = own() - at
    jumps += 1
    askedAgainAt = -Infinity
  }

  /**
   * Asks the database for its time and corrects `ahead`. The database has read its clock at some moment between
   * question and answer, so the answer leaves a range. `ahead` is moved only as far as it lies outside this range: an
   * answer that took long moves nothing. Neither does one during which this machine's clock has jumped: it may be from
   * before the machine stood still.
   */
  async function ask(): Promise<void> {
    noticeJump()
    const jumpsBefore = jumps
    const askedAt = elapsed()
    const databaseTime = await readTime(database)
    const answeredAt = elapsed()
    noticeJump()
    if (jumps > jumpsBefore) return
    settled = jumps
    const least = databaseTime - answeredAt
    const most = databaseTime - askedAt
    ahead = answers === 0 ? (least + most) / 2 : Math.min(most, Math.max(least, ahead))
    answers += 1
    ownAhead = own() - answeredAt
    report(Math.round(ownAhead - ahead))
  }

  function report(aheadMs: number): void {
    const wasWrong = isWrong
    isWrong = Math.abs(aheadMs) > wrongMs
    const about = { aheadMs }
    if (isWrong && !wasWrong) logger.warn(about, 'this machine’s clock is not the database’s, which counts: correct it')
    if (!isWrong && wasWrong) logger.info(about, 'this machine’s clock is the database’s again')
  }

  /** Asks the database, or waits for the question that is under way, unless that has met silence for a second. */
  function askOnce(): Promise<void> {
    if (asking && elapsed() - begunAt < retryMs) return asking
    begunAt = elapsed()
    const question = ask().finally(() => {
      if (asking === question) asking = null
    })
    asking = question
    return question
  }

  async function askAtStart(): Promise<void> {
    while (answers < answersAtStart) {
      await askOnce().catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
        return setTimeout(retryMs)
      })
    }
  }
  const known = askAtStart()
  const asker = repeatEvery(askEveryMs, askOnce, { logger, failed: 'the database’s time could not be read' })

  return {
    now() {
      noticeJump()
      const at = elapsed()
      if (settled < jumps && at - askedAgainAt >= retryMs) {
        askedAgainAt = at
        askOnce().catch(() => undefined) // a call a second later asks again
      }
      return Math.floor(at + ahead)
    },
    known,
    close: () => asker.stop(),
  }
}

async function readTime({ orm }: Pick<Database, 'orm'>): Promise<number> {
  const [row] = await orm.em
    .fork()
    .execute<{ ms: string }[]>(`select extract(epoch from clock_timestamp()) * 1000 as ms`)
  return Number(row?.ms)
}
