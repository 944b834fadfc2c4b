import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProcessView } from '../../activities/process-view.ts'
import { type SupervisorScan, supervisorActivities } from '../../activities/supervisor.ts'
import { openDatabase } from '../../db/open-database.ts'
import { newId } from '../../domain/id.ts'
import { supervisor } from '../../engine/housekeeping.ts'
import { createDatabase } from '../support/database.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { until } from '../support/stack.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'
import { startWaiting } from '../support/under-way.ts'

// No process may be gone while its row is open.
const minute = 60_000
type Line = { process: string; resourceId: string; restarts: number; level: string }

const stack = await useStack()
const receiver = await useReceiver()

const stateOf = async (id: string) => (await stack.client.workflow.getHandle(id).describe()).status.name
const terminate = (id: string) => stack.client.workflow.getHandle(id).terminate()

/** Another run under the same id, which ends by itself in the way that is asked for. */
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

test('however a process has ended while its row is open, or never began, it is started again, and said', async () => {
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
  const said = lines.filter(({ resourceId }) => resourceId).map(({ resourceId }) => resourceId)
  const ids = [...Object.values(broken).map((id) => id.slice(id.indexOf('/') + 1)), recoveryId]
  assert.deepEqual(said.toSorted(), ids.toSorted())
  const { searchAttributes } = await stack.client.workflow.getHandle(`supervisor/${stack.taskQueue}`).describe()
  assert.deepEqual(searchAttributes['State'], ['restarted'])
})

test('what is started again is described, and takes its turn, as when it was first promised', async () => {
  const kept = await stack.sql<{
    process: string
    resourceId: string
    about: Record<string, string>
    orderingKey: string
  }>('select process, resource_id as "resourceId", about, lane as "orderingKey" from promised where not anew')
  const again = await stack.sql<(typeof kept)[number]>(
    'select process, resource_id as "resourceId", about, lane as "orderingKey" from promised where anew',
  )
  assert.equal(new Set(again.map(({ process }) => process)).size, 10)
  for (const { process, resourceId, about, orderingKey } of again) {
    const first = kept.find((each) => each.process === process && each.resourceId === resourceId)
    if (process === 'webhook-recovery') continue // it was never promised
    // How it stands has changed since.
    const { status: _1, waitingOn: _2, ...then } = first?.about ?? {}
    const { status: _3, waitingOn: _4, ...now } = about
    assert.deepEqual({ about: now, orderingKey }, { about: then, orderingKey: first?.orderingKey }, resourceId)
  }
})

/** An endpoint at which nothing gets through; every promise of the outbox is kept from now on, to be looked at. */
async function failingEndpoint(): Promise<{ id: string }> {
  await stack.sql('create table promised (like outbox)')
  await stack.sql(`create function keep_promise() returns trigger language plpgsql as $$
    begin insert into promised select new.*; return new; end $$`)
  await stack.sql('create trigger outbox_kept after insert on outbox for each row execute function keep_promise()')
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

/** An engine in which nothing ever runs, and that still tells of processes that ended badly long ago. */
const nothingRuns: ProcessView = {
  endedBadly: async () => ['recovery/rcv_1', 'recovery/rcv_unknown', 'housekeeping/hourly', 'nothing of ours'],
  listedRunning: async () => new Set(),
  isRunning: async () => false,
}

/** A database with recoveries that are open, and the supervisor's look at it with an engine of the test's. */
async function bareDatabase(count: number, processView = nothingRuns) {
  const made = await createDatabase()
  const database = await openDatabase(made.url, 4)
  const sql = <T extends object>(text: string) => database.orm.em.fork().execute<T[]>(text)
  await sql(`insert into webhook_recoveries (id, account_id, environment, endpoint_id, since, until, created_at)
    select 'rcv_' || n, 'acct_1', 'sandbox', 'we_1', now(), now(), now() from generate_series(1, ${count}) n`)
  const lines: Line[] = []
  const note = (level: string) => (about: object) => void lines.push({ ...(about as Line), level })
  const deps = { ...stack.deps, database, processView, logger: { warn: note('warn'), error: note('error') } }
  const { restartMissingProcesses: look } = supervisorActivities(deps)
  const close = async () => {
    await database.orm.close()
    await made.drop()
  }
  return { sql, lines, look, close }
}

const promisedNow = async ({ sql }: Bare) => (await sql('select from outbox')).length

test('one that ends at once, again and again, is started after growing pauses, logged as an error', async (t) => {
  const bare = await bareDatabase(1)
  t.after(bare.close)
  const start = Date.UTC(2026, 10, 22)
  let seen: SupervisorScan | null = null
  const restartsAt: number[] = []
  for (let at = start; at < start + 15 * 60 * minute; at += 2 * minute) {
    seen = await bare.look(seen, at)
    if ((await promisedNow(bare)) > 0) restartsAt.push((at - start) / minute)
    await bare.sql('delete from outbox')
  }
  assert.deepEqual(restartsAt, [0, 2, 6, 14, 30, 62, 126, 254, 510, 870])
  assert.deepEqual(
    bare.lines.map(({ level, restarts }) => `${level} ${restarts}`),
    ['warn 1', 'warn 2', ...[3, 4, 5, 6, 7, 8, 9, 10].map((n) => `error ${n}`)],
  )
})

test('thousands of rows without a process are started some at a time, and none while the outbox is full', async (t) => {
  const bare = await bareDatabase(2_500)
  t.after(bare.close)
  let seen: SupervisorScan | null = null
  let waiting = 0
  for (let step = 0; step < 10; step++) {
    seen = await bare.look(seen, step * 1_000)
    const started = (await promisedNow(bare)) - waiting
    assert.ok(started <= 300, `${started} at once`)
    if (waiting >= 1_000) assert.equal(started, 0)
    waiting += started
  }
  assert.ok(waiting >= 1_000)
  for (let step = 0; step < 40; step++) {
    await bare.sql('delete from outbox')
    seen = await bare.look(seen, 11_000)
  }
  assert.equal((await bare.sql('select from process_restarts where restarts = 1')).length, 2_500, 'each once')
})

test('10,000 open rows whose processes run cost two looks, a question for a hundred, and no write', async (t) => {
  let questions = 0
  const allRun: ProcessView = {
    endedBadly: async () => [],
    async listedRunning(ids) {
      questions += 1
      return new Set(ids)
    },
    isRunning: () => Promise.reject(new Error('what the list shows needs no second question')),
  }
  const bare = await bareDatabase(10_000, allRun)
  t.after(bare.close)
  let seen = await bare.look(null, 1)
  for (let looks = 1; seen.position !== null; looks++) {
    assert.ok(looks <= 2, `${looks} looks`)
    seen = await bare.look(seen, 1)
  }
  assert.ok(questions <= 115, `${questions} questions`)
  assert.equal(await promisedNow(bare), 0)
})
