import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { operationIdOf } from '../../api/http/operation-id.ts'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { memberKeys } from '../../commands/sandbox/test-clock.ts'
import { isRecord } from '../../domain/narrow.ts'
import { fillTable } from '../support/many-rows.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { buyer } from '../support/merchant.ts'
import { openPortal } from '../support/portal.ts'
import { addUser } from '../support/user.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// Every list is called with each of its filters, on tables of 20,000 rows; each statement that it makes is explained.
const ROWS = 20_000
/** What one page may read of a table: a page is at most 100 rows. */
const READ_MAX = 1_100

const stack = await useStack({ workers: false })
await useApi(stack)

type Given = Record<string, string>
type Setting = { endpoint: string; customer: string }

/** The tables that grow with use, and what their rows have beside the usual. `n` is the number of a row. */
const tables: Record<string, (setting: Setting) => Given> = {
  accounts: () => ({ id: `'acct_' || n`, owner_id: `'${stack.organizationId}'`, environment: 'null' }),
  account_profiles: () => ({ account_id: `'acct_' || n`, country: `case when n % 501 = 0 then 'GH' else 'NG' end` }),
  checkouts: () => ({}),
  payments: () => ({ corridor: `case when n % 501 = 0 then 'NGN_BANK_TRANSFER' else 'USD_CARD' end` }),
  payment_links: () => ({ active: 'n % 501 <> 0' }),
  products: () => ({ name: `'Product ' || n`, active: 'n % 501 <> 0' }),
  product_groups: () => ({ name: `'Group ' || n`, active: 'n % 501 <> 0' }),
  customers: () => ({}),
  saved_payment_methods: ({ customer }) => ({
    customer_id: `case when n % 400 = 1 then '${customer}' else 'cust_' || n end`,
  }),
  refunds: () => ({}),
  disputes: () => ({}),
  subscriptions: ({ customer }) => ({ customer_id: `case when n % 400 = 1 then '${customer}' else 'cust_' || n end` }),
  invoices: ({ customer }) => ({ customer_id: `case when n % 400 = 1 then '${customer}' else 'cust_' || n end` }),
  payouts: () => ({}),
  payout_destinations: () => ({ currency: `case when n % 501 = 0 then 'GHS' else 'NGN' end` }),
  reviews: () => ({ claimed_by: `case when n % 20 = 0 then 'usr_' || n % 400 end` }),
  conversions: () => ({}),
  balance_transactions: () => ({ currency: `case when n % 501 = 0 then 'GHS' else 'NGN' end` }),
  transfers: () => ({}),
  virtual_accounts: () => ({}),
  webhook_endpoints: () => ({}),
  events: () => ({ type: `case when n % 501 = 0 then 'payout.paid' else 'checkout.completed' end` }),
  deliveries: ({ endpoint }) => ({
    endpoint_id: `'${endpoint}'`,
    event_type: `case when n % 501 = 0 then 'payout.paid' else 'checkout.completed' end`,
  }),
  audit_entries: () => ({ action: `'action-' || n % 2000`, target: `'res_' || n` }),
  kept_mails: () => ({}),
  test_clocks: () => ({}),
  users: () => ({}),
}

/** Lists of what is few by its nature, of no table, or with a test of their own; each with the reason. */
const few: Record<string, string> = {
  'paymentMethods.list': 'a constant of the service',
  'reference.productCategories.list': 'a constant of the service',
  'reference.banks.list': 'a constant of the service',
  'accounts.capabilities.list': 'a handful of each account',
  'accounts.documents.list': 'those of one account',
  'accounts.persons.list': 'those of one account',
  'customerPortal.subscriptions.plans.list': 'the plans of one group',
  'disputes.documents.list': 'those of one dispute',
  'apiKeys.list': 'the keys of one account, which has one active one',
  'auth.sessions.list': 'the logins of one person, of 30 days',
  'balances.list': 'a row for each currency; test/balance/balance-size.test.ts',
  'agenda.list': 'what waits now; each resource has an index of it',
  'team.invitations.list': 'those of one organization, of which 50 are open at most',
  'requestLogs.list': 'test/sight/request-log-size.test.ts',
  'staff.stuck.list': 'what is overdue now; each resource has an index of it',
}

