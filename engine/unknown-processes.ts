import type { Database } from '../db/core/database.ts'
import { isKnownProcess } from '../db/core/outbox.ts'
import type { Logger } from './logger.ts'
import { repeatEvery } from './repeat.ts'

/** Each look reads the whole outbox. */
const everyMs = 60_000

/**
 * Warns once of each process in the outbox that this release does not know. Its rows wait for a relay of a release that
 * does: the newer one that was rolled back, or that begins beside this one.
 */
export function watchUnknownProcesses({ orm }: Database, logger: Logger) {
  const told: string[] = []

  async function look(): Promise<void> {
    const found = await orm.em
      .fork()
      .execute<{ process: string; rows: number }[]>(
        `select process, count(*)::int as rows from outbox where not ${isKnownProcess} group by process`,
      )
    for (const about of found.filter(({ process }) => !told.includes(process))) {
      told.push(about.process)
      logger.warn(about, 'outbox rows wait for a release that knows their process')
    }
  }
  return repeatEvery(everyMs, look, { logger, failed: 'unknown processes could not be looked for' })
}
