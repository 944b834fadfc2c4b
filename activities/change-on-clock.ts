import type { EntityName } from '@mikro-orm/core'
import { type Database, type EntityManager, inTransaction, lock } from '../db/core/database.ts'
import { clockTimeOf, type OnClock, timeOf } from '../db/core/test-clock.ts'

/** What a step does with a locked row; `at` is the row's time, in milliseconds since the epoch. */
type Work<Row> = (em: EntityManager, row: Row, at: number) => Promise<void> | void

/**
 * Makes the steps of a process that change its row, at the row's own time: `asked`, or the time of its test clock. Each
 * is one transaction, and returns the snapshot of the row with the time that its clock has once it is committed: the
 * clock may have gone on meanwhile, without seeing what the step has made due.
 */
export const changingOnClock =
  <Row extends { id: string } & OnClock, Snapshot extends { clockTime: number | null }>(
    database: Database,
    entity: EntityName<Row>,
    snapshotOf: (em: EntityManager, row: Row) => Promise<Snapshot>,
  ) =>
  async (id: string, asked: number, work: Work<Row>): Promise<Snapshot> => {
    const { snapshot, row } = await inTransaction(database, async (em) => {
      const locked = await lock(em, entity, id)
      await work(em, locked, await timeOf(em, locked, asked))
      return { snapshot: await snapshotOf(em, locked), row: locked }
    })
    return row.clockId ? { ...snapshot, clockTime: await clockTimeOf(database.orm.em.fork(), row) } : snapshot
  }
