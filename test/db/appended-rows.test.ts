import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type EntityClass, UniqueConstraintViolationException } from '@mikro-orm/core'
import type { Pool, PoolClient } from 'pg'
import { Account } from '../../db/core/account.ts'
import { appendedTables } from '../../db/core/appended-rows.ts'
import { actsAs, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { foreignKeys } from '../../db/foreign-keys.ts'
import { post } from '../../db/ledger/ledger.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { useDatabase } from '../support/use-database.ts'

// What a commit writes down about its changes: events, deliveries, their processes, postings, steps of a timeline.
const database = await useDatabase()
const at = Date.UTC(2026, 10, 27, 12)
const owner = { accountId: 'acct_1', environment: 'sandbox' } as const
const sql = <T>(text: string): Promise<T[]> => database.orm.em.fork().execute<T[]>(text)

const statements: string[] = []
const committed: bigint[] = []
database.onCommitted = (rows) => void committed.push(...rows.map(({ id }) => id))
beforeEach(() => {
  statements.length = 0
  committed.length = 0
})

const pool = (await database.orm.em.getConnection().getNativeClient()) as Pool
pool.on('connect', (client: PoolClient) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  Object.assign(client, {
    query(...args: unknown[]) {
      if (typeof args[0] === 'string') statements.push(args[0])
      return query(...args)
    },
  })
})

await inTransaction(database, async (em) => {
  em.create(Account, { id: owner.accountId, name: 'A shop', feePreference: 'customer_pays', createdAt: new Date(at) })
})
await sql(
  `insert into webhook_endpoints (id, account_id, environment, url, events, created_at, updated_at)
   values ('we_1', 'acct_1', 'sandbox', 'https://one.example.com', '{*}', now(), now()),
     ('we_2', 'acct_1', 'sandbox', 'https://two.example.com', '{*}', now(), now())`,
)

/** Approves a destination, reports it three times, and posts money of two sources. */
async function change(em: EntityManager, id: string): Promise<void> {
  const destination = await lock(em, PayoutDestination, id)
  actsAs(em, 'operator', 'user_1')
  destination.status = 'approved'
  destination.reviewedAt = new Date(at)
  for (const nth of [1, 2, 3])
    await recordEvent(em, owner, { type: 'collection.succeeded', resourceId: id, data: { nth } }, at)
  for (const [source, amount] of [
    [id, '10'],
    [`${id}_b`, '20'],
  ] as const) {
    const rail = { ledgerAccount: 'rail', currency: 'NGN', amount: `-${amount}` } as const
    const merchant = { ledgerAccount: 'merchant', currency: 'NGN', amount } as const
    await post(em, { kind: 'settlement', sourceId: source, owner, postings: [rail, merchant] }, at)
  }
}

async function inReview(id: string): Promise<string> {
  await sql(
    `insert into payout_destinations
       (id, account_id, environment, name, type, currency, metadata, created_at, updated_at)
     values ('${id}', 'acct_1', 'sandbox', 'A bank', 'bank_account', 'NGN', '{}', '2026-11-27', '2026-11-27')`,
  )
  return id
}

const tables = ['events', 'deliveries', 'outbox', 'timeline_items', 'ledger_entries', 'balance_transactions']

/** The rows of these tables without what is different each time, sorted; then deletes those that may be deleted. */
async function takeRows(): Promise<string[][]> {
  const all: string[][] = []
  for (const table of tables) {
    const kept = `to_jsonb(t) - '{id,sequence,created_at,retry_at,available_at}'::text[]`
    const rows = await sql<{ row: unknown }>(`select ${kept} as row from ${table} t`)
    all.push(rows.map(({ row }) => JSON.stringify(row).replaceAll(/\b(evt|dlv|txn|pd)_\w+/g, '$1')).toSorted())
  }
  await sql('truncate events, deliveries, outbox, timeline_items')
  return all
}

