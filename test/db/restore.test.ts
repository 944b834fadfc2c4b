import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { moveSequences, movedTo } from '../../scripts/restore/move-sequences.ts'
import { promiseAnew } from '../../scripts/restore/promise-anew.ts'
import { useDatabase } from '../support/use-database.ts'

// The parts of `npm run restore`; the faults engine-lost, engine-older and database-restored run the whole of it.
const database = await useDatabase()

const sql = <T extends object>(text: string) => database.orm.em.fork().execute<T[]>(text)
const quiet = { report: () => undefined, at: Date.UTC(2026, 10, 22) }

/** Deliveries of three endpoints, whose ids are in another order than their events. */
const addDeliveries = (count: number) =>
  sql(`with made as (
      insert into events (id, account_id, environment, type, resource_id, body, created_at)
      select 'evt_' || n, 'acct_1', 'sandbox', 'refund.paid', 'ref_' || n, '{}', now()
      from generate_series(1, ${count}) n
      returning id, sequence)
    insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, trigger, created_at)
    select 'dlv_' || md5(id), 'acct_1', 'sandbox', id, 'refund.paid', 'we_' || sequence % 3, 'pending', 'automatic',
      now() from made`)

type Promised = { id: string; resource: string; lane: string; at: string }

/** Takes up, as workers would, what is promised: all that there is at a time, in the order of the rows. */
function startWorker() {
  const told: Promised[][] = []
  let over = false
  const loop = async () => {
    while (!over) {
      const rows = await sql<Promised>(
        'delete from outbox returning id, resource_id as resource, lane, created_at::text as at',
      )
      if (rows.length > 0) told.push(rows.toSorted((one, other) => Number(one.id) - Number(other.id)))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const running = loop()
  return {
    told,
    stop: async () => {
      over = true
      await running
    },
  }
}

test('deliveries are promised in their endpoint’s lane, in the order of their events, 200 at a time', async () => {
  await addDeliveries(500)
  const worker = startWorker()
  const counts = await promiseAnew(database, { ...quiet, runs: null, isDry: false })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await worker.stop()
  assert.equal(counts.get('webhook-delivery'), 500)
  const byAge = await sql<{ id: string; endpoint: string }>(
    `select d.id, endpoint_id as endpoint from deliveries d join events e on e.id = d.event_id order by sequence`,
  )
  const expected = byAge.map(({ id, endpoint }) => ({ id, lane: endpoint }))
  const told = worker.told.flat()
  assert.deepEqual(
    told.map(({ resource, lane }) => ({ id: resource, lane })),
    expected,
  )
  for (const batch of worker.told) assert.ok(batch.length <= 200, `${batch.length} at once`)
})

test('where no worker starts what is promised, it waits and says so, and promises no more', async () => {
  const said: string[] = []
  const restoring = promiseAnew(database, { ...quiet, report: (line) => said.push(line), runs: null, isDry: false })
  const limit = performance.now() + 30_000
  while (!said.some((line) => line.includes('start the workers')) && performance.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.ok(said.some((line) => line.includes('200 promises wait')))
  assert.equal((await sql('select from outbox')).length, 200)
  const worker = startWorker()
  await restoring
  await new Promise((resolve) => setTimeout(resolve, 200))
  await worker.stop()
})

test('a start that waited in the outbox begins its process anew too, and a signal stays as it is', async () => {
  await sql(`insert into outbox (process, resource_id, about, signal) values
    ('payout', 'pay_1', '{}', null), ('checkout', 'chk_1', '{}', '{"name": "railAnswered", "args": []}')`)
  await sql(`update deliveries set status = 'skipped', completed_at = now()`)
  await promiseAnew(database, { ...quiet, runs: null, isDry: false })
  const rows = await sql('select resource_id as id, anew from outbox order by 1')
  assert.deepEqual(rows, [
    { id: 'chk_1', anew: false },
    { id: 'pay_1', anew: true },
  ])
})

test('what runs is left alone where the engine is to be trusted, and a dry run changes nothing', async () => {
  await sql(`delete from outbox`)
  await sql(`update deliveries set status = 'pending', completed_at = null`)
  const runs = { listedRunning: async (ids: string[]) => new Set(ids.slice(0, 490)) }
  const dry = await promiseAnew(database, { ...quiet, runs, isDry: true })
  assert.equal(dry.get('webhook-delivery'), 10)
  assert.equal((await sql('select from outbox')).length, 0)
  await promiseAnew(database, { ...quiet, runs, isDry: false })
  assert.equal((await sql('select from outbox')).length, 10)
})

test('after a restore no sequence gives a number again that it may have given, however often it is run', async () => {
  const [newest] = await sql<{ last: string }>('select max(sequence) as last from events')
  const dry = await moveSequences(database, true)
  assert.deepEqual(
    dry.map(({ column }) => column),
    ['audit_entries.id', 'events.sequence', 'ledger_entries.id', 'outbox.id', 'simulated_coins.id'],
  )
  const next = () => sql<{ next: string }>(`select nextval('events_sequence_seq') as next`)
  assert.ok(Number((await next())[0]?.next) < Number(newest?.last) + 1_000, 'a dry run moves nothing')
  for (const time of [1, 2]) {
    const moved = await moveSequences(database, false)
    for (const sequence of moved) assert.ok(Number(movedTo(sequence)) > time * 1_000_000_000, sequence.column)
    const [{ next: given } = assert.fail()] = await next()
    assert.equal(given, movedTo(moved.find(({ column }) => column === 'events.sequence') ?? assert.fail()))
  }
})

test('a sequence that is behind its own column is moved from the column', async () => {
  await sql(`select setval('events_sequence_seq', 5)`)
  const [newest] = await sql<{ last: string }>('select max(sequence) as last from events')
  const moved = await moveSequences(database, false)
  assert.equal(moved.find(({ column }) => column === 'events.sequence')?.last, newest?.last)
})

test('the command says how it is used, and refuses what it does not know', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, ['scripts/restore.ts', ...args], { encoding: 'utf8' })
  const help = run('--help')
  assert.equal(help.status, 0)
  for (const word of ['engine --older', 'database', '--dry-run']) assert.ok(help.stdout.includes(word), word)
  for (const args of [['all'], ['engine', 'database'], ['database', '--older']]) {
    const { status, stderr } = run(...args)
    assert.deepEqual(
      { status, isHelp: stderr.startsWith('npm run restore') },
      { status: 2, isHelp: true },
      args.join(' '),
    )
  }
})
