import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '../../domain/webhook/event.ts'
import { runClient, startFakeApi } from '../support/client.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// `trigger` for what takes a connected account or a subscription: its events are about objects that exist.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

type Ran = { steps: { call: string; ids: Record<string, string> }[] }
type Recorded = { resource_id: string; account_id: string; body: string }

/** A platform of its own for each event, so that no other trigger can have caused it. */
async function triggered(type: EventType) {
  const { accountId, key, merchant } = await api.addMerchant()
  const { code, stdout, stderr } = await runClient(stack.baseUrl, ['trigger', type, '--json'], {
    STEADYPAY_API_KEY: key,
  })
  assert.equal(code, 0, `${type}: ${stderr}`)
  const { steps } = JSON.parse(stdout) as Ran
  const recorded = () =>
    stack.sql<Recorded>(
      `select e.resource_id, e.account_id, e.body from events e join accounts a on a.id = e.account_id
       where e.type = ? and ? in (a.id, a.owner_id) order by e.sequence`,
      [type, accountId],
    )
  await until(async () => (await recorded()).length > 0, `${type} is recorded`)
  return { accountId, merchant, steps, events: await recorded() }
}

const dataOf = ({ body }: Recorded) => (JSON.parse(body) as { data: Record<string, unknown> }).data

test('triggers of transfers and platform fees onboard an account, and their events are of the platform', async () => {
  const paths = { tr: '/v1/transfers', fee: '/v1/platform-fees' }
  const carryOut = async (type: EventType) => {
    const { accountId, merchant, events } = await triggered(type)
    assert.deepEqual([...new Set(events.map(({ account_id }) => account_id))], [accountId], type)
    const id = events[0]?.resource_id ?? ''
    const path = type.startsWith('transfer') ? paths.tr : paths.fee
    const { status, body } = await merchant.call('GET', `${path}/${id}`)
    assert.equal(status, 200, `${type} is about ${id}`)
    const seller = String(body['destination'] ?? body['account_id'])
    assert.equal((await merchant.call('GET', `/v1/accounts/${seller}`)).body['status'], 'active', type)
    return body
  }
  const [sent, reversed, undone, earned, refunded, kept] = await Promise.all([
    carryOut('transfer.created'),
    carryOut('transfer.reversed'),
    carryOut('transfer.updated'),
    carryOut('platform_fee.created'),
    carryOut('platform_fee.refunded'),
    carryOut('platform_fee.updated'),
  ])
  assert.deepEqual([sent?.['amount'], sent?.['reversed_amount']], ['1000.00', '0.00'])
  assert.equal(reversed?.['reversed_amount'], '1000.00')
  assert.deepEqual([undone?.['amount'], undone?.['reversed_amount']], ['10.00', '0.00'])
  assert.equal(earned?.['amount'], '2.50')
  assert.equal(refunded?.['refunded_amount'], '2.50')
  assert.equal(kept?.['refunded_amount'], '0.00')
})

test('triggers of accounts and capabilities onboard an account, and the platform hears of it', async () => {
  for (const type of ['account.updated', 'capability.updated'] as const) {
    const { accountId, steps, events } = await triggered(type)
    const id = steps.find(({ call }) => call === 'POST /v1/accounts')?.ids['account_id']
    assert.deepEqual([...new Set(events.map(({ resource_id }) => resource_id))], [id])
    assert.notEqual(id, accountId)
    const last = dataOf(events.at(-1) as Recorded)
    assert.equal(last['status'], 'active', type)
  }
  const receiver = await startReceiver()
  atEnd(() => receiver.close())
  const { key, merchant } = await api.addMerchant()
  const endpoint = { url: receiver.url, account_scope: 'connected', events: ['account.updated'] }
  assert.equal((await merchant.call('POST', '/v1/webhooks/endpoints', endpoint)).status, 201)
  const { code } = await runClient(stack.baseUrl, ['trigger', 'account.updated'], { STEADYPAY_API_KEY: key })
  assert.equal(code, 0)
  await until(() => receiver.received.some(({ event }) => event.data['status'] === 'active'), 'the approval arrives')
})

test('triggers of a pause sell a subscription, pause it and resume it', async () => {
  const expected = { 'customer.subscription.paused': 'paused', 'customer.subscription.resumed': 'active' } as const
  for (const [type, status] of Object.entries(expected)) {
    const { merchant, events } = await triggered(type as EventType)
    assert.equal(events.length, 1, type)
    const { body } = await merchant.call('GET', `/v1/subscriptions/${events[0]?.resource_id}`)
    assert.equal(body['status'], status, type)
  }
})

test('a key of live triggers nothing: no call is made', async () => {
  const fake = await startFakeApi()
  atEnd(() => fake.close())
  const env = { STEADYPAY_API_KEY: 'sk_live_a-key-of-the-tests' }
  const { code, stdout, stderr } = await runClient(fake.baseUrl, ['trigger', 'account.updated'], env)
  assert.deepEqual([code, stdout, fake.calls.length], [1, '', 0])
  assert.match(stderr, /in the sandbox only.+\(SANDBOX_ONLY\)/)
})
