import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { assertAskedOnTime } from '../support/polls.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { endConversion, forget, sendRailNews } from '../support/rail-books.ts'
import { scriptConversions } from '../support/scripted-conversions.ts'
import { refusalsOfOurs } from '../support/scripted-words.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useReceiver, useStack } from '../support/use-stack.ts'
import { textIn } from '../support/texts.ts'

const minute = 60_000

const stack = await useStack({ skipping: true })
const api = await useApi(stack, { limited: true })
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url)
const exchange = scriptConversions(stack)
const own = exchanging(stack.merchant)
await endow(stack, stack.organizationId, '5000.00')
afterEach(async () => {
  exchange.answers([])
  await assertInvariants(stack)
})

/** The events of a conversion, as they were recorded. */
const eventsOf = async (id: string): Promise<Record<string, unknown>[]> =>
  (await stack.sql<{ body: string }>('select body from events where resource_id = ? order by sequence', [id])).map(
    ({ body }) => JSON.parse(body),
  )

/** What a conversion has moved on each ledger account, by kind of movement. */
async function movedBy(id: string): Promise<Record<string, string>> {
  const rows = await stack.sql<{ line: string; amount: string }>(
    `select t.kind || ' ' || e.book || ' ' || e.currency as line, sum(e.amount)::numeric(20, 2) as amount
     from ledger_transactions t join ledger_entries e on e.transaction_id = t.id where t.source_id = ? group by 1`,
    [id],
  )
  return Object.fromEntries(rows.map(({ line, amount }) => [line, amount]))
}
const held = { 'conversion_hold merchant USD': '-100.00', 'conversion_hold reserved USD': '100.00' }
const done = {
  ...held,
  'conversion_done reserved USD': '-100.00',
  'conversion_done rail USD': '99.00',
  'conversion_done fees USD': '1.00',
  'conversion_done rail NGN': '-158400.00',
  'conversion_done merchant NGN': '158400.00',
}
const released = {
  ...held,
  'conversion_released merchant USD': '100.00',
  'conversion_released reserved USD': '-100.00',
}

const finished = async (id: string) => {
  await stack.dispatched()
  return stack.finished('conversion', id)
}

/** The exchange has got the same order each time, `times` at least, and what it has exchanged is posted once. */
async function assertExchangedOnce(id: string, times: number): Promise<void> {
  const { orders } = exchange
  assert.ok(orders.length >= times, `ordered ${orders.length} times`)
  const [first = assert.fail()] = orders
  assert.equal(first.conversionId, id)
  for (const order of orders) assert.deepEqual(order, first)
  assert.deepEqual(await movedBy(id), done)
}

test('a conversion reserves what is sold, credits what is bought and records its event', async () => {
  const created = await own.convert()
  assert.equal(created.status, 'pending')
  const id = created.conversion_id
  assert.equal(await finished(id), 'completed')
  const conversion = await own.read(id)
  assert.equal(conversion['status'], 'completed')
  assert.equal(conversion['failure_reason'], null)
  assert.deepEqual(await movedBy(id), done)
  const [event, ...more] = await eventsOf(id)
  assert.deepEqual(more, [])
  assert.equal(event?.['type'], 'conversion.completed')
  assert.deepEqual(event?.['data'], {
    conversion_id: id,
    reference: 'treasury-7',
    status: 'completed',
    rate: '1600',
    fee: '1.00',
    from_amount: '100.00',
    from_currency: 'USD',
    to_amount: '158400.00',
    to_currency: 'NGN',
    completed_at: conversion['completed_at'],
  })
  assert.ok((await stack.historyLength('conversion', id)) <= 20)
})

test('a conversion that fails releases everything, the fee too, and says why', async () => {
  const { conversion_id: id } = await own.convert({ simulated_outcome: 'failed', reference: null })
  assert.equal(await finished(id), 'failed')
  const conversion = await own.read(id)
  const failure_reason = 'The rail could not execute the conversion.'
  assert.deepEqual([conversion['failure_reason'], conversion['completed_at']], [failure_reason, null])
  assert.deepEqual(await movedBy(id), released)
  const [event, ...more] = await eventsOf(id)
  assert.deepEqual(more, [])
  assert.equal(event?.['type'], 'conversion.failed')
  assert.deepEqual(event?.['data'], {
    conversion_id: id,
    reference: null,
    status: 'failed',
    failure_reason,
    failed_at: conversion['updated_at'],
    from_amount: '100.00',
    from_currency: 'USD',
    to_currency: 'NGN',
  })
})

test('a rail that never calls back is asked after 5 minutes, 1 hour and daily, and money moves once', async () => {
  exchange.answers(['unknown', 'unknown', 'unknown', 'unknown', 'completed'])
  const { conversion_id: id } = await own.convert()
  await stack.dispatched()
  await settled(stack.client, 'conversion', id)
  assert.equal((await own.read(id))['status'], 'processing')
  assert.deepEqual(await movedBy(id), held)
  assert.equal(await stack.finished('conversion', id), 'completed')
  assertAskedOnTime(exchange.asked)
  await assertExchangedOnce(id, 1)
})