test('what a commit writes down is inserted by one statement, with its ids in their order', async () => {
  const id = await inReview('pd_1')
  statements.length = 0
  await inTransaction(database, (em) => change(em, id))
  assert.equal(statements.filter((text) => text.includes('insert into')).length, 1, statements.join('\n'))
  const events = await sql<{ nth: number }>(
    `select (body::jsonb -> 'data' ->> 'nth')::int as nth from events order by sequence, id`,
  )
  assert.deepEqual(events, [{ nth: 1 }, { nth: 2 }, { nth: 3 }])
  const deliveries = await sql<{ url: string; nth: number }>(
    `select d.endpoint_id, (body::jsonb -> 'data' ->> 'nth')::int as nth from outbox o
     join deliveries d on d.id = o.resource_id join events e on e.id = d.event_id order by o.id`,
  )
  const each = [1, 2, 3].flatMap((nth) => ['we_1', 'we_2'].map((endpoint_id) => ({ endpoint_id, nth })))
  assert.deepEqual(deliveries, each)
  const rows = await sql<{ id: string }>('select id from outbox order by id')
  assert.deepEqual(
    committed,
    rows.map((row) => BigInt(row.id)),
  )
  const [item] = await sql<{ status: string; actor: string; user_id: string; events: number; postings: number }>(
    `select status, actor, user_id, cardinality(event_ids) as events, cardinality(ledger_transaction_ids) as postings
     from timeline_items`,
  )
  assert.deepEqual(item, { status: 'approved', actor: 'operator', user_id: 'user_1', events: 3, postings: 1 })
})

test('it writes the same rows as a statement for each table', async () => {
  const one = await inReview('pd_2')
  const other = await inReview('pd_3')
  await takeRows()
  await inTransaction(database, (em) => change(em, one))
  const [together, before] = [await takeRows(), await takeRows()]
  await inTransaction(database, async (em) => {
    await change(em, other)
    await em.flush()
  })
  const apart = await takeRows()
  assert.deepEqual(together.slice(0, 4), apart.slice(0, 4))
  // Postings cannot be deleted, so the second time has those of the first time too.
  const added = apart.map((rows, table) => rows.length - (before[table]?.length ?? 0))
  assert.deepEqual(added, [3, 6, 6, 1, 4, 2])
})

test('a commit may write down more than one statement can hold', async () => {
  await takeRows()
  const recorded = 3_000
  await inTransaction(database, async (em) => {
    for (let nth = 0; nth < recorded; nth++)
      await recordEvent(em, owner, { type: 'collection.succeeded', resourceId: 'pd_many', data: { nth } }, at)
  })
  const [count] = await sql<object>(
    `select (select count(*) from events)::int as events, (select count(*) from deliveries)::int as deliveries,
       (select count(*) from outbox)::int as starts,
       (select bool_and(follows) from
         (select id > lag(id) over (order by sequence) as follows from events) e) as ordered`,
  )
  assert.deepEqual(count, { events: recorded, deliveries: 2 * recorded, starts: 2 * recorded, ordered: true })
  assert.equal(committed.length, 2 * recorded)
})

test('a source that was posted before is refused by name, and nothing of the commit stays', async () => {
  const id = await inReview('pd_4')
  await inTransaction(database, (em) => change(em, id))
  await takeRows()
  committed.length = 0
  await sql(`update payout_destinations set status = 'pending_review', reviewed_at = null where id = '${id}'`)
  const again = inTransaction(database, (em) => change(em, id))
  await assert.rejects(again, (error: unknown) => {
    assert.ok(error instanceof UniqueConstraintViolationException)
    assert.match(String(error), /ledger_transactions_once/)
    return true
  })
  const [row] = await sql<{ status: string }>(`select status from payout_destinations where id = '${id}'`)
  assert.equal(row?.status, 'pending_review')
  assert.deepEqual([await sql('select 1 from events'), committed], [[], []])
})

test('no row of another table refers to one that is inserted last', () => {
  const metadata = database.orm.getMetadata()
  const isLast = (entity: EntityClass<object>) => appendedTables.includes(metadata.get(entity).tableName)
  assert.deepEqual(
    foreignKeys.filter(({ child, parent }) => isLast(parent) && !isLast(child)),
    [],
  )
  const known = [...metadata.getAll().values()].map(({ tableName }) => tableName)
  assert.deepEqual(
    appendedTables.filter((table) => !known.includes(table)),
    [],
  )
})
