import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { listed } from '../support/listed.ts'
import { createLogins } from '../support/login.ts'
import { settled } from '../support/settled.ts'
import { useReceiverForEachTest, useStack } from '../support/use-stack.ts'

// What happens to an endpoint that only fails, by the process's clock.
const minute = 60_000
const hour = 60 * minute

const receiver = useReceiverForEachTest() // closed before the invariants are checked
let beforeDisabling: () => Promise<unknown> = async () => undefined
const stack = await useStack({
  skipping: true,
  invariants: 'after each test',
  rig: ({ main, webhooks }) => ({
    main,
    webhooks: {
      ...webhooks,
      async disableEndpoint(...run) {
        await beforeDisabling()
        return webhooks.disableEndpoint(...run)
      },
    },
  }),
})
beforeEach(async () => {
  await stack.merchant.setWebhook(receiver.url)
  await stack.sql(`update webhook_endpoints set enabled = true, failing_since = null, warned_at = null,
    disabled_at = null, disabled_reason = null`)
  await stack.sql('delete from kept_mails')
})

type Row = { id: string; enabled: boolean; reason: string | null; failing: number | null; warned: number | null }

async function endpoint(): Promise<Row> {
  const [row] = await stack.sql<Row>(`select id, enabled, disabled_reason as reason,
    (extract(epoch from failing_since) * 1000)::float8 as failing,
    (extract(epoch from warned_at) * 1000)::float8 as warned
    from webhook_endpoints`)
  assert.ok(row)
  return row
}

const mails = async () => (await stack.sql('select id from kept_mails')).length

/** Sends a test event, and returns its delivery's id once the first attempt was made and the processes wait. */
async function send(): Promise<string> {
  await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  await stack.dispatched()
  const [row] = await stack.sql<{ id: string }>('select id from deliveries order by created_at desc, id desc limit 1')
  assert.ok(row)
  await settled(stack.client, 'webhook-delivery', row.id)
  await stack.dispatched()
  return row.id
}

/** Lets a delivery fail, and returns when; the clock stays there. */
async function fail(): Promise<number> {
  receiver.answers(Array(500).fill(500))
  await send()
  const { id, failing } = await endpoint()
  assert.ok(failing !== null)
  await settled(stack.client, 'webhook-endpoint', id)
  return failing
}

/** Moves the clock to a moment, and waits until what was due has been done. */
async function reach(moment: number): Promise<void> {
  await stack.skip(moment - (await stack.clock.now()))
  await settled(stack.client, 'webhook-endpoint', (await endpoint()).id)
}

test('an endpoint that only fails causes one mail after 24 hours and is disabled after 72, not before', async () => {
  const since = await fail()
  await reach(since + 24 * hour - minute)
  assert.equal(await mails(), 0)
  await reach(since + 24 * hour + minute)
  assert.equal(await mails(), 1)
  await reach(since + 72 * hour - minute)
  assert.partialDeepStrictEqual(await endpoint(), { enabled: true, reason: null, failing: since })
  await reach(since + 72 * hour + minute)
  assert.partialDeepStrictEqual(await endpoint(), { enabled: false, reason: 'consecutive_failures' })
  assert.equal(await mails(), 1)
  assert.equal(await stack.finished('webhook-endpoint', (await endpoint()).id), 'disabled')
})

test('the mail goes to the verified owner, names the endpoint and says when it will be disabled', async () => {
  await createLogins(stack).addPerson({ emailVerified: false })
  const since = await fail()
  await reach(since + 24 * hour + minute)
  const { body } = await stack.merchant.call('GET', '/v1/test-helpers/emails')
  const [mail] = body['items'] as unknown as Record<string, string>[]
  assert.equal(mail?.['to'], stack.people?.owner.email)
  assert.ok(mail?.['text']?.includes((await endpoint()).id))
  assert.match(mail?.['text'] ?? '', /72 hours/)
})

test('a mail about a live endpoint is never stored, and one about a sandbox endpoint always is', async () => {
  const since = await fail()
  await stack.sql(`update webhook_endpoints set environment = 'live'`)
  await reach(since + 24 * hour + minute)
  assert.ok((await endpoint()).warned, 'the mail was sent')
  await stack.sql(`update webhook_endpoints set environment = 'sandbox'`)
  assert.equal(await mails(), 0)
  // A worker's dependencies do not say which deployment it belongs to.
  assert.deepEqual(
    Object.keys(stack.deps).filter((name) => /deployment|mails/i.test(name)),
    [],
  )
})

