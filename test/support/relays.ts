import type { TestContext } from 'node:test'
import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import { openDatabase } from '../../db/open-database.ts'
import type { Queue } from '../../domain/process-contract.ts'
import type { Backlogs, Engine } from '../../engine/engine.ts'
import type { FirstAttempt } from '../../engine/first-attempts.ts'
import { createLogger, type Logger } from '../../engine/logger.ts'
import { type OutboxRelay, startOutboxRelay } from '../../engine/outbox-relay.ts'
import { createDatabase } from './database.ts'

export const about = {
  accountId: 'acct_1',
  environment: 'sandbox',
  status: 'pending',
  waitingOn: 'receiver',
  summary: 'one',
}
const logger = createLogger({ logLevel: 'silent' }, 'test')
const options = { inFlightMax: 16, waitingMax: 20_000, sweepMs: 20 }

type RelayEngine = { dispatch: Engine['dispatch'] } & Backlogs

/** A database for one test, and relays on it, each as in a process of its own; all end with the test. */
export async function openRelays(t: TestContext) {
  const made = await createDatabase()
  const opened: Database[] = []
  const relays: OutboxRelay[] = []
  const connect = async () => {
    const database = await openDatabase(made.url, 4)
    opened.push(database)
    return database
  }
  t.after(async () => {
    await Promise.all(relays.map((relay) => relay.close()))
    await Promise.all(opened.map(({ orm }) => orm.close()))
    await made.drop()
  })
  const api = await connect()
  return {
    commit: (work: (em: EntityManager) => unknown) => inTransaction(api, async (em) => work(em)),
    left: async () => Number((await api.orm.em.fork().execute('select count(*) from outbox'))[0]?.['count']),
    /** Starts a relay. By default every delivery has something to wait for, and goes on in its process. */
    async startRelay(
      engine: RelayEngine,
      attempt: FirstAttempt = async () => false,
      { log = logger, ...more }: { queues?: readonly Queue[]; log?: Logger } = {},
    ) {
      const database = await connect()
      const relay = startOutboxRelay(database, engine, log, { ...options, ...more, attempt })
      relays.push(relay)
      return { database, relay }
    },
  }
}
