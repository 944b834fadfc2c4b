import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../db/core/database.ts'
import { type Figure, readBacklogs, readQueues } from '../../db/sight/figures.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Logger } from '../logger.ts'

/** How old figures of queues may be, so that many scrapes cost no more than one. */
const queuesEveryMs = 5_000
/** The same for figures of backlogs, which cost more. */
const backlogsEveryMs = 60_000
/** How long a scrape waits for the database. */
const answersWithinMs = 3_000

/** Whether the database has answered, and its figures: none of those that it did not tell. */
export type ReadFigures = () => Promise<{ isUp: boolean; figures: Figure[] }>

type Parts = { database: Pick<Database, 'orm'>; clock: Clock; logger: Logger }

/** Reads figures from the database. It never fails: while the database is away there are no figures. */
export function createFigureReader({ database, clock, logger }: Parts): ReadFigures {
  const em = () => database.orm.em.fork()
  const parts = [
    remember(queuesEveryMs, logger, () => readQueues(em())),
    remember(backlogsEveryMs, logger, async () => readBacklogs(em(), await clock.now())),
  ]
  return async () => {
    const [queues = null, backlogs = null] = await Promise.all(parts.map((read) => read()))
    return { isUp: queues !== null, figures: [...(queues ?? []), ...(backlogs ?? [])] }
  }
}

/** Reads again what is older than `everyMs`, once at a time. Null where nothing was read in time. */
function remember(everyMs: number, logger: Logger, read: () => Promise<Figure[]>): () => Promise<Figure[] | null> {
  let known: Figure[] | null = null
  let readAt = -Infinity
  let reading: Promise<void> | null = null

  async function readAgain(): Promise<void> {
    try {
      known = await read()
      readAt = performance.now()
    } catch (error) {
      known = null
      logger.warn({ err: error }, 'figures for the metrics could not be read')
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
