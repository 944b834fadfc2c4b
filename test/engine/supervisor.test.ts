import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openSources } from '../../commands/open-rows.ts'
import type { ProcessView } from '../../activities/process-view.ts'
import { type SupervisorScan, supervisorActivities } from '../../activities/supervisor.ts'
import { openDatabase } from '../../db/open-database.ts'
import { newId } from '../../domain/id.ts'
import { createLogger } from '../../engine/logger.ts'
import { keepOwnProcesses, supervisor } from '../../engine/own-processes.ts'
import { createDatabase } from '../support/database.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { until } from '../support/until.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'
import { startWaiting } from '../support/under-way.ts'

// An open row always has a running process: the supervisor starts those that are missing.
const minute = 60_000
type Line = { process: string; resourceId: string; restarts: number; level: string }

const stack = await useStack()
const receiver = await useReceiver()

const stateOf = async (id: string) => (await stack.client.workflow.getHandle(id).describe()).status.name
const terminate = (id: string) => stack.client.workflow.getHandle(id).terminate()

/** Replaces the process by another run under the same id that ends in the given way. */
async function end(id: string, how: 'COMPLETED' | 'FAILED' | 'TIMED_OUT'): Promise<void> {
  await terminate(id)
  const main = stack.taskQueue
  const run = { workflowId: id, args: ['none'], taskQueue: main }
  const { workflow } = stack.client
  if (how === 'COMPLETED') await workflow.start('webhook-endpoint', { ...run, taskQueue: `${main}-webhooks` })
  if (how === 'FAILED') await workflow.start('payout', run) // there is no such payout
  if (how === 'TIMED_OUT') await workflow.start('housekeeping', { ...run, workflowExecutionTimeout: 500 })
  await until(async () => (await stateOf(id)) === how, `${id} is ${how}`)
}

test('a process whose row is open is started again and logged, however it ended, or if it never began', async () => {
  const { id: endpointId } = await failingEndpoint()
  const { processes } = await startWaiting(stack)
  const [delivery] = await stack.sql<{ id: string }>(`select id from deliveries where status = 'pending' limit 1`)
  const recoveryId = await addRecovery(endpointId)
  const broken = { ...processes, delivery: `delivery/${delivery?.id}`, endpoint: `endpoint/${endpointId}` }

  await terminate(broken.checkout)
  await end(broken.lateMoney, 'TIMED_OUT')
  await end(broken.cardAtRail, 'FAILED')
  await stack.client.workflow.getHandle(broken.refund).cancel()
  await end(broken.conversion, 'COMPLETED')
  await end(broken.payout, 'FAILED')
  await end(broken.heldPayout, 'COMPLETED')
  await end(broken.deposit, 'COMPLETED')
  await terminate(broken.destination)
  await end(broken.schedule, 'COMPLETED')
  await stack.client.workflow.getHandle(broken.delivery).cancel()
  await end(broken.endpoint, 'COMPLETED')
  await until(async () => (await stateOf(broken.delivery)) === 'CANCELLED', 'the delivery is cancelled')
  assert.equal((await stack.check()).filter((rule) => rule.startsWith('an unfinished row')).length, 13)

  const lines: Line[] = []
  const note = (level: string) => (about: object) => void lines.push({ ...(about as Line), level })
  stack.deps.logger = { warn: note('warn'), error: note('error') } as unknown as typeof stack.deps.logger
  await stack.services.engine.dispatch({ ...supervisor(stack), signal: null })
  for (const id of Object.values(broken)) {
    await until(async () => (await stateOf(id).catch(() => '')) === 'RUNNING', `${id} runs again`)
  }
  const recovered = 'select from webhook_recoveries where id = ? and completed_at is not null'
  await until(async () => (await stack.sql(recovered, [recoveryId])).length > 0, 'the recovery was made')
  await stack.dispatched()
  assert.deepEqual(await stack.check(), [])
  const logged = lines.filter(({ resourceId }) => resourceId).map(({ resourceId }) => resourceId)
  const ids = [...Object.values(broken).map((id) => id.slice(id.indexOf('/') + 1)), recoveryId]
  assert.deepEqual(logged.toSorted(), ids.toSorted())
  const { searchAttributes } = await stack.client.workflow.getHandle(`supervisor/${stack.taskQueue}`).describe()
  assert.deepEqual(searchAttributes['State'], ['restarted'])
})