const catalogue = 'what an account sells, or sends to its buyers, is thousands at most'

/**
 * Filters of which a page may read on, in the order of the list, until it is full or the account's rows are at an end.
 * Each with the reason.
 */
const readsOn: Record<string, string> = {
  'paymentLinks.list active': catalogue,
  'products.list active': catalogue,
  'products.list search': catalogue,
  'products.list recurring': catalogue,
  'productGroups.list active': catalogue,
  'productGroups.list search': catalogue,
  'staff.reviews.list type': 'a state beside it has an index, and what is open is few',
  'team.members.list ': 'the people of one organization',
}

const lists = operations.filter((operation) => operationIdOf(operation).endsWith('.list'))
const paging = new Set(['limit', 'offset', 'cursor'])

/** Values for a filter: of a list of words the first, which most rows have, and the last. */
function valuesOf(name: string, schema: unknown): string[] {
  const { enum: words, type, format } = schema as { enum?: unknown[]; type?: string; format?: string }
  if (Array.isArray(words)) return [...new Set([words[0], words.at(-1)])].map(String)
  if (type === 'boolean') return ['true', 'false']
  if (format === 'date-time') return [new Date(Date.UTC(2020, 0, 1)).toISOString()]
  if (name === 'search') return ['19997']
  if (name === 'currency') return ['GHS']
  if (name === 'country') return ['GH']
  return [`${name}_17`]
}

const queriesOf = ({ query }: Operation): string[] => {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, unknown> }
  const filters = Object.entries(properties).filter(([name]) => !paging.has(name))
  const isPaged = 'offset' in properties
  const sent = filters.flatMap(([name, schema]) =>
    valuesOf(name, schema).map((value) => `${name}=${encodeURIComponent(value)}`),
  )
  // A page behind the last row: no row is shown, and what is explained is the first page.
  return ['', ...sent].map((filter) => [filter, isPaged ? `offset=${BEHIND}` : ''].filter(Boolean).join('&'))
}
const BEHIND = 87_654

type Statement = { text: string; values: unknown[] }
let heard: Statement[] | null = null
type Query = (this: unknown, ...args: unknown[]) => unknown
const prototype = Client.prototype as unknown as { query: Query }
const query = prototype.query
prototype.query = function hear(...args) {
  const [first, second] = args
  const text = typeof first === 'string' ? first : isRecord(first) ? String(first['text']) : ''
  const values = (isRecord(first) ? first['values'] : second) ?? []
  heard?.push({ text, values: Array.isArray(values) ? values : [] })
  return query.apply(this, args)
}
const own = new Client({ connectionString: stack.databaseUrl })
await own.connect()
// On so few rows a scan of the whole table is the fastest; on a million it is not.
await own.query('set enable_seqscan = off')
atEnd(() => own.end())

const setting: Setting = { endpoint: '', customer: '' }
const credentials: Record<string, Record<string, string>> = {}
const { merchant, organizationId: accountId } = stack
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
setting.endpoint = await withEndpoints(merchant).add({ url: 'https://example.com/hooks', event_types: ['*'] })
const { body } = await merchant.call('POST', '/v1/customers', buyer)
setting.customer = String(body['customer_id'])
credentials['customerToken'] = bearer((await openPortal(merchant, setting.customer)).token)
credentials['owner'] = bearer(await (await addUser(stack, { accountId, role: 'owner' })).token())
credentials['reviewer'] = bearer(await (await addUser(stack, { accountId, role: 'reviewer' })).token())
for (const [table, given] of Object.entries(tables)) {
  await fillTable(stack, table, { accountId, count: ROWS, given: given(setting) })
  await stack.sql(`vacuum analyze ${table}`)
}

