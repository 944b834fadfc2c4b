import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, openDatabase } from '../db/database.ts'
import { signalProcess, startProcess } from '../db/start-process.ts'
import type { Engine } from '../engine/engine.ts'
import { createLogger } from '../engine/logger.ts'
import { startOutboxRelay } from '../engine/outbox-relay.ts'
import { createDatabase } from './support/database.ts'

const about = { accountId: 'acct_1', environment: 'sandbox', status: 'pending', waitingOn: 'receiver', summary: 'one' }
const logger = createLogger({ logLevel: 'silent' }, 'test')

for (const teller of ['the process that commits', 'a sweep']) {
  test(`${teller} tells what is in one lane in its order, and no other lane waits for that`, async (t) => {
    const made = await createDatabase()
    const database = await openDatabase(made.url, 4)
    const told: string[] = []
    const others = Promise.withResolvers<void>()
    const tell: Engine['tell'] = async ({ resourceId, signal }) => {
      if (resourceId === 'slow' && !signal) await others.promise // would wait for ever if the others came after it
      told.push(`${resourceId} ${signal?.name ?? 'starts'}`)
      if (told.length === 9) others.resolve()
    }
    const engine = { tell, ask: () => Promise.reject(new Error('nobody asks')) }
    const start = () => startOutboxRelay(database, engine, logger, { inFlightMax: 16, waitingMax: 100, sweepMs: 20 })
    const early = teller === 'a sweep' ? null : start()
    await inTransaction(database, async (em) => {
      startProcess(em, 'webhook-endpoint', 'slow', about)
      signalProcess(em, 'webhook-endpoint', 'slow', about, { name: 'failed', args: [] })
      startProcess(em, 'webhook-delivery', 'second', about, 'endpoint/slow') // as of one endpoint
      for (let n = 0; n < 9; n++) startProcess(em, 'webhook-delivery', `quick${n}`, about)
    })
    const relay = early ?? start()
    t.after(async () => {
      await relay.close()
      await database.orm.close()
      await made.drop()
    })
    const limit = performance.now() + 5_000
    while (told.length < 12 && performance.now() < limit) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(told.slice(9), ['slow starts', 'slow failed', 'second starts'])
    assert.equal(new Set(told.slice(0, 9)).size, 9)
  })
}