test('a restarted process has the description and the ordering key of its first dispatch', async () => {
  const kept = await stack.sql<{
    process: string
    resourceId: string
    about: Record<string, string>
    orderingKey: string
  }>('select process, resource_id as "resourceId", about, lane as "orderingKey" from outbox_copy where not anew')
  const again = await stack.sql<(typeof kept)[number]>(
    'select process, resource_id as "resourceId", about, lane as "orderingKey" from outbox_copy where anew',
  )
  assert.equal(new Set(again.map(({ process }) => process)).size, 10)
  for (const { process, resourceId, about, orderingKey } of again) {
    const first = kept.find((each) => each.process === process && each.resourceId === resourceId)
    if (process === 'webhook-recovery') continue // it never had an outbox row
    // Its status has changed since.
    const { status: _1, waitingOn: _2, ...then } = first?.about ?? {}
    const { status: _3, waitingOn: _4, ...now } = about
    assert.deepEqual({ about: now, orderingKey }, { about: then, orderingKey: first?.orderingKey }, resourceId)
  }
})

/** An endpoint at which every delivery fails. From now on a copy of every outbox row is kept in `outbox_copy`. */
async function failingEndpoint(): Promise<{ id: string }> {
  await stack.sql('create table outbox_copy (like outbox)')
  await stack.sql(`create function copy_row() returns trigger language plpgsql as $$
    begin insert into outbox_copy select new.*; return new; end $$`)
  await stack.sql('create trigger outbox_kept after insert on outbox for each row execute function copy_row()')
  receiver.answers(Array(1_000).fill(500))
  const endpoints = withEndpoints(stack.merchant)
  const id = await endpoints.add({ url: receiver.url, events: ['*'] })
  await endpoints.happen()
  const failing = 'select from webhook_endpoints where failing_since is not null'
  await until(async () => (await stack.sql(failing)).length > 0, 'nothing gets through')
  return { id }
}

async function addRecovery(endpointId: string): Promise<string> {
  const id = newId('rcv', Date.now())
  await stack.sql(
    `insert into webhook_recoveries (id, account_id, environment, endpoint_id, since, until, created_at)
     values (?, ?, 'sandbox', ?, now() - interval '1 hour', now() - interval '1 hour', now())`,
    [id, stack.organizationId, endpointId],
  )
  return id
}

type Bare = Awaited<ReturnType<typeof bareDatabase>>

/** An engine in which nothing runs, and which still lists processes that ended badly long ago. */
const nothingRuns: ProcessView = {
  endedBadly: async () => ['recovery/rcv_1', 'recovery/rcv_unknown', 'housekeeping/steadypay', 'nothing of ours'],
  listedRunning: async () => new Set(),
  isRunning: async () => false,
}

/** A database with open recoveries, and the supervisor's scan of it with an engine of the test's own. */
async function bareDatabase(count: number, processView = nothingRuns) {
  const made = await createDatabase()
  const database = await openDatabase(made.url, 4)
  const sql = <T extends object>(text: string) => database.orm.em.fork().execute<T[]>(text)
  await sql(`insert into webhook_recoveries (id, account_id, environment, endpoint_id, since, until, created_at)
    select 'rcv_' || n, 'acct_1', 'sandbox', 'we_1', now(), now(), now() from generate_series(1, ${count}) n`)
  const lines: Line[] = []
  const note = (level: string) => (about: object) => void lines.push({ ...(about as Line), level })
  const deps = { ...stack.deps, database, processView, logger: { warn: note('warn'), error: note('error') } }
  const { restartMissingProcesses: scan } = supervisorActivities(deps)
  const close = async () => {
    await database.orm.close()
    await made.drop()
  }
  return { sql, lines, scan, close }
}

const countOutbox = async ({ sql }: Bare) => (await sql('select from outbox')).length

test('a process that always ends at once is restarted after growing pauses, and logged as an error', async (t) => {
  const bare = await bareDatabase(1)
  t.after(bare.close)
  const start = Date.UTC(2026, 10, 22)
  let seen: SupervisorScan | null = null
  const restartsAt: number[] = []
  for (let at = start; at < start + 15 * 60 * minute; at += 2 * minute) {
    seen = await bare.scan(seen, at)
    if ((await countOutbox(bare)) > 0) restartsAt.push((at - start) / minute)
    await bare.sql('delete from outbox')
  }
  assert.deepEqual(restartsAt, [0, 2, 6, 14, 30, 62, 126, 254, 510, 870])
  assert.deepEqual(
    bare.lines.map(({ level, restarts }) => `${level} ${restarts}`),
    ['warn 1', 'warn 2', ...[3, 4, 5, 6, 7, 8, 9, 10].map((n) => `error ${n}`)],
  )
})

