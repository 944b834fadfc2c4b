import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moveSequences, movedTo } from '../../scripts/restore/move-sequences.ts'
import { countWaitingStarts, restartProcesses } from '../../scripts/restore/restart-processes.ts'
import { useDatabase } from '../support/use-database.ts'

// The parts of `npm run restore`; the fault tests engine-lost, engine-older and database-restored run all of it.
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

type Row = { id: string; resource: string; lane: string; at: string }

/** Takes the rows of the outbox as workers do: all that there are at a time, in their order. */
function startWorker() {
  const taken: Row[][] = []
  let over = false
  const loop = async () => {
    while (!over) {
      const rows = await sql<Row>(
        'delete from outbox returning id, resource_id as resource, lane, created_at::text as at',
      )
      if (rows.length > 0) taken.push(rows.toSorted((one, other) => Number(one.id) - Number(other.id)))
      await sleep(50)
    }
  }
  const running = loop()
  return {
    taken,
    stop: async () => {
      over = true
      await running
    },
  }
}

test('deliveries are put into the outbox by endpoint, in the order of their events, 200 at a time', async () => {
  await addDeliveries(500)
  const worker = startWorker()
  const counts = await restartProcesses(database, { ...quiet, runs: null, isDry: false })
  await sleep(200)
  await worker.stop()
  assert.equal(counts.get('webhook-delivery'), 500)
  const byAge = await sql<{ id: string; endpoint: string }>(
    `select d.id, endpoint_id as endpoint from deliveries d join events e on e.id = d.event_id order by sequence`,
  )
  const expected = byAge.map(({ id, endpoint }) => ({ id, lane: endpoint }))
  const taken = worker.taken.flat()
  assert.deepEqual(
    taken.map(({ resource, lane }) => ({ id: resource, lane })),
    expected,
  )
  for (const batch of worker.taken) assert.ok(batch.length <= 200, `${batch.length} at once`)
})

test('while no worker takes the rows of the outbox, the restore waits, says so and adds no more', async () => {
  const lines: string[] = []
  const restoring = restartProcesses(database, {
    ...quiet,
    report: (line) => lines.push(line),
    runs: null,
    isDry: false,
  })
  const limit = performance.now() + 30_000
  while (!lines.some((line) => line.includes('start the workers')) && performance.now() < limit) {
    await sleep(100)
  }
  assert.ok(lines.some((line) => line.includes('200 processes wait in the outbox')))
  assert.equal((await sql('select from outbox')).length, 200)
  const worker = startWorker()
  await restoring
  await sleep(200)
  await worker.stop()
})

test('a start that is already in the outbox begins its process anew too, and a signal is not changed', async () => {
  await sql(`insert into outbox (process, resource_id, about, signal) values
    ('payout', 'pay_1', '{}', null), ('checkout', 'chk_1', '{}', '{"name": "railAnswered", "args": []}')`)
  await sql(`update deliveries set status = 'skipped', completed_at = now()`)
  await restartProcesses(database, { ...quiet, runs: null, isDry: false })
  const rows = await sql('select resource_id as id, anew from outbox order by 1')
  assert.deepEqual(rows, [
    { id: 'chk_1', anew: false },
    { id: 'pay_1', anew: true },
  ])
})

test('a start that only another release knows waits for that release, and stops no restore', async () => {
  await sql(`insert into outbox (process, resource_id, about) values ('of-another-release', 'x', '{}')`)
  await restartProcesses(database, { ...quiet, runs: null, isDry: false })
  const [row] = await sql<{ anew: boolean }>(`select anew from outbox where process = 'of-another-release'`)
  assert.equal(row?.anew, false)
  // A restore of an earlier release has marked it.
  const before = await countWaitingStarts(database.orm.em.fork())
  await sql(`update outbox set anew = true where process = 'of-another-release'`)
  assert.equal(await countWaitingStarts(database.orm.em.fork()), before)
})

test('the whole outbox is written without the limit of a statement, however long it has become', async () => {
  await sql(`
    create table limits (seen text);
    create function see() returns trigger language plpgsql as
      $$ begin insert into limits values (current_setting('statement_timeout')); return null; end $$;
    create trigger see after update on outbox for each statement execute function see()`)
  await restartProcesses(database, { ...quiet, runs: null, isDry: false })
  assert.deepEqual(await sql('select seen from limits'), [{ seen: '0' }])
  await sql('drop function see cascade; drop table limits')
})

test('running processes are left alone where the engine is trusted, and a dry run changes nothing', async () => {
  await sql(`delete from outbox`)
  await sql(`update deliveries set status = 'pending', completed_at = null`)
  const runs = { listedRunning: async (ids: string[]) => new Set(ids.slice(0, 490)) }
  const dry = await restartProcesses(database, { ...quiet, runs, isDry: true })
  assert.equal(dry.get('webhook-delivery'), 10)
  assert.equal((await sql('select from outbox')).length, 0)
  await restartProcesses(database, { ...quiet, runs, isDry: false })
  assert.equal((await sql('select from outbox')).length, 10)
})

test('a session whose time for late money has ended while the engine was lost is begun anew', async () => {
  await sql('delete from outbox')
  await sql(`update deliveries set status = 'skipped', completed_at = now()`)
  for (const hours of [1, 23, 25])
    await database.orm.em.fork().execute(
      `insert into checkouts (id, account_id, environment, status, payment_status, amount, currency, source_type,
         fee_preference, success_url, metadata, client_secret_hash, created_at, updated_at, expires_at, listens_until)
       values (?, 'acct_1', 'sandbox', 'expired', 'canceled', 10, 'USD', 'API', 'org_pays', 'https://example.com', '{}',
         '', now(), now(), now(), ?::timestamptz - make_interval(hours => ?))`,
      [`chk_${hours}`, new Date(quiet.at), hours],
    )
  await restartProcesses(database, { ...quiet, runs: null, isDry: false })
  const rows = await sql('select resource_id as id from outbox order by 1')
  assert.deepEqual(rows, [{ id: 'chk_1' }, { id: 'chk_23' }])
})

test('after a restore no sequence repeats a number that it may have given, however often it runs', async () => {
  const [newest] = await sql<{ last: string }>('select max(sequence) as last from events')
  const dry = await moveSequences(database, true)
  assert.deepEqual(
    dry.map(({ column }) => column),
    [
      'audit_entries.id',
      'events.sequence',
      'ledger_entries.id',
      'outbox.id',
      'simulated_coins.id',
      'timeline_items.id',
    ],
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

test('a sequence that is behind its column is moved from the column’s last number', async () => {
  await sql(`select setval('events_sequence_seq', 5)`)
  const [newest] = await sql<{ last: string }>('select max(sequence) as last from events')
  const moved = await moveSequences(database, false)
  assert.equal(moved.find(({ column }) => column === 'events.sequence')?.last, newest?.last)
})

test('the command prints its usage, and refuses unknown arguments', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, ['scripts/restore.ts', ...args], { encoding: 'utf8' })
  const help = run('--help')
  assert.equal(help.status, 0)
  for (const word of ['engine --older', 'database', '--dry-run']) assert.ok(help.stdout.includes(word), word)
  for (const args of [['all'], ['engine', 'database'], ['database', '--older']]) {
    const { status, stderr } = run(...args)
    assert.deepEqual(
      { status, isHelp: stderr.startsWith('Usage: npm run restore -- CASE') },
      { status: 2, isHelp: true },
      args.join(' '),
    )
  }
})