test('a conversion that the rail fails late releases its reservation then, and not before', async () => {
  exchange.answers(['unknown', 'unknown', 'failed'])
  const { conversion_id: id } = await own.convert()
  await stack.dispatched()
  await stack.skip(30 * minute)
  assert.deepEqual(await movedBy(id), held)
  assert.equal(await stack.finished('conversion', id), 'failed')
  assert.deepEqual(await movedBy(id), released)
})

test('after a signal the rail is asked at once; a repeated one changes nothing and delays no look-up', async () => {
  exchange.answers(['unknown', 'unknown', 'unknown', 'completed'])
  const { conversion_id: id } = await own.convert()
  await stack.dispatched()
  await settled(stack.client, 'conversion', id)
  const handle = stack.client.workflow.getHandle(`conversion/${id}`)
  await handle.signal('railAnswered') // too early: the rail has no answer yet
  await settled(stack.client, 'conversion', id)
  assert.equal(exchange.asked.length, 2)
  await stack.skip(5 * minute + 5_000)
  await settled(stack.client, 'conversion', id)
  assert.equal(exchange.asked.length, 3)
  await Promise.all([handle.signal('railAnswered'), handle.signal('railAnswered').catch(() => undefined)])
  assert.equal(await handle.result(), 'completed')
  assert.ok((exchange.asked[3] ?? 0) - (exchange.asked[2] ?? 0) < minute)
  assert.deepEqual(await movedBy(id), done)
  assert.equal((await eventsOf(id)).length, 1)
})

test('an unavailable rail is tried until it answers, and exchanges once', async () => {
  exchange.answers(['no answer', 'no answer', 'no answer', 'completed'])
  const { conversion_id: id } = await own.convert()
  assert.equal(await finished(id), 'completed')
  await assertExchangedOnce(id, 4)
})

test('a rail that does not know the order is sent it again', async () => {
  exchange.answers(['unknown'])
  const { conversion_id: id } = await own.convert()
  await stack.dispatched()
  await settled(stack.client, 'conversion', id)
  await forget.conversion(stack, id)
  await stack.skip(5 * minute + 5_000)
  await until(async () => (await own.read(id))['status'] === 'completed', 'the order is sent again')
  await assertExchangedOnce(id, 2)
})

test('a rail that refuses the order fails the conversion', async () => {
  exchange.answers(['refuses'])
  const { conversion_id: id } = await own.convert()
  assert.equal(await finished(id), 'failed')
  assert.deepEqual(await movedBy(id), released)
})

test('an order whose adapter throws a refusal of ours is sent again, and releases no money', async () => {
  for (const code of refusalsOfOurs) {
    exchange.answers([code, code, 'completed'])
    const { conversion_id: id } = await own.convert()
    assert.equal(await finished(id), 'completed', code)
    await assertExchangedOnce(id, 3)
  }
})

test('rail news after the end starts the process again, and changes nothing', async () => {
  const { conversion_id: id } = await own.convert()
  assert.equal(await finished(id), 'completed')
  const seen = await own.read(id)
  await sendRailNews(stack, 'conversion', id)
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await own.read(id), seen)
  assert.equal((await eventsOf(id)).length, 1)
})

test('what was bought can be used at once, and converted back', async () => {
  const { merchant, accountId } = await api.addMerchant()
  await endow(stack, accountId, '100.00')
  const there = await exchanging(merchant).convert()
  assert.equal(await finished(there.conversion_id), 'completed')
  const back = await exchanging(merchant).convert(
    {},
    { from_currency: 'NGN', to_currency: 'USD', from_amount: '158400.00' },
  )
  assert.deepEqual([back.from_amount, back.to_amount], ['158400.00', '98.01'])
  assert.equal(await finished(back.conversion_id), 'completed')
})

test('an operator reads what a conversion is about, and nothing personal', async () => {
  const { conversion_id: id } = await own.convert({ reference: 'sandbox_no_answer', metadata: { desk: 'lagos' } })
  await stack.dispatched()
  await settled(stack.client, 'conversion', id)
  const handle = stack.client.workflow.getHandle(`conversion/${id}`)
  const [{ raw, searchAttributes }, history] = await Promise.all([handle.describe(), handle.fetchHistory()])
  const text = textIn([raw, history])
  for (const shown of ['100.00 USD for 158400.00 NGN', 'Send the conversion to the rail', id]) {
    assert.ok(text.includes(shown), shown)
  }
  for (const secret of ['sandbox_no_answer', 'lagos']) assert.ok(!text.includes(secret), secret)
  assert.deepEqual([searchAttributes['State'], searchAttributes['WaitingOn']], [['processing'], ['rail']])
  await endConversion(stack, id, 'failed')
  assert.equal(await stack.finished('conversion', id), 'failed')
})
