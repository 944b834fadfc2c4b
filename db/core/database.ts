import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type EntityName,
  IsolationLevel,
  LockMode,
  raw,
  type RequiredEntityData,
  TransactionPropagation,
} from '@mikro-orm/core'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { Clock } from '../../domain/clock.ts'
import { Refusal } from '../../domain/refusal.ts'
import { OutboxRow } from './outbox.ts'

export type { EntityManager } from '@mikro-orm/postgresql'

/** The connection pool, and who in this process is told which outbox rows a commit has left behind. */
export type Database = {
  orm: MikroORM
  /** Called after each commit that wrote outbox rows, which are left to it for 2 s; null leaves them to the sweeps. */
  onCommitted: ((rows: OutboxRow[]) => void) | null
  /**
   * Tells when something is written, where the time that the code is given may be long past: a worker's steps. Null in
   * an API process, whose calls carry the moment at which they came.
   */
  clock: Clock | null
}

/** The outbox rows of the commit that an `em` prepares, where it goes, and what is to happen after it. */
type Commit = { database: Database; outbox: OutboxRow[]; after: (() => void)[]; writtenAt: number | null }

const commits = new WeakMap<EntityManager, Commit>()

const newCommit = (database: Database): Commit => ({ database, outbox: [], after: [], writtenAt: null })

/** Says after a commit what it has promised. */
function announceCommit({ database, outbox, after }: Commit): void {
  if (outbox.length > 0) database.onCommitted?.(outbox)
  for (const act of after) act()
}

/** A fresh `em` whose rows are committed together; `tell`, called after that, says what it has promised. */
export function prepareCommit(database: Database): { em: EntityManager; announceCommit(): void } {
  const em = database.orm.em.fork()
  const commit = newCommit(database)
  commits.set(em, commit)
  return { em, announceCommit: () => announceCommit(commit) }
}

function commitOf(em: EntityManager): Commit {
  const commit = commits.get(em)
  if (!commit) throw new Error('this can be promised in a transaction only')
  return commit
}

/**
 * The moment, in milliseconds since the epoch, that ledger entries and events of this commit carry. A step may be made
 * long after its process has asked for it; its `at` decides what is written, and never that the past looks different.
 */
export async function writtenAt(em: EntityManager, at: number): Promise<number> {
  const commit = commits.get(em)
  if (!commit?.database.clock) return at
  commit.writtenAt ??= await commit.database.clock.now()
  return Math.max(at, commit.writtenAt)
}

/** Does what cannot be taken back (a mail is gone once it is sent) when `em` has committed, and never without that. */
export function afterCommit(em: EntityManager, act: () => void): void {
  commitOf(em).after.push(act)
}

/** Adds an outbox row to what `em` commits; where this process tells it itself, a sweep leaves it alone for a while. */
export function addOutboxRow(em: EntityManager, outboxRow: Omit<RequiredEntityData<OutboxRow>, 'retryAt'>): void {
  const commit = commitOf(em)
  const row = em.create(OutboxRow, outboxRow)
  if (commit.database.onCommitted) row.retryAt = raw("now() + interval '2 seconds'") as unknown as Date
  commit.outbox.push(row)
}

const transactions = new AsyncLocalStorage<true>()

/**
 * Whether a transaction of this process waits for what runs now. Nothing that it waits for may take a second connection
 * of the pool: as many calls as there are connections would each hold one and wait for another.
 */
export const isInTransaction = (): boolean => transactions.getStore() ?? false

/**
 * Runs `work` in one transaction: what it persisted is flushed and committed, or nothing of it stays. It is a
 * transaction of its own also where another one is under way.
 */
export async function inTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const commit = newCommit(database)
  const result = await database.orm.em.transactional(
    (em) => {
      commits.set(em, commit)
      return transactions.run(true, () => work(em))
    },
    { clear: true, propagation: TransactionPropagation.REQUIRES_NEW },
  )
  announceCommit(commit)
  return result
}

/** Reads with an `em` that sees the database as it is now, however many queries that takes. */
export function inSnapshot<T>(em: EntityManager, read: (em: EntityManager) => Promise<T>): Promise<T> {
  const options = { clear: true, isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true }
  return em.fork().transactional((reader) => transactions.run(true, () => read(reader)), options)
}

/** Reads a row and locks it until the transaction ends; a missing one is refused as `NOT_FOUND`. */
export async function lock<T extends { id: string }>(em: EntityManager, entity: EntityName<T>, id: string): Promise<T> {
  const row = await em.findOne(entity, id as never, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!row) throw new Refusal('NOT_FOUND', 'no such resource')
  return row as T
}
