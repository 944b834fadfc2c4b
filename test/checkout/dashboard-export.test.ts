import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { callFor } from '../../api/http/caller-address.ts'
import { createPages } from '../../web/pages.ts'
import { createCheckedApp } from '../support/answers.ts'
import { createLogins } from '../support/login.ts'
import { changeAccount } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// An export whose API fails in the middle: the pages reach the API by way of a proxy that the test switches.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const logins = createLogins(stack)
const portOf = (server: Server) => (server.address() as AddressInfo).port

let furtherPages: 'answered' | 'cut' = 'answered'
const proxy = createServer((incoming, outgoing) => {
  if (furtherPages === 'cut' && incoming.url?.includes('cursor=')) return void incoming.socket.destroy()
  const { method, url: path, headers } = incoming
  const forwarded = request({ port: portOf(server), method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(forwarded)
}).listen(0, '127.0.0.1')
await once(proxy, 'listening')
const pages = createPages({
  address: () => proxy.address(),
  callFor: (ctx) => callFor(ctx, 1),
  now: () => stack.services.clock.now(),
  publicUrl: '',
})
const server = createCheckedApp(stack.services, pages).listen(0, '127.0.0.1')
await once(server, 'listening')
atEnd(() => {
  for (const each of [proxy, server]) {
    each.closeAllConnections()
    each.close()
  }
})

let numbers = 0
const idOf = (number: number) => `pay_${String(number).padStart(34, '0')}`

/** Somebody of an organization with so many payments, who exports what matches a search. */
async function openExports(payments: number) {
  const { accountId, merchant } = await api.addMerchant()
  await stack.sql(
    `insert into payments (id, account_id, environment, status, amount, settles, fee, fee_usd, fee_preference, currency,
       corridor, metadata, created_at, updated_at)
     select 'pay_' || lpad(n::text, 34, '0'), ?, 'sandbox', 'succeeded', n, n, 0, 0, 'org_pays', 'USD', 'USD_CARD',
       '{}', now(), now() from generate_series(?::int, ?::int) n`,
    [accountId, numbers + 1, (numbers += payments)],
  )
  const session = await logins.logIn(await logins.addPerson({ role: 'viewer', accountId }))
  const cookie = `dashboard_access=${session.access_token}; dashboard_refresh=${session.refresh_token}`
  const folder = `http://127.0.0.1:${portOf(server)}/dashboard`
  const load = async (search = '') =>
    (await fetch(`${folder}/payments.csv?${new URLSearchParams({ search })}`, { headers: { cookie } })).text()
  /** The ids of the payments that a search finds. */
  const find = async (search: string) => {
    const lines = (await load(search)).trim().split('\r\n')
    return lines.slice(1).map((line) => line.replace(/,.*/, ''))
  }
  /** What the dashboard answers to a person who has chosen this environment, with the name of a file. */
  const open = async (environment: string, path: string) => {
    const headers = { cookie: `${cookie}; dashboard_environment=${environment}` }
    const page = await fetch(`${folder}/${path}`, { headers })
    return { status: page.status, file: page.headers.get('content-disposition'), text: await page.text() }
  }
  return { accountId, merchant, load, find, open }
}

test('an export that the API does not finish is cut, so that it is not taken for whole', async () => {
  const { load } = await openExports(150)
  assert.equal((await load()).trim().split('\r\n').length, 1 + 150)
  furtherPages = 'cut'
  await assert.rejects(load(), /terminated/)
  furtherPages = 'answered'
  assert.equal((await load()).trim().split('\r\n').length, 1 + 150, 'the next one is whole again')
})

test('an export of a search by the id of a payment has this payment, and none where there is none', async () => {
  const { find } = await openExports(2)
  assert.deepEqual(await find(idOf(numbers)), [idOf(numbers)])
  assert.deepEqual(await find(idOf(numbers + 1)), [])
  assert.deepEqual(await find('pay_'), [])
})

test('a reference is found also where it looks like an id or an email', async () => {
  const references = ['pay_first', 'chk_2026-11', 'sub_3', 'cust_7', 'ada@shop/12']
  const { find } = await openExports(references.length)
  for (const [index, reference] of references.entries()) {
    const id = idOf(numbers - index)
    await stack.sql(`update payments set reference = ? where id = ?`, [reference, id])
    assert.deepEqual(await find(reference), [id], reference)
  }
})

test('the payments of an email are found behind 120 newer customers whose email has it as a part', async () => {
  const { find, merchant } = await openExports(2)
  const email = 'ade@example.com'
  const made = await merchant.call('POST', '/v1/customers', { email })
  const customer = String(made.body['customer_id'])
  await stack.sql(
    `insert into customers select (jsonb_populate_record(each, jsonb_build_object('email', n || email,
       'id', 'cust_' || lpad(n::text, 34, 'z'), 'created_at', now() + n * interval '1 second'))).*
     from customers each, generate_series(1, 120) n where id = ?`,
    [customer],
  )
  await stack.sql(`update payments set customer_id = ? where id = ?`, [customer, idOf(numbers)])
  assert.deepEqual(await find('Ade@Example.com'), [idOf(numbers)])
  assert.deepEqual(await find('de@example.com'), [])
})

test('an export says of which environment it is, and a page of the other one exports nothing', async () => {
  const { accountId, open } = await openExports(1)
  await changeAccount(stack, accountId, { paymentsEnabled: true })
  for (const [environment, begin, other, refused] of [
    ['sandbox', 'payments-test-20', 'live', 'in live mode, and you are in test mode now'],
    ['live', 'payments-20', 'sandbox', 'in test mode, and you are in live mode now'],
  ] as const) {
    const list = await open('sandbox', 'payments')
    const link = /"\/dashboard\/(payments\.csv[^"]*)"/.exec(list.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.match(link, /environment=sandbox$/)
    const own = await open(environment, link.replace('sandbox', environment))
    assert.deepEqual([own.status, own.file?.split('"')[1]?.slice(0, begin.length)], [200, begin])
    const stale = await open(environment, link.replace('sandbox', other))
    assert.deepEqual([stale.status, stale.file], [409, null])
    assert.ok(stale.text.includes(refused))
  }
})
