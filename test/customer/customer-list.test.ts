import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFieldErrors, pageOf } from '../support/api.ts'
import type { Reply } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// How merchants find their customers, among few or 100,000.
const stack = await useStack({ workers: false, invariants: 'at the end' })
const api = await useApi(stack)

type Json = Record<string, unknown>

function read({ status, text, body }: Reply, expected: number): Json & { customer_id: string } {
  assert.equal(status, expected, text)
  return body as unknown as Json & { customer_id: string }
}

test('the list has its fields, and a search finds a literal part of email or name, in any case', async () => {
  const { merchant: own } = await api.addMerchant()
  const made: Record<string, string> = {}
  const people = {
    ada: { email: 'Ada.Lovelace@example.com', name: 'Countess' },
    percent: { email: 'p@example.com', name: '100% Cotton' },
    underscore: { email: 'first_last@example.com', name: 'U' },
    slash: { email: 's@example.com', name: 'Back\\slash' },
    unicode: { email: 'u@example.com', name: 'ŻÓŁW Émile' },
    nameless: { email: 'nameless@example.com' },
  }
  for (const [who, body] of Object.entries(people)) {
    made[who] = read(
      await own.call('POST', '/v1/customers', { ...body, phone_number: '+12015550123' }),
      201,
    ).customer_id
  }
  const listPage = async (search: string, more = '') =>
    pageOf(await own.call('GET', `/v1/customers?search=${encodeURIComponent(search)}${more}`))
  const find = async (search: string) => {
    const { items, pagination } = await listPage(search)
    assert.equal(pagination.total, items.length)
    return items.map(({ customer_id: id }) => Object.keys(made).find((who) => made[who] === id))
  }
  const everybody = Object.keys(people).toReversed()
  const found: [string, string[]][] = [
    ['lovelace', ['ada']],
    ['LOVELACE@', ['ada']],
    ['COUNTess', ['ada']],
    ['ountes', ['ada']],
    ['%', ['percent']],
    ['0% c', ['percent']],
    ['_', ['underscore']],
    ['t_l', ['underscore']],
    ['\\', ['slash']],
    ['k\\S', ['slash']],
    ['żółw', ['unicode']],
    ['ÉMILE', ['unicode']],
    ['ad', ['ada']],
    ['nobody', []],
    ['Ada Countess', []],
    ["'; drop table customers; --", []],
    ['example.com', everybody],
    ['', everybody],
  ]
  for (const [search, expected] of found) assert.deepEqual(await find(search), expected, search)
  const fields = ['created_at', 'customer_id', 'email', 'metadata', 'name', 'updated_at']
  for (const item of (await listPage('')).items) assert.deepEqual(Object.keys(item).toSorted(), fields)
  const first = await listPage('EXAMPLE', '&limit=2')
  const next = await listPage('EXAMPLE', `&limit=2&cursor=${first.pagination.next_cursor}`)
  assert.deepEqual(
    [first, next].map(({ pagination: { total, returned } }) => [total, returned]),
    [
      [6, 2],
      [6, 2],
    ],
  )
  assert.deepEqual(
    [...first.items, ...next.items].map(({ customer_id }) => customer_id),
    everybody.slice(0, 4).map((who) => made[who]),
  )
  assertFieldErrors(await own.call('GET', `/v1/customers?search=${'x'.repeat(321)}`), { search: 'value_error.range' })
})

test('among 100,000 customers a list and a search use their indexes', async () => {
  const { accountId: owner, merchant: big } = await api.addMerchant()
  for (let from = 0; from < 100_000; from += 10_000) {
    await stack.sql(
      `insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)
       select 'cust_' || lpad(g::text, 34, '0'), ?, 'sandbox',
         'b' || g || '-' || substr(md5(g::text), 1, 8) || '@example.com',
         'Buyer ' || substr(md5((g * 7)::text), 1, 8), '{}', now() + g * interval '1 ms', now()
       from generate_series(? + 1, ? + 10000) g`,
      [owner, from, from],
    )
  }
  await stack.sql('vacuum analyze customers')
  const explain = async (what: string, condition: string, order = '') => {
    const rows = await stack.sql<Record<'QUERY PLAN', string>>(
      `explain select ${what} from customers
       where account_id = ? and environment = 'sandbox' and ${condition} ${order}`,
      [owner],
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const newest = 'order by created_at desc, id desc limit 51'
  assert.match(await explain('*', 'true', newest), /Index Scan Backward using customers_newest/)
  const part = `(email like '%b77777-%' or lower(name) like lower('%b77777-%'))`
  for (const plan of [await explain('*', part, newest), await explain('count(*)', part)]) {
    assert.match(plan, /BitmapOr[\s\S]*customers_email_parts[\s\S]*customers_name_parts/)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
  const { items, pagination } = pageOf(await big.call('GET', '/v1/customers?search=B77777-'))
  assert.deepEqual(
    [items.map(({ customer_id }) => customer_id), pagination.total],
    [[`cust_${'77777'.padStart(34, '0')}`], 1],
  )
  assert.equal(pageOf(await big.call('GET', '/v1/customers?limit=1')).pagination.total, 100_000)
  // Far from the start the rows before a page are skipped by their ids: the same rows, in the same order.
  const far = pageOf(await big.call('GET', '/v1/customers?limit=3&offset=70000'))
  assert.deepEqual(
    far.items.map(({ customer_id }) => customer_id),
    [30_000, 29_999, 29_998].map((n) => `cust_${String(n).padStart(34, '0')}`),
  )
  const next = pageOf(await big.call('GET', `/v1/customers?limit=1&cursor=${far.pagination.next_cursor}`))
  assert.equal(next.items[0]?.['customer_id'], `cust_${'29997'.padStart(34, '0')}`)
  // Without triggers, which would look for the sales of each.
  await stack.sql(`do $$ begin
    set local session_replication_role = replica;
    delete from customers where account_id = '${owner}';
    delete from row_counts where table_name = 'customers' and account_id = '${owner}';
  end $$`)
})
