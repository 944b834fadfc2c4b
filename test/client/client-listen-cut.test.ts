import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClient } from '../support/client.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// The real service, behind a proxy that cuts every connection in the middle of what it passes on.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const receiver = await useReceiver()
const proxy = await use(
  () => startCuttingProxy(stack.baseUrl),
  ({ close }) => close(),
)

async function listening(key: string) {
  const args = ['listen', '--forward-to', receiver.url, '--json']
  const client = startClient(proxy.url, args, { STEADYPAY_API_KEY: key })
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
  proxy.cutAfter(4_000) // a few events, and a part of one
  proxy.cut()
  for (let count = 0; count < 20; count++) sent.push(await trigger())
  await until(() => receiver.received.length >= sent.length, 'every event arrives')
  const { code } = await client.end('SIGINT')
  assert.equal(code, 0)
  assert.deepEqual(
    receiver.received.map(({ event }) => event.id),
    sent,
  )
  assert.ok(client.lines().some(({ kind }) => kind === 'resumed'))
})

test('a key that is revoked while it listens ends it with 1, and the reason', async () => {
  proxy.cutAfter(Infinity)
  const shop = await api.addMerchant()
  const client = await listening(shop.key)
  await stack.sql('update api_keys set is_active = false where id = ?', [shop.id])
  const { code, stderr, stdout } = await client.end()
  assert.equal(code, 1)
  assert.equal((JSON.parse(stderr) as { error_code: string }).error_code, 'UNAUTHORIZED')
  assert.ok(!(stderr + stdout).includes(shop.key))
})
