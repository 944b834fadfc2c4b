import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Client } from '@temporalio/client'
import { newId } from '../../domain/id.ts'
import { createEncrypter } from '../../db/core/encryption.ts'
import { seedIn } from '../../db/seed.ts'
import { refuseForeign } from '../../scripts/infra/database.ts'
import { refuseForeignProcesses } from '../../scripts/infra/foreign-processes.ts'
import { SetupError } from '../../scripts/infra/session.ts'
import { openEngine } from '../../engine/connection.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/use-database.ts'

// Which database of DATABASE_URL and which service of TEMPORAL_ADDRESS `npm start` takes: it migrates the one, and its
// worker takes over what waits in both.
const insert = `
  insert into accounts (id, name, payments_enabled, created_at) values ('acct_1', 'Acme Ltd', false, now())`
const activate = 'update accounts set payments_enabled = true'

test('npm start refuses a database with accounts that are live and that no npm start has made', async () => {
  const { url, orm } = await useDatabase()
  const em = orm.em.fork()
  await refuseForeign(url)
  await em.execute(insert)
  await refuseForeign(url)
  await em.execute(activate)
  await assert.rejects(
    refuseForeign(url),
    (error) =>
      error instanceof SetupError &&
      /^DATABASE_URL .* 1 live account .*Nothing was changed.*without DATABASE_URL/s.test(error.message) &&
      !error.message.includes('Acme'),
  )
})

test('npm start takes an empty database, and one that an earlier start has made, whatever is live there', async () => {
  await refuseForeign((await useDatabase({ template: 'template1' })).url)
  const database = await useDatabase()
  const encrypter = createEncrypter(`k1:${randomBytes(32).toString('base64')}`)
  await seedIn(database, { keyPepper: randomBytes(32), encrypter, now: Date.now() - 60_000 })
  const em = database.orm.em.fork()
  await em.execute(insert)
  await em.execute(activate)
  await refuseForeign(database.url)
})

test('npm start refuses a service whose processes work for rows of another database', async (t) => {
  const { url, orm } = await useDatabase()
  const taskQueue = `start-${newId('clk', Date.now())}`
  const temporal = { address: process.env['TEMPORAL_ADDRESS'] ?? '', tls: false as const }
  const connection = await openEngine(temporal)
  const { workflow } = new Client({ connection })
  const webhookTaskQueue = `${taskQueue}-webhooks`
  const begun = new Set<string>()
  const listed = async () => {
    const query = `TaskQueue IN ('${taskQueue}', '${webhookTaskQueue}') AND ExecutionStatus = 'Running'`
    await until(async () => (await workflow.count(query)).count === begun.size, 'the service lists all')
  }
  const begin = async (type: string, workflowId: string, queue = taskQueue) => {
    await workflow.start(type, { workflowId, taskQueue: queue })
    begun.add(workflowId)
    await listed()
  }
  t.after(async () => {
    for (const id of begun) await workflow.getHandle(id).terminate()
    await connection.close()
  })
  const refuse = (namespace = 'default') =>
    refuseForeignProcesses(url, { temporal, temporalNamespace: namespace, taskQueue, webhookTaskQueue })
  await refuse()
  await refuse('of-nobody-yet')
  await begin('supervisor', `supervisor/${taskQueue}`)
  await begin('clock', `clock/${newId('clk', Date.now())}`)
  await refuse()
  const id = newId('pd', Date.now())
  await begin('payout-destination', `destination/${id}`)
  const queues = `TaskQueue IN \\('${taskQueue}', '${webhookTaskQueue}'\\)`
  const ends = `temporal workflow terminate --address \\S+ --namespace \\S+ .+--query "${queues}`
  const serves = `TEMPORAL_ADDRESS .* task queue ${taskQueue} serves another database: .* for ${id}`
  const says = new RegExp(`${serves}.*Set TASK_QUEUE.*${ends}`, 's')
  const isRefusal = (error: unknown) => error instanceof SetupError && says.test(error.message)
  await assert.rejects(refuse(), isRefusal)
  await orm.em.fork().execute(
    `insert into payout_destinations (id, account_id, environment, name, type, currency, metadata, created_at,
       updated_at)
     values (?, 'acct_1', 'sandbox', 'Main account', 'bank_account', 'NGN', '{}', now(), now())`,
    [id],
  )
  await refuse()
  // Their rows may be deleted while they run.
  await begin('webhook-endpoint', `endpoint/${newId('we', Date.now())}`, webhookTaskQueue)
  await begin('webhook-recovery', `recovery/${newId('rcv', Date.now())}`, webhookTaskQueue)
  await refuse()
  const delivery = `delivery/${newId('dlv', Date.now())}`
  await begin('webhook-delivery', delivery, webhookTaskQueue)
  await assert.rejects(refuse(), SetupError, 'all that runs there are deliveries')
  await workflow.getHandle(delivery).terminate()
  begun.delete(delivery)
  await listed()
  await refuse()
  await begin('refund', `refund/${newId('ref', Date.now())}`)
  await assert.rejects(refuse(), SetupError)
})
