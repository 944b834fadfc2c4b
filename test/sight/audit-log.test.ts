import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { newId } from '../../domain/id.ts'
import { AuditEntry } from '../../schemas/sight/audit.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { callAs, leftOpen, read, register, requestReview } from '../support/destination.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { until } from '../support/until.ts'
import { addUser, type TestUser } from '../support/user.ts'

// Who did what, when, to what and why, as staff read it.
const stack = await useStack()
const api = await useApi(stack)
const ada = await addUser(stack, { accountId: null, role: 'reviewer' })
const ben = await addUser(stack, { accountId: null, role: 'reviewer' })

type Entry = Record<string, string | null>
type LogPage = { items: Entry[]; next_cursor: string | null; has_more: boolean }

const call = (query: Record<string, string>, user: TestUser = ada) =>
  callAs(stack.merchant, user, 'GET', `/api/v1/admin/audit-entries?${new URLSearchParams(query)}`)
const list = async (query: Record<string, string>): Promise<LogPage> => {
  const { status, body } = await call(query)
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as LogPage
}
const targetsOf = ({ items }: LogPage) => items.map(({ target }) => target)

/** Entries of an account that is new, the last of them the newest. */
async function addEntries(count: number, more: { action?: string; userId?: string; at?: Date } = {}) {
  const accountId = await api.addAccount()
  const at = more.at ?? new Date()
  await stack.sql(
    `insert into audit_entries (account_id, user_id, action, target, address, at)
     select ?, ?, ?, 'pl_' || n, '192.0.2.1', ? from generate_series(1, ${count}) n`,
    [accountId, more.userId ?? null, more.action ?? 'test.done', at],
  )
  return accountId
}

test('a decision of staff is in the log with its person, time, account, resource and reason', async () => {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  const reason = '<b>"The holder’s name" is another; drop table</b>'
  await requestReview(stack.merchant, ben, destination, { decision: 'reject', reason })
  await until(async () => (await read(stack.merchant, destination)).status === 'rejected', 'it is decided')
  const { items } = await list({ target: destination.id })
  const [entry, registered] = items
  assert.ok(Compile(AuditEntry).Check(entry), JSON.stringify(entry))
  const { at, audit_entry_id: id, user_name: name, account_name: account, address, ...rest } = entry
  assert.ok(at && id && name && account && address)
  assert.deepEqual(rest, {
    action: 'payout_destination.rejected',
    target: destination.id,
    reason,
    user_id: ben.id,
    api_key_id: null,
    account_id: stack.organizationId,
  })
  assert.equal(registered?.['action'], 'payout_destination.registered')
  assert.equal(registered?.['reason'], null)
  assert.ok(registered?.['api_key_id'], 'the key that registered it')
})

test('the log is read page by page, each entry once, although all are of one millisecond', async () => {
  const account = await addEntries(25)
  const seen: (string | null | undefined)[] = []
  let cursor: string | null = null
  do {
    const page: LogPage = await list({ account_id: account, limit: '10', ...(cursor && { cursor }) })
    seen.push(...targetsOf(page))
    assert.equal(page.has_more, page.next_cursor !== null)
    cursor = page.next_cursor
    await stack.sql(
      `insert into audit_entries (account_id, action, target, address, at) values (?, 'test.done', 'new', 'x', now())`,
      [account],
    )
  } while (cursor)
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, index) => `pl_${25 - index}`),
  )
})

