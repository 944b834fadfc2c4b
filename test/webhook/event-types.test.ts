import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { recipes } from '../../client/recipe.ts'
import { type EventType, eventTypes } from '../../domain/webhook/event.ts'
import { eventPayloads } from '../../schemas/event.ts'
import { exampleEvent } from '../../schemas/event-example.ts'
import { sampleEvent } from '../../schemas/event-sample.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { type Received } from '../support/receiver.ts'
import { pathOf } from '../support/resources.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

const secret = 'a-test-secret'
const path = '/v1/test-helpers/events/trigger'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url, secret)

type Json = Record<string, unknown>
const trigger = (body: unknown, headers?: Record<string, string>) => stack.merchant.call('POST', path, body, headers)

/** Asserts that a payload matches its schema, and shows the errors. */
function assertMatches(schema: TSchema, value: unknown, what: string): void {
  const validator = Compile(schema)
  assert.ok(validator.Check(value), `${what} ${JSON.stringify(validator.Errors(value))}`)
}

const takes = (type: EventType, value: unknown) => Compile(eventPayloads[type] as TSchema).Check(value)

test('the sample of every type matches its schema, and without any one field it does not', () => {
  for (const type of eventTypes) {
    const { data } = sampleEvent(type, Date.now())
    assertMatches(eventPayloads[type], data, type)
    for (const name of Object.keys(data)) {
      const { [name]: _left, ...rest } = data
      assert.ok(!takes(type, rest), `${type} accepts a payload without ${name}`)
      assert.ok(!takes(type, { ...data, [name]: [42] }), `${type} accepts anything for ${name}`)
    }
  }
})

test('a schema refuses another status, the id of another resource and another type’s payload', () => {
  for (const type of eventTypes) {
    const { resourceId, data } = sampleEvent(type, Date.now())
    if ('status' in data) assert.ok(!takes(type, { ...data, status: 'nonsense' }), type)
    const named = Object.keys(data).find((name) => data[name] === resourceId) ?? ''
    assert.ok(!takes(type, { ...data, [named]: resourceId.replace(/^[a-z]+/, 'usr') }), type)
    assert.ok(!takes(type, { ...data, [named]: `${named}_1` }), type)
  }
  const money = ['amount', 'payout_amount', 'from_amount', 'total', 'fee', 'settlement_amount']
  for (const type of eventTypes) {
    const { data } = sampleEvent(type, Date.now())
    for (const name of money.filter((each) => each in data)) {
      for (const wrong of [25, '-25.00', '25,00', '1e3', '']) assert.ok(!takes(type, { ...data, [name]: wrong }), type)
    }
  }
  // Types of one resource differ by the status that the interface gives them.
  for (const [type, other] of [
    ['collection.succeeded', 'collection.failed'],
    ['collection.failed', 'collection.underpaid'],
    ['payout.created', 'payout.paid'],
    ['payout.paid', 'payout.returned'],
    ['payout.returned', 'payout.failed'],
    ['refund.created', 'refund.failed'],
    ['refund.paid', 'refund.created'],
    ['conversion.completed', 'conversion.failed'],
    ['checkout.completed', 'checkout.expired'],
    ['customer.subscription.canceled', 'customer.subscription.paused'],
    ['customer.subscription.past_due', 'customer.subscription.created'],
    ['customer.subscription.trial_will_end', 'customer.subscription.renewed'],
    ['dispute.won', 'dispute.lost'],
    ['dispute.lost', 'dispute.updated'],
    ['dispute.created', 'dispute.won'],
    ['invoice.paid', 'invoice.payment_failed'],
  ] as const) {
    assert.ok(!takes(type, sampleEvent(other, Date.now()).data), `${type} accepts ${other}`)
  }
})

type Document = { webhooks: Record<string, { post: Json }>; components: { schemas: Json } }

/** The envelope of every type as `/openapi.json` describes it, with each reference replaced by its target. */
async function readWebhooks(): Promise<Record<string, TSchema>> {
  const { webhooks, components } = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as Document
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: string }
    if ($ref) return resolve(components.schemas[$ref.replace('#/components/schemas/', '')])
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]))
  }
  return Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => {
      const { requestBody } = post as { requestBody: { content: Record<string, { schema: unknown }> } }
      return [type, resolve(requestBody.content['application/json']?.schema) as TSchema]
    }),
  )
}

