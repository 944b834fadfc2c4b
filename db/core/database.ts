import { AsyncLocalStorage } from 'node:async_hooks'
import { type EntityName, IsolationLevel, raw, type RequiredEntityData, TransactionPropagation } from '@mikro-orm/core'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { Clock } from '../../domain/clock.ts'
import type { About } from '../../domain/process-contract.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { ProcessName } from '../../domain/processes.ts'
import type { Actor } from '../../domain/sight/timeline.ts'
import { insertAppendedRows, takeAppendedRows } from './appended-rows.ts'
import { metaOfRow } from './metadata.ts'
import { OutboxRow } from './outbox.ts'
import { lockRow } from './prepared-statement.ts'

export type { EntityManager } from '@mikro-orm/postgresql'

/** The connection pool, and the callback of this process for the outbox rows that a commit has added. */
export type Database = {
  orm: MikroORM
  /**
   * Called after each commit that wrote outbox rows. The sweeps leave these rows to the callback for 2 s; null leaves
   * them to the sweeps at once.
   */
  onCommitted: ((rows: OutboxRow[]) => void) | null
  /** Whether this process dispatches a process of this name; if left out, all. The others are left to the sweeps. */
  isDispatchedHere?: ((process: ProcessName) => boolean) | undefined
  /**
   * The time of writing, in a worker: the moment that a step is given may be long past. Null in an API process, whose
   * calls carry the moment at which they arrived.
   */
  clock: Clock | null
  /** The address of the pages that buyers open, for links in events and mails; empty where none are made. */
  publicUrl: string
  /** The trace that is being recorded, which outbox rows carry on. Undefined where nothing is traced. */
  traceparent?: () => string | undefined
}

/** What belongs to the commit that an `em` prepares: its database, its outbox rows and what is called after it. */
type Commit = {
  database: Database
  outbox: OutboxRow[]
  after: (() => void)[]
  writtenAt: number | null
  by: Acting
  /** The test clock whose time it goes by. */
  clock: ClockTime | null
  /** When the call arrived that goes by a test clock, in milliseconds since the epoch; null where nothing was said. */
  realTime: number | null
  /** Whether its work is done, so that the next flush is the last one. */
  isEnding: boolean
  /** Rows that are inserted together after the last flush. */
  appended: object[]
}

/** Who makes the changes of a commit; `userId` where it is a known person. */
type Acting = { actor: Actor; userId: string | null }

const commits = new WeakMap<EntityManager, Commit>()

/** A test clock and its time, in milliseconds since the epoch. */
export type ClockTime = { id: string; time: number }

const system: Acting = { actor: 'system', userId: null }

const newCommit = (database: Database): Commit => ({
  database,
  outbox: [],
  after: [],
  writtenAt: null,
  by: system,
  clock: null,
  realTime: null,
  isEnding: false,
  appended: [],
})

/** Passes on the outbox rows of a commit, after the commit. */
function announceCommit({ database, outbox, after }: Commit): void {
  if (outbox.length > 0) database.onCommitted?.(outbox)
  for (const act of after) act()
}

/** A new `em` whose rows are committed together. `announceCommit`, called after that, passes on its outbox rows. */
export function prepareCommit(database: Database): { em: EntityManager; announceCommit(): void } {
  const em = database.orm.em.fork()
  const commit = newCommit(database)
  commits.set(em, commit)
  return { em, announceCommit: () => announceCommit(commit) }
}

function commitOf(em: EntityManager): Commit {
  const commit = commits.get(em)
  if (!commit) throw new Error('this needs the entity manager of a transaction')
  return commit
}

/**
 * The moment, in milliseconds since the epoch, of this commit's ledger entries and events. A step may run long after
 * its process has asked for it, and the engine's clock, by which it asks, may be ahead. Its `at` decides what is
 * written; the moment of writing keeps the past from changing, and is never of the future.
 */
export async function writtenAt(em: EntityManager, at: number): Promise<number> {
  const commit = commits.get(em)
  if (commit?.clock) return commit.clock.time
  if (!commit?.database.clock) return at
  commit.writtenAt ??= await commit.database.clock.now()
  return commit.writtenAt
}

/**
 * When an outcome is recorded, in milliseconds since the epoch: its step may have been tried for days since its process
 * has asked for it (`at`), and what follows, such as the next attempt, counts from the outcome. The engine's clock, by
 * which the process asks, may be ahead.
 */
export const outcomeTime = async (em: EntityManager, at: number): Promise<number> =>
  Math.max(at, await writtenAt(em, at))

/** When a commit on a test clock is really written, in milliseconds since the epoch; null: it is not known. */
export async function realTimeOfWriting(em: EntityManager): Promise<number | null> {
  const commit = commits.get(em)
  return (await commit?.database.clock?.now()) ?? commit?.realTime ?? null
}

/** Says who makes the changes that `em` commits; without it they are made by the system. */
export function actsAs(em: EntityManager, actor: Actor, userId: string | null = null): void {
  commitOf(em).by = { actor, userId }
}