/** Makes a call, and returns the statements that it has read a large table with. */
async function statementsOf(operation: Operation, filter: string): Promise<Statement[]> {
  const path = operation.path
    .replace('{endpoint_id}', setting.endpoint)
    .replace('{customer_id}', setting.customer)
    .concat(filter && `?${filter}`)
  const isPerson = operation.auth.length === 1 && operation.auth[0] === 'user'
  const who = operation.auth.includes('customerToken')
    ? 'customerToken'
    : isPerson
      ? operation.forStaff
        ? 'reviewer'
        : 'owner'
      : ''
  heard = []
  const { status, text } = await stack.merchant.call('GET', path, undefined, credentials[who] ?? {})
  const made = heard
  heard = null
  assert.equal(status, 200, `${path}: ${text}`)
  const isRead = (statement: Statement) =>
    Object.keys(tables).some((table) => statement.text.includes(`from "${table}"`))
  return made.filter((statement) => statement.text.startsWith('select') && isRead(statement))
}

type Node = Record<string, unknown> & { Plans?: Node[] }
const number = (node: Node, name: string) => Number(node[name] ?? 0)

/** The steps of a plan. Of indexes that are read together, the one that finds least: few rows make the others cheap. */
function nodesOf(node: Node): Node[] {
  const inner = (node.Plans ?? []).toSorted((one, other) => number(one, 'Actual Rows') - number(other, 'Actual Rows'))
  const counted = node['Node Type'] === 'BitmapAnd' ? inner.slice(0, 1) : inner
  return [node, ...counted.flatMap(nodesOf)]
}

/** How a statement was carried out: what is wrong with it, and how many rows and pages it has read. */
async function explain({ text, values }: Statement): Promise<{ faults: string[]; read: number; pages: number }> {
  const fromStart = values.map((value) => (value === BEHIND ? 0 : value))
  const { rows } = await own.query(
    `explain (analyze, buffers, format json) ${text.replace(String(BEHIND), '0')}`,
    fromStart,
  )
  const plan = (rows[0] as Record<'QUERY PLAN', { Plan: Node }[]>)['QUERY PLAN'][0]?.Plan as Node
  const nodes = nodesOf(plan)
  const faults = nodes.flatMap((node) => {
    const relation = String(node['Relation Name'])
    if (node['Node Type'] === 'Seq Scan' && relation in tables) return [`reads all of ${relation}`]
    const sorted = node.Plans?.[0]
    const isSort = String(node['Node Type']).endsWith('Sort')
    return isSort && sorted && number(sorted, 'Actual Rows') > READ_MAX
      ? [`sorts ${number(sorted, 'Actual Rows')} rows`]
      : []
  })
  const scans = nodes.filter((node) => String(node['Node Type']).endsWith('Scan'))
  const read = scans.map(
    (node) =>
      (number(node, 'Actual Rows') +
        number(node, 'Rows Removed by Filter') +
        number(node, 'Rows Removed by Index Recheck')) *
      number(node, 'Actual Loops'),
  )
  const pages = number(plan, 'Shared Hit Blocks') + number(plan, 'Shared Read Blocks')
  return { faults, read: Math.max(0, ...read), pages }
}

const isCount = ({ text }: Statement) => text.startsWith('select count(')

test('what is said to be few is a list', () => {
  const unknown = Object.keys(few).filter((id) => !lists.some((operation) => operationIdOf(operation) === id))
  assert.deepEqual(unknown, [])
  assert.ok(lists.length > 35)
})

const used = new Set<string>()
for (const operation of lists.filter((each) => !(operationIdOf(each) in few))) {
  const id = operationIdOf(operation)
  test(`${id}: whatever the filter, a page is read by an index, and no more than a page`, async () => {
    const problems: string[] = []
    let explained = 0
    for (const filter of queriesOf(operation)) {
      const name = `${id} ${filter.startsWith('offset') ? '' : (filter.split('=')[0] ?? '')}`
      for (const statement of await statementsOf(operation, filter)) {
        explained += 1
        const { faults, read } = await explain(statement)
        // What a total counts is read, by an index; db/core/row-count.ts keeps the totals of the largest tables.
        if (read > READ_MAX && !isCount(statement)) faults.push(`reads ${read} rows`)
        if (faults.length > 0 && name in readsOn) used.add(name)
        else problems.push(...faults.map((fault) => `${id}?${filter} ${fault}: ${statement.text}`))
      }
    }
    assert.deepEqual(problems, [])
    assert.ok(explained > 0, `${id} reads none of the tables of this file: add its table, or say that it is few`)
  })
}