test('one success within the 72 hours resets the run: the next failure starts a new one', async () => {
  const since = await fail()
  await reach(since + 71 * hour)
  receiver.answers([])
  await send()
  const { id, failing, warned } = await endpoint()
  assert.deepEqual({ failing, warned }, { failing: null, warned: null })
  assert.equal(await stack.finished('webhook-endpoint', id), 'healthy')
  const again = await fail()
  assert.ok(again >= since + 71 * hour)
  await reach(again + 72 * hour - minute)
  assert.equal((await endpoint()).enabled, true)
  assert.equal(await mails(), 2)
  await reach(again + 72 * hour + minute)
  assert.equal((await endpoint()).enabled, false)
})

test('further failures neither move the start of the run nor send another mail', async () => {
  const since = await fail()
  for (const hours of [10, 30, 50]) {
    await reach(since + hours * hour)
    await send()
  }
  assert.equal((await endpoint()).failing, since)
  await reach(since + 72 * hour + minute)
  assert.equal((await endpoint()).enabled, false)
  assert.equal(await mails(), 1)
})

test('a late mail delays the disabling until 48 hours after it, and without a mail nothing is disabled', async () => {
  const { mailer } = stack.deps
  const deliver = mailer.deliver
  let tries = 0
  mailer.deliver = async () => {
    tries += 1
    throw new Error('the mail server is unavailable')
  }
  const since = await fail()
  await reach(since + 73 * hour)
  assert.equal((await endpoint()).enabled, true, 'not without the mail')
  assert.ok(tries > 10)
  assert.equal(await mails(), 0)
  mailer.deliver = deliver
  await reach(since + 74 * hour)
  const { warned } = await endpoint()
  assert.ok(warned !== null && warned > since + 73 * hour)
  await reach(warned + 48 * hour - minute)
  assert.equal((await endpoint()).enabled, true)
  await reach(warned + 48 * hour + minute)
  assert.equal((await endpoint()).enabled, false)
  assert.equal(await mails(), 1)
})

test('an endpoint whose success crosses its disabling stays enabled, and its process ends as healthy', async (t) => {
  t.after(() => void (beforeDisabling = async () => undefined))
  const since = await fail()
  beforeDisabling = () => stack.sql('update webhook_endpoints set failing_since = null, warned_at = null')
  await reach(since + 72 * hour + minute)
  const { id, enabled } = await endpoint()
  assert.deepEqual([enabled, await stack.finished('webhook-endpoint', id)], [true, 'healthy'])
})

for (const what of ['switched off', 'deleted'] as const) {
  test(`an endpoint that is ${what} while it fails ends its process as switched off, not as healthy`, async () => {
    await fail()
    const { id } = await endpoint()
    const path = `/v1/webhooks/endpoints/${id}`
    const reply =
      what === 'deleted'
        ? await stack.merchant.call('DELETE', path)
        : await stack.merchant.call('PATCH', path, { enabled: false })
    assert.ok(reply.status < 300, reply.text)
    assert.equal(await stack.finished('webhook-endpoint', id), 'switched_off')
    assert.deepEqual(await listed(stack.client, 'webhook-endpoint', id), ['switched_off', 'nobody'])
  })
}

test('an endpoint that is switched off while it is about to be disabled keeps its merchant’s reason', async (t) => {
  t.after(() => void (beforeDisabling = async () => undefined))
  const since = await fail()
  const { id } = await endpoint()
  beforeDisabling = () => stack.merchant.call('PATCH', `/v1/webhooks/endpoints/${id}`, { enabled: false })
  await reach(since + 72 * hour + minute)
  assert.equal(await stack.finished('webhook-endpoint', id), 'switched_off')
  assert.partialDeepStrictEqual(await endpoint(), { enabled: false, reason: null })
})

test('deliveries to a disabled endpoint are recorded as skipped, and nothing is sent', async () => {
  const since = await fail()
  await reach(since + 73 * hour)
  const before = receiver.received.length
  const session = await stack.merchant.createCheckout()
  await stack.merchant.payByCard(session)
  await stack.dispatched()
  const kept = await stack.sql<{ status: string }>(
    `select d.status from deliveries d join events e on e.id = d.event_id where e.resource_id = ?`,
    [session.checkout_id],
  )
  assert.deepEqual(
    kept.map(({ status }) => status),
    ['skipped'],
  )
  assert.equal(receiver.received.length, before)
})