/**
 * Lets a commit go by the time of a test clock: what it writes has that time, and what it makes joins the clock.
 * `realTime` is when it was called for, for what it writes about the caller.
 */
export function goByClock(em: EntityManager, clock: ClockTime, realTime: number | null = null): void {
  const commit = commits.get(em)
  if (!commit) return
  commit.clock = clock
  commit.realTime = realTime ?? commit.realTime
}

/** When the call arrived that a commit on a test clock was made for; null where it goes by the real time. */
export const realTimeOf = (em: EntityManager): number | null => commits.get(em)?.realTime ?? null

/** The test clock that a commit goes by; null: the real time. */
export const clockOf = (em: EntityManager): ClockTime | null => commits.get(em)?.clock ?? null

/** What is made for a member of a test clock is a member too. Returns the rows that were none before. */
export function joinClock(em: EntityManager, rows: readonly object[]): object[] {
  const clock = clockOf(em)
  if (!clock) return []
  const isApart = (row: { clockId?: string | null }) => 'clockId' in metaOfRow(em, row).properties && !row.clockId
  const joining = rows.filter(isApart)
  for (const row of joining) Object.assign(row, { clockId: clock.id })
  return joining
}

/**
 * Who makes the changes of an `em`; whether its next flush is the last one of its commit; and the rows that are
 * inserted after it.
 */
export function commitStateOf(em: EntityManager): Acting & { isEnding: boolean; appended: object[] } {
  const { by, isEnding, appended } = commits.get(em) ?? { by: system, isEnding: true, appended: [] }
  return { ...by, isEnding, appended }
}

/** The address of the pages that buyers open. */
export const publicUrlOf = (em: EntityManager): string => commitOf(em).database.publicUrl

/** Does what cannot be undone, such as sending a mail, after `em` has committed, and only then. */
export function afterCommit(em: EntityManager, act: () => void): void {
  commitOf(em).after.push(act)
}

/**
 * Two seconds from the insertion, which is the last statement before the commit. `now()` would be the beginning of the
 * transaction, which may have waited for a lock for longer than that.
 */
const soonAfterCommit = () => raw("clock_timestamp() + interval '2 seconds'") as unknown as Date // any value may be SQL

type NewOutboxRow = Omit<RequiredEntityData<OutboxRow>, 'retryAt' | 'about'> & { about: About }

/**
 * Adds an outbox row to what `em` commits. Where this process dispatches the row itself, the sweeps leave it alone for
 * a while.
 */
export function addOutboxRow(em: EntityManager, outboxRow: NewOutboxRow): void {
  const commit = commitOf(em)
  const { clock, database } = commit
  const trace = database.traceparent?.()
  const about = { ...outboxRow.about, ...(clock && { clock }), ...(trace && { trace }) }
  const row = em.create(OutboxRow, { ...outboxRow, about })
  const { onCommitted, isDispatchedHere } = commit.database
  if (onCommitted && (isDispatchedHere?.(row.process) ?? true)) row.retryAt = soonAfterCommit()
  commit.outbox.push(row)
}

const transactions = new AsyncLocalStorage<true>()

/**
 * Whether a transaction of this process waits for the running code. Such code must not take a second connection of the
 * pool: as many calls as there are connections would each hold one and wait for another.
 */
export const isInTransaction = (): boolean => transactions.getStore() ?? false

/**
 * Runs `work` in one transaction: what it persisted is flushed and committed, or all of it is rolled back. It is a
 * transaction of its own also where another one is under way.
 */
export async function inTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const commit = newCommit(database)
  const result = await database.orm.em.transactional(
    async (em) => {
      commits.set(em, commit)
      const done = await transactions.run(true, () => work(em))
      commit.isEnding = true
      await endTogether(em, commit)
      return done
    },
    { clear: true, propagation: TransactionPropagation.REQUIRES_NEW },
  )
  announceCommit(commit)
  return result
}

/**
 * Saves the changes of a commit that is ending, then inserts what it writes down about them. Where that is nothing, the
 * flush that every commit ends with does all.
 */
async function endTogether(em: EntityManager, commit: Commit): Promise<void> {
  commit.appended = takeAppendedRows(em)
  if (commit.appended.length === 0) return
  joinClock(em, commit.appended)
  await em.flush()
  await insertAppendedRows(em, commit.appended)
  commit.appended = [] // the flush that follows has nothing to note of them
}

/** Reads with an `em` whose queries all see the database at the same moment. */
export function inSnapshot<T>(em: EntityManager, read: (em: EntityManager) => Promise<T>): Promise<T> {
  const options = { clear: true, isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true }
  return em.fork().transactional((reader) => transactions.run(true, () => read(reader)), options)
}

/**
 * Reads a row and locks it until the transaction ends; a missing one is refused as `NOT_FOUND`. Others cannot change it
 * meanwhile, but they can add rows that refer to it.
 */
export async function lock<T extends { id: string }>(em: EntityManager, entity: EntityName<T>, id: string): Promise<T> {
  const row = await lockRow(em, entity, id)
  if (!row) throw new Refusal('NOT_FOUND', 'no such resource')
  return row
}