test('filters by person, by id and by email, by action, and by time narrow the log, alone and together', async () => {
  const person = await addUser(stack, { accountId: null, role: 'reviewer' })
  const [row] = await stack.sql<{ email: string }>('select email from users where id = ?', [person.id])
  const [noon, later] = [new Date('2026-03-01T12:00:00Z'), new Date('2026-03-02T12:00:00Z')]
  const first = await addEntries(2, { userId: person.id, action: 'a.done', at: noon })
  const second = await addEntries(3, { userId: person.id, action: 'b.done', at: later })
  const count = async (query: Record<string, string>) => (await list(query)).items.length
  assert.equal(await count({ user: person.id }), 5)
  assert.equal(await count({ user: ` ${row?.email.toUpperCase()} ` }), 5)
  assert.equal(await count({ user: person.id, action: 'b.done' }), 3)
  assert.equal(await count({ user: person.id, from: '2026-03-01T12:00:00Z', until: '2026-03-02T12:00:00Z' }), 2)
  assert.equal(await count({ user: person.id, account_id: second }), 3)
  assert.equal(await count({ account_id: first, action: 'b.done' }), 0)
  for (const user of ['nobody@example.com', newId('usr', 0), "' or 1=1 --"]) assert.equal(await count({ user }), 0)
})

test('an email finds what each person has done who had it, also those who were removed', async () => {
  const accountId = await api.addAccount()
  const owner = await addUser(stack, { accountId, role: 'owner' })
  const removed = await addUser(stack, { accountId, role: 'admin' })
  const [row] = await stack.sql<{ email: string }>('select email from users where id = ?', [removed.id])
  const email = row?.email ?? ''
  await addEntries(2, { userId: removed.id })
  const gone = await callAs(stack.merchant, owner, 'DELETE', `/v1/team/members/${removed.id}`)
  assert.equal(gone.status, 200, gone.text)
  const found = async () => (await list({ user: email })).items.map(({ user_id: id }) => id)
  assert.deepEqual(await found(), [removed.id, removed.id])
  const again = await addUser(stack, { accountId: null, role: 'reviewer' })
  await stack.sql('update users set email = ? where id = ?', [email, again.id])
  await addEntries(1, { userId: again.id })
  assert.deepEqual(await found(), [again.id, removed.id, removed.id])
})

test('VALIDATION_ERROR: a cursor of another list, one that we did not make, and a time that is none', async () => {
  for (let each = 0; each < 2; each++) await register(stack.merchant, 'NGN', leftOpen)
  const reviews = pageOf(await callAs(stack.merchant, ada, 'GET', '/api/v1/admin/reviews?limit=1'))
  const cursor = reviews.pagination.next_cursor ?? ''
  assert.match(cursor, /\./)
  assertFieldErrors(await call({ cursor }), { cursor: 'value_error.format' })
  assertFieldErrors(await call({ cursor: 'x.y' }), { cursor: 'value_error.format' })
  assertFieldErrors(await call({ from: 'yesterday' }), { from: 'value_error.format' })
})

test('FORBIDDEN: people of an organization do not read the log', async () => {
  const owner = await addUser(stack, { accountId: stack.organizationId, role: 'owner' })
  assertError(await call({}, owner), 403, 'FORBIDDEN')
})

test('each filter of the log reads an index, whatever the number of rows', async () => {
  await stack.sql(
    `insert into audit_entries (account_id, user_id, action, target, address, at)
     select 'acct_' || n % 200, 'usr_' || n % 200, 'many.' || n % 200, 'pl_' || n % 200, 'x', now() - n * interval '1 s'
     from generate_series(1, 40000) n`,
  )
  await stack.sql('analyze audit_entries')
  const filters = { account_id: 'acct_7', user_id: 'usr_7', action: 'many.7', target: 'pl_7' }
  const order = 'order by at desc, id desc limit 51'
  const queries = ['', ...Object.entries(filters).map(([column, value]) => `where ${column} = '${value}'`)]
  for (const where of queries) {
    const plan = await stack.sql<Record<string, string>>(`explain select * from audit_entries ${where} ${order}`)
    const text = plan.map((row) => Object.values(row)[0]).join('\n')
    assert.match(text, /Index (Only )?Scan (Backward )?using audit_entries_/, `${where}: ${text}`)
    assert.doesNotMatch(text, /Sort/, where)
  }
})