function assertSigned({ headers, body }: Received): void {
  const signature = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.${body}`).digest('hex')
  assert.equal(headers['x-service-signature'], signature)
}

test('a triggered event of each type arrives signed, as in the answer and as OpenAPI describes it', async () => {
  const answers = new Map<string, Json>()
  for (const type of eventTypes) {
    const { status, body, text } = await trigger({ type })
    assert.equal(status, 201, text)
    answers.set(String(body['id']), body)
  }
  assert.equal(answers.size, eventTypes.length)
  assert.equal(new Set([...answers.values()].map((answer) => answer['resource_id'])).size, eventTypes.length)
  await until(() => receiver.received.length === eventTypes.length, 'every triggered event has arrived')
  const webhooks = await readWebhooks()
  for (const received of receiver.received) {
    const { event, headers } = received
    const { resource_id, sequence, ...envelope } = answers.get(event.id) ?? {}
    assert.deepEqual(event, envelope)
    assertSigned(received)
    assert.equal(headers['x-service-event-id'], event.id)
    assert.equal(headers['x-service-sequence'], String(sequence))
    assert.ok(Object.values(event.data).includes(resource_id), event.type)
    assertMatches(eventPayloads[event.type], event.data, event.type)
    assertMatches(webhooks[event.type] ?? {}, event, `${event.type} in OpenAPI`)
  }
  assert.deepEqual(receiver.types().toSorted(), eventTypes.toSorted())
  const sequences = [...answers.values()].map((answer) => Number(answer['sequence']))
  assert.deepEqual(
    sequences,
    sequences.toSorted((one, other) => one - other),
  )
})

const real = ['refund.created', 'refund.paid', 'refund.failed', 'customer.updated'] as const satisfies EventType[]

for (const type of real) {
  test(`trigger by real calls: after ${type} its event and its resource can be read`, async () => {
    const { merchant } = await api.addMerchant()
    await recipes[type](async (_what, { method = 'POST', path: called, body }) => {
      const reply = await merchant.call(method, called, body)
      assert.ok(reply.status < 300, reply.text)
      return reply.body
    })
    const recorded = async () => pageOf(await merchant.call('GET', `/v1/webhooks/events?type=${type}`)).items
    await until(async () => (await recorded()).length === 1, `${type} is recorded`)
    const [event] = await recorded()
    const { status, text } = await merchant.call('GET', pathOf(String(event?.['resource_id'])))
    assert.equal(status, 200, text)
  })
}

test('the example of every event matches its schema and has the fields of an event that arrives', async () => {
  const webhooks = await readWebhooks()
  const { webhooks: shown } = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as Document
  for (const type of eventTypes) {
    const { post } = shown[type] ?? {}
    const { requestBody } = post as {
      requestBody: { content: Record<string, { example: { type: string; data: Json } }> }
    }
    const example = requestBody.content['application/json']?.example
    assertMatches(webhooks[type] ?? {}, example, type)
    assert.deepEqual(example, exampleEvent(type), 'it is the same with every start')
    const { event } = receiver.received.find((received) => received.event.type === type) ?? {}
    assert.deepEqual(Object.keys(example?.data ?? {}), Object.keys(event?.data ?? {}), type)
  }
})

test('OpenAPI refuses an event of the wrong type, and one whose payload lacks a field', async () => {
  const webhooks = await readWebhooks()
  for (const type of eventTypes) {
    const { data } = sampleEvent(type, Date.now())
    const event = { id: 'evt_1', type, created_at: '2026-01-01T00:00:00Z', data }
    const [first = ''] = Object.keys(data)
    const { [first]: _left, ...rest } = data
    const shown = Compile(webhooks[type] ?? {})
    assert.ok(shown.Check(event), type)
    assert.ok(!shown.Check({ ...event, type: 'another.type' }), type)
    assert.ok(!shown.Check({ ...event, data: rest }), type)
  }
})

test('the same trigger twice makes two events about two resources; with one key it makes one', async () => {
  const [first, second] = [await trigger({ type: 'payout.paid' }), await trigger({ type: 'payout.paid' })]
  assert.notEqual(first.body['id'], second.body['id'])
  assert.notEqual(first.body['resource_id'], second.body['resource_id'])
  const key = { 'idempotency-key': 'trigger-once' }
  const [once, again] = [await trigger({ type: 'payout.paid' }, key), await trigger({ type: 'payout.paid' }, key)]
  assert.equal(again.text, once.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const recorded = await stack.sql('select id from events where resource_id = ?', [once.body['resource_id']])
  assert.deepEqual(recorded, [{ id: once.body['id'] }])
})

test('an unknown or missing type is refused and sends nothing', async () => {
  const count = async () => (await stack.sql<{ count: string }>('select count(*) from events'))[0]?.count
  const recorded = await count()
  for (const type of ['collection.abandoned', 'customer.subscription', 'Refund.Paid', '*', '', 42, null]) {
    const [error] = assertError(await trigger({ type }), 400, 'VALIDATION_ERROR')
    assert.equal(error?.field, 'type')
  }
  assertFieldErrors(await trigger({}), { type: 'value_error.missing' })
  assert.equal(await count(), recorded)
})

test('SIMULATION_NOT_ALLOWED: a live key cannot trigger an event', async () => {
  const { merchant, accountId } = await api.addMerchant('live')
  const reply = await merchant.call('POST', path, { type: 'refund.paid' })
  assertError(reply, 400, 'SIMULATION_NOT_ALLOWED')
  assert.deepEqual(await stack.sql('select id from events where account_id = ?', [accountId]), [])
})