test('payouts.destinations.list: few that match a filter are found without an index of all of them', async () => {
  const operation = lists.find((each) => operationIdOf(each) === 'payouts.destinations.list')
  assert.ok(operation)
  for (const filter of ['currency=GHS', 'status=rejected', 'type=crypto_wallet']) {
    const statements = await statementsOf(operation, `${filter}&offset=${BEHIND}`)
    for (const statement of statements.filter((each) => !isCount(each))) {
      const { pages } = await explain(statement)
      assert.ok(pages < 100, `${filter} reads ${pages} pages: ${statement.text}`)
    }
  }
})

/** The lists of what grows with every sale, and the filters with which their totals are kept beside the rows. */
const totalsKept: Record<string, RegExp> = {
  'accounts.list': /^(offset|status|country)=/,
  'checkoutSessions.list': /^(offset|status)=/,
  'customers.list': /^offset=/,
  'payments.list': /^(offset|status|payment_method)=/,
  'balances.transactions.list': /^(offset|type|currency)=/,
  'refunds.list': /^(offset|status)=/,
  'payouts.list': /^(offset|status)=/,
  'conversions.list': /^(offset|status)=/,
  'payouts.destinations.list': /^(offset|status|currency|type)=/,
  'virtualAccounts.list': /^offset=/,
  'transfers.list': /^offset=/,
  'platformFees.list': /^offset=/,
  'disputes.list': /^(offset|status|reason)=/,
  'subscriptions.list': /^(offset|status)=/,
  'invoices.list': /^(offset|status)=/,
  'products.list': /^offset=/,
  'paymentLinks.list': /^offset=/,
  'webhooks.endpoints.deliveries.list': /^(offset|status|type)=/,
  'webhooks.events.list': /^(offset|type)=/,
}
for (const [id, filters] of Object.entries(totalsKept)) {
  test(`${id}: the total is read, and not counted, with every filter that many use`, async () => {
    const operation = lists.find((each) => operationIdOf(each) === id)
    assert.ok(operation, id)
    const sent = queriesOf(operation).filter((each) => filters.test(each))
    assert.ok(sent.length > 0)
    for (const filter of sent) {
      for (const count of (await statementsOf(operation, filter)).filter(isCount)) {
        const { read } = await explain(count) // events that will be purged within two hours are counted
        assert.ok(read < READ_MAX, `${filter} reads ${read} rows: ${count.text}`)
      }
    }
  })
}

test('what joins a test clock with a member is found by an index, whatever is attached', async () => {
  const problems: string[] = []
  const clock = await merchant.call('POST', '/v1/test-helpers/clocks', { name: 'A clock' })
  const member = `row_${'1'.padStart(30, '0')}`
  for (const key of memberKeys.filter((each) => each !== 'account_id')) {
    heard = []
    const path = `/v1/test-helpers/clocks/${String(clock.body['clock_id'])}/attach`
    const { status, text } = await merchant.call('POST', path, { [key]: member })
    const made = heard.filter((statement) => /^update \w+ set clock_id/.test(statement.text))
    heard = null
    assert.equal(status, 200, `${key}: ${text}`)
    assert.ok(made.length > 0)
    for (const statement of made) {
      const { faults, read } = await explain(statement)
      if (read > READ_MAX) faults.push(`reads ${read} rows`)
      problems.push(...faults.map((fault) => `${key} ${fault}: ${statement.text}`))
    }
  }
  assert.deepEqual(problems, [])
})

test('each exception is one: no filter is excused that an index serves by now', () => {
  assert.deepEqual(
    Object.keys(readsOn).filter((name) => !used.has(name)),
    [],
  )
})
