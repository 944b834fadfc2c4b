import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { callFor } from '../../api/http/caller-address.ts'
import { createPages } from '../../web/pages.ts'
import { createCheckedApp } from '../support/answers.ts'
import { createLogins } from '../support/login.ts'
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
  const { accountId } = await api.addMerchant()
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
  return async (search = '') =>
    (await fetch(`${folder}/payments.csv?${new URLSearchParams({ search })}`, { headers: { cookie } })).text()
}

test('an export that the API does not finish is cut, so that it is not taken for whole', async () => {
  const load = await openExports(150)
  assert.equal((await load()).trim().split('\r\n').length, 1 + 150)
  furtherPages = 'cut'
  await assert.rejects(load(), /terminated/)
  furtherPages = 'answered'
  assert.equal((await load()).trim().split('\r\n').length, 1 + 150, 'the next one is whole again')
})

test('an export of a search by the id of a payment has this payment, and none where there is none', async () => {
  const load = await openExports(2)
  const exported = async (search: string) => {
    const lines = (await load(search)).trim().split('\r\n')
    return lines.slice(1).map((line) => line.replace(/,.*/, ''))
  }
  assert.deepEqual(await exported(idOf(numbers)), [idOf(numbers)])
  assert.deepEqual(await exported(idOf(numbers + 1)), [])
  assert.deepEqual(await exported('pay_'), [])
})
