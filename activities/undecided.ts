import type { EntityName } from '@mikro-orm/core'
import { type Database, inTransaction, lock } from '../db/core/database.ts'
import type { Polled } from '../domain/rail-polls.ts'

/**
 * Notes when the rail of an order is asked again, if its answer decides nothing, and returns the answer. A process of
 * before 2026-11-24 does not say when it asks.
 */
export async function noteUndecided<Row extends Polled & { id: string; status: string }, Answer extends string>(
  database: Database,
  { entity, isEnd }: { entity: EntityName<Row>; isEnd: (status: string) => boolean },
  { id, askAgainAt }: { id: string; askAgainAt: number | undefined },
  answer: Answer,
): Promise<Answer> {
  if (answer !== 'unknown' || askAgainAt === undefined) return answer
  await inTransaction(database, async (em) => {
    const row = await lock(em, entity, id)
    if (!isEnd(row.status)) row.nextPollAt = new Date(askAgainAt)
  })
  return answer
}
