import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { startClient } from '../support/client.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// The real service, behind a proxy that cuts every connection in the middle of what it passes on.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const receiver = await useReceiver()

const sockets = new Set<Socket>()
let bytesUntilCut = Infinity
const proxy = createServer((from) => {
  const { port, hostname } = new URL(stack.baseUrl)
  const to = connect(Number(port), hostname)
  let passed = 0
  const end = () => {
    from.destroy()
    to.destroy()
  }
  for (const socket of [from, to]) sockets.add(socket.on('error', end).on('close', end))
  from.pipe(to)
  to.on('data', (chunk: Buffer) => {
    const left = bytesUntilCut - passed
    passed += chunk.length
    if (chunk.length <= left) from.write(chunk)
    else from.write(chunk.subarray(0, Math.max(0, left)), end)
  })
})
before(async () => {
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})
after(() => {
  for (const socket of sockets) socket.destroy()
  proxy.close()
})
const through = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

async function listening(key: string) {
  const args = ['listen', '--forward-to', receiver.url, '--json']
  const client = startClient(through(), args, { STEADYPAY_API_KEY: key })
  await client.says('"kind":"listening"')
  return client
}

test('a connection that is cut in the middle of an event loses nothing and brings nothing twice', async () => {
  const shop = await api.addMerchant()
  const client = await listening(shop.key)
  const trigger = async () => {
    const { body } = await shop.merchant.call('POST', '/v1/test-helpers/events/trigger', { type: 'refund.paid' })
    return String(body['id'])
  }
  const sent: string[] = []
  bytesUntilCut = 4_000 // a few events, and a part of one
  for (const socket of sockets) socket.destroy()
  for (let count = 0; count < 20; count++) sent.push(await trigger())
  await until(() => receiver.received.length >= sent.length, 'every event arrives', { withinMs: 60_000 })
  const { code } = await client.end('SIGINT')
  assert.equal(code, 0)
  assert.deepEqual(
    receiver.received.map(({ event }) => event.id),
    sent,
  )
  assert.ok(client.lines().some(({ kind }) => kind === 'resumed'))
})

test('a key that is revoked while it listens ends it with 1, and the reason', async () => {
  bytesUntilCut = Infinity
  const shop = await api.addMerchant()
  const client = await listening(shop.key)
  await stack.sql('update api_keys set is_active = false where id = ?', [shop.id])
  const { code, stderr, stdout } = await client.end()
  assert.equal(code, 1)
  assert.equal((JSON.parse(stderr) as { error_code: string }).error_code, 'UNAUTHORIZED')
  assert.ok(!(stderr + stdout).includes(shop.key))
})
