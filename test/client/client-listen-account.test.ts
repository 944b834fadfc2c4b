import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { runClient, startClient } from '../support/client.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import type { Merchant } from '../support/merchant.ts'
import { addPlatform, addSeller } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { atEnd, use } from '../support/use.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// `listen --account`: a platform follows one of its connected accounts on the real service.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const receiver = await useReceiver()
const proxy = await use(
  () => startCuttingProxy(stack.baseUrl),
  ({ close }) => close(),
)
afterEach(() => void (receiver.received.length = 0))

async function happen({ merchant }: { merchant: Merchant }): Promise<string> {
  const { body } = await merchant.call('POST', '/v1/test-helpers/events/trigger', { type: 'refund.paid' })
  assert.match(String(body['id']), /^evt_/)
  return String(body['id'])
}
const listenTo = (account: string) => ['listen', '--forward-to', receiver.url, '--json', '--account', account]
/** A listener that also a failed test ends. */
function start(...args: Parameters<typeof startClient>) {
  const client = startClient(...args)
  atEnd(() => client.end('SIGKILL'))
  return client
}
const ids = () => receiver.received.map(({ event }) => event.id)

test('the events of one connected account come, also after a cut, and those of no other account', async () => {
  const { platform, seller } = await addPlatform(api)
  const others = [platform, await addSeller(api, platform.accountId), await api.addMerchant()]
  const client = start(proxy.url, listenTo(seller.accountId), { STEADYPAY_API_KEY: platform.key })
  await client.says('"kind":"listening"')
  assert.equal(client.lines()[0]?.['account_id'], seller.accountId)
  const sent: string[] = []
  for (let round = 1; round <= 2; round++) {
    for (const other of others) await happen(other)
    sent.push(await happen(seller))
    await until(() => receiver.received.length >= sent.length, 'the event arrives')
    proxy.cut()
  }
  for (const other of others) await happen(other)
  sent.push(await happen(seller))
  await until(() => receiver.received.length >= sent.length, 'the event arrives')
  assert.equal((await client.end('SIGINT')).code, 0)
  assert.deepEqual(ids(), sent)
  assert.ok(client.lines().some(({ kind }) => kind === 'resumed'))
})

test('what is forwarded has the bytes of a delivery, which names the account', async () => {
  const { platform, seller } = await addPlatform(api)
  const client = start(stack.baseUrl, listenTo(seller.accountId), { STEADYPAY_API_KEY: platform.key })
  await client.says('"kind":"listening"')
  const id = await happen(seller)
  await until(() => receiver.received.length === 1, 'the event arrives')
  await client.end('SIGINT')
  const [recorded] = await stack.sql<{ body: string }>('select body from events where id = ?', [id])
  assert.equal(receiver.received[0]?.body, recorded?.body)
  assert.equal((JSON.parse(recorded?.body ?? '{}') as { account_id?: string }).account_id, seller.accountId)
})

test('without --account a platform hears of itself only', async () => {
  const { platform, seller } = await addPlatform(api)
  const args = ['listen', '--forward-to', receiver.url]
  const client = start(stack.baseUrl, args, { STEADYPAY_API_KEY: platform.key })
  await client.says('Ctrl-C')
  await happen(seller)
  const own = await happen(platform)
  await until(() => receiver.received.length > 0, 'the event arrives')
  await client.end('SIGINT')
  assert.deepEqual(ids(), [own])
})

test('an account of somebody else is refused like one that does not exist', async () => {
  const { seller } = await addPlatform(api)
  const { key } = await api.addMerchant()
  for (const account of [seller.accountId, 'acct_nobody']) {
    const { code, stderr } = await runClient(stack.baseUrl, listenTo(account), { STEADYPAY_API_KEY: key })
    assert.equal(code, 1)
    assert.equal((JSON.parse(stderr) as { error_code: string }).error_code, 'NOT_FOUND', account)
  }
})

test('what is no id of an account is a wrong command line, and no call is made', async () => {
  const opened = proxy.opened()
  for (const account of ['', 'chk_1', 'acct_1\r\nx-environment: live', 'acct_']) {
    const { code, stderr } = await runClient(proxy.url, listenTo(account))
    assert.equal(code, 2, account)
    assert.match(stderr, /Enter the id of a connected account/)
  }
  assert.equal(proxy.opened(), opened)
})