test('thousands of missing processes are started in parts, and none while the outbox is full', async (t) => {
  const bare = await bareDatabase(2_500)
  t.after(bare.close)
  let seen: SupervisorScan | null = null
  let waiting = 0
  for (let step = 0; step < 10; step++) {
    seen = await bare.scan(seen, step * 1_000)
    const started = (await countOutbox(bare)) - waiting
    assert.ok(started <= 300, `${started} at once`)
    if (waiting >= 1_000) assert.equal(started, 0)
    waiting += started
  }
  assert.ok(waiting >= 1_000)
  for (let step = 0; step < 40; step++) {
    await bare.sql('delete from outbox')
    seen = await bare.scan(seen, 11_000)
  }
  assert.equal((await bare.sql('select from process_restarts where restarts = 1')).length, 2_500, 'each once')
})

test('webhooks that wait in the outbox by the thousand stop no search for what works on money', async (t) => {
  const bare = await bareDatabase(1)
  t.after(bare.close)
  await bare.sql(`insert into test_clocks
      (id, account_id, environment, name, frozen_time, target, created_at, updated_at)
    values ('clk_1', 'acct_1', 'sandbox', 'On the main queue', now(), now(), now(), now())`)
  await bare.sql(`insert into outbox (process, resource_id, about)
    select 'webhook-delivery', 'dlv_' || n, '{}' from generate_series(1, 1000) n`)
  const restarted = async () => {
    const rows = await bare.sql<{ id: string }>('select resource_id as id from outbox where anew order by id')
    return rows.map(({ id }) => id)
  }
  const seen = await bare.scan(null, minute)
  assert.deepEqual(await restarted(), ['clk_1'], 'and nothing on the queue that is behind')
  await bare.sql(`delete from outbox where process = 'webhook-delivery'`)
  await bare.scan(seen, 2 * minute)
  assert.deepEqual(await restarted(), ['clk_1', 'rcv_1'])
})

test('what a newer release has left behind stops no search: its processes in the outbox, its position', async (t) => {
  const bare = await bareDatabase(1)
  t.after(bare.close)
  await bare.sql(`insert into outbox (process, resource_id, about)
    select 'of-tomorrow', 'id_' || n, '{}' from generate_series(1, 1000) n`)
  const position = { source: openSources.length, key: '', id: '' }
  await bare.scan({ lookedUntil: 0, position, restarted: 0, failing: 0, last: null, isMore: true }, minute)
  const restarted = await bare.sql<{ id: string }>('select resource_id as id from outbox where anew')
  assert.deepEqual(restarted, [{ id: 'rcv_1' }])
})

test('10,000 open rows whose processes run cost two scans, one question per hundred rows, and no write', async (t) => {
  let questions = 0
  const allRun: ProcessView = {
    endedBadly: async () => [],
    async listedRunning(ids) {
      questions += 1
      return new Set(ids)
    },
    isRunning: () => Promise.reject(new Error('a process in the list needs no question of its own')),
  }
  const bare = await bareDatabase(10_000, allRun)
  t.after(bare.close)
  let seen = await bare.scan(null, 1)
  for (let scans = 1; seen.position !== null; scans++) {
    assert.ok(scans <= 2, `${scans} scans`)
    seen = await bare.scan(seen, 1)
  }
  // one for each hundred rows, and one at the end of each source
  assert.ok(questions <= 100 + openSources.length, `${questions} questions`)
  assert.equal(await countOutbox(bare), 0)
})

test('a stop while the own processes are started waits for these starts, and begins no more', async () => {
  const begun: string[] = []
  const answered = Promise.withResolvers<void>()
  const engine = {
    dispatch: ({ process }: { process: string }) => {
      begun.push(process)
      return answered.promise
    },
  }
  const own = keepOwnProcesses(engine, createLogger({ logLevel: 'silent' }, 'test'), { taskQueue: 'own' })
  await until(async () => begun.length > 0, 'a start is under way')
  const before = [...begun]
  const order: string[] = []
  const stopped = own.stop().then(() => void order.push('stopped'))
  await setImmediate()
  order.push('answered')
  answered.resolve()
  await stopped
  assert.deepEqual([order, begun], [['answered', 'stopped'], before])
})
