import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../db/core/database.ts'
import { backlogSources, type Figure, queueSources, type ReadFigures } from '../../db/sight/figures.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Logger } from '../logger.ts'
import { minuteMs } from '../../domain/duration.ts'

/** How old figures of queues may be, so that many scrapes cost no more than one. */
const queuesEveryMs = 5_000
/** The same for figures of backlogs, which cost more. */
const backlogsEveryMs = minuteMs
/** How long a scrape waits for the database. */
const answersWithinMs = 3_000
/** The same for the reads of one connection together: a little less, so that the last one is not too late. */
const readsWithinMs = 2_700
/** What is kept for each read that has still to come, however slow those before it are: many times what it needs. */
const leastMs = 150

/** What the database has told: whether it has answered, its figures, and which sources it did not tell. */
export type DatabaseFigures = { isUp: boolean; figures: Figure[]; missing: string[] }

type Parts = { database: Pick<Database, 'orm'>; clock: Clock; logger: Logger }
type Read = () => Promise<Figure[]>
type ReadWithin = (withinMs: number) => Promise<Figure[]>

/** Reads figures from the database. It never fails: while the database is unavailable there are no figures. */
export function createFigureReader({ database, clock, logger }: Parts): () => Promise<DatabaseFigures> {
  const readerOf = (everyMs: number, sources: Record<string, ReadFigures>) => {
    const inTurn = createTurns()
    return Object.entries(sources).map(([source, read]) => {
      const readNow: ReadWithin = async (withinMs) => read(database.orm.em.fork(), await clock.now(), withinMs)
      const warn = (err: unknown) => logger.warn({ err, figures: source }, 'figures for the metrics could not be read')
      return { source, read: remember(everyMs, warn, () => inTurn(readNow)) }
    })
  }
  const [queues, backlogs] = [readerOf(queuesEveryMs, queueSources), readerOf(backlogsEveryMs, backlogSources)]
  return async () => {
    const answers = await Promise.all(
      [...queues, ...backlogs].map(async ({ source, read }) => ({ source, figures: await read() })),
    )
    return {
      // Figures of queues are read again with nearly every scrape; those of backlogs may be a minute old.
      isUp: answers.slice(0, queues.length).some(({ figures }) => figures !== null),
      figures: answers.flatMap(({ figures }) => figures ?? []),
      missing: answers.flatMap(({ source, figures }) => (figures === null ? [source] : [])),
    }
  }
}

/**
 * Reads run one after the other, so that they take one connection of the pool. Each is given what is left of the time,
 * without what those behind it need: so slow ones take no others with them.
 */
function createTurns(): (read: ReadWithin) => Promise<Figure[]> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let limit = 0
  return (read) => {
    if (waiting === 0) limit = performance.now() + readsWithinMs
    waiting += 1
    const run = async () => {
      const left = limit - performance.now()
      waiting -= 1
      return read(Math.max(leastMs, Math.floor(left - waiting * leastMs)))
    }
    const next = last.then(run, run)
    last = next
    return next
  }
}

/** Reads again what is older than `everyMs`, once at a time. Null where nothing was read in time. */
function remember(everyMs: number, warn: (error: unknown) => void, read: Read): () => Promise<Figure[] | null> {
  let known: Figure[] | null = null
  let readAt = -Infinity
  let reading: Promise<void> | null = null

  async function readAgain(): Promise<void> {
    try {
      known = await read()
      readAt = performance.now()
    } catch (error) {
      known = null
      warn(error)
    } finally {
      reading = null
    }
  }

  return async () => {
    if (known !== null && performance.now() - readAt < everyMs) return known
    reading ??= readAgain()
    const inTime = await Promise.race([reading.then(() => true), setTimeout(answersWithinMs, false, { ref: false })])
    return inTime ? known : null
  }
}
