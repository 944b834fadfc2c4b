// A worker process whose rail sends it a signal once per payment, after the rail has accepted and before that is
// written down: `node test/proof/rigged-worker.ts SIGKILL|SIGSTOP`. Run by dying-worker.ts and frozen-worker.ts alone.
import { Client } from '@temporalio/client'
import { NativeConnection, Runtime, DefaultLogger } from '@temporalio/worker'
import { createSandboxRails } from '../../activities/rails/index.ts'
import type { Rail } from '../../activities/rails/rail.ts'
import { createMailer } from '../../activities/mailer.ts'
import { createWebhookHttp } from '../../activities/webhook-http.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { createSealer } from '../../db/seal.ts'
import { loadConfig } from '../../engine/config.ts'
import { connectToEngine } from '../../engine/connection.ts'
import { createEngine } from '../../engine/engine.ts'
import { createLogger } from '../../engine/logger.ts'
import { startOutboxRelay } from '../../engine/outbox-relay.ts'
import { createWorkers } from '../../engine/workers.ts'
import { pause } from './until.ts'

const signal = process.argv[2] as 'SIGKILL' | 'SIGSTOP'
const config = loadConfig()
const logger = createLogger(config, 'worker')
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
const database = await openDatabase(config.databaseUrl, config.databasePool)
const rails = createSandboxRails(database)
const deps = {
  database,
  rails: { ...rails, of: (corridor: Parameters<typeof rails.of>[0]) => rig(rails.of(corridor), database) },
  sealer: createSealer(config.encryptionKeys),
  webhooks: createWebhookHttp({ allowLoopback: config.allowLoopbackWebhooks }),
  mailer: createMailer(null, '', logger),
  keepsMails: true,
}
const connection = await NativeConnection.connect({ address: config.temporalAddress })
const bundlePath = config.workflowBundle
const workers = await createWorkers(deps, { ...config, connection, logger, bundlePath, activitiesMax: 1 })
const client = new Client({ connection: connectToEngine(config.temporalAddress), namespace: config.temporalNamespace })
const sweeping = { inFlightMax: 16, waitingMax: 20_000, sweepMs: 100 }
startOutboxRelay(database, createEngine(client, config), logger, sweeping)
logger.info('worker is running')
await Promise.all(workers.map((worker) => worker.run()))

function rig(rail: Rail, { orm }: Database): Rail {
  return {
    ...rail,
    async charge(order, at) {
      const answer = await rail.charge(order, at)
      const first = await orm.em
        .fork()
        .execute('insert into proof_signals (payment_id) values (?) on conflict do nothing returning 1', [
          order.paymentId,
        ])
      if (first.length === 0) return answer
      await pause(200) // what else is under way here may end, so that only this payment waits for a time-out
      process.kill(process.pid, signal)
      return answer
    },
  }
}
