import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { actingFor } from '../support/endpoints.ts'
import type { Merchant, Reply } from '../support/merchant.ts'
import { changeAccount, countRows } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The scenarios of docs/scenarios, each as the guide and the command line run it, and what a scenario refuses.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = await api.addMerchant()

type Scenario = { name: string; seed: string; steps: object[]; expects: string[] }
type Ran = {
  clock_id: string
  frozen_time: string
  steps: {
    index: number
    kind: string
    status: string
    error?: { error_code: string; detail: string; doc_url?: string }
  }[]
  events: { id: string; type: string; at: string; resource_id: string }[]
  happened: { at: string; resource_id: string; step: string }[]
}
const path = '/v1/test-helpers/scenarios'
const send = (body: object, by: Pick<Merchant, 'call'> = merchant): Promise<Reply> => by.call('POST', path, body)

async function run(body: object): Promise<Ran> {
  const { status, text, body: ran } = await send(body)
  assert.equal(status, 200, text)
  return ran as unknown as Ran
}

const files = globSync('docs/scenarios/*.json', { cwd: ROOT }).toSorted()
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Scenario

test('eighteen scenarios ship, the guide lists them, and its example is one of them', () => {
  assert.equal(files.length, 18)
  const guide = readFileSync(join(ROOT, 'docs/guides/test-clocks.md'), 'utf8')
  for (const file of files) assert.ok(guide.includes(`| [${basename(file)}](../scenarios/${basename(file)}) |`), file)
  const example: unknown = JSON.parse(/```json\n(.+?)```/s.exec(guide)?.[1] ?? '')
  assert.deepEqual(example, read('docs/scenarios/late-money.json'))
})

for (const file of files) {
  test(`${basename(file)} comes to the events that it expects, and with its seed to the same bytes again`, async () => {
    const { expects, ...body } = read(file)
    const first = await send(body)
    const ran = first.body as unknown as Ran
    assert.deepEqual(
      ran.steps.filter(({ status }) => status !== 'done'),
      [],
    )
    assert.deepEqual(
      ran.events.map(({ type }) => type),
      expects,
    )
    assert.equal((await send(body)).text, first.text)
  })
}

const create = { create: { amount: '25.00', currency: 'USD' } }

test('another seed gives the same story other ids, and no seed gives the real ones', async () => {
  const steps = [create, { pay: {} }]
  const [one, other] = [await run({ seed: 'one', steps }), await run({ seed: 'other', steps })]
  const ids = ({ events }: Ran) => events.flatMap(({ id, resource_id }) => [id, resource_id])
  assert.equal(new Set([...ids(one), ...ids(other)]).size, 8)
  assert.deepEqual(
    other.events.map(({ type, at }) => [type, at]),
    one.events.map(({ type, at }) => [type, at]),
  )
  const real = await run({ steps })
  const { body } = await merchant.call('GET', `/v1/test-helpers/clocks/${real.clock_id}`)
  assert.equal(body['frozen_time'], real.frozen_time)
  assert.equal((await merchant.getPayment(real.events[0]?.resource_id ?? ''))['status'], 'succeeded')
  assert.equal((await merchant.call('GET', `/v1/test-helpers/clocks/${one.clock_id}`)).status, 404)
})

test('a seed and a time give that time, and each step says its own', async () => {
  const frozen_time = '2031-02-27T00:00:00.000Z'
  const ran = await run({ seed: 's', frozen_time, steps: [create, { wait: 'P1M' }, create] })
  assert.equal(ran.frozen_time, '2031-03-27T00:00:00.000Z')
  assert.deepEqual(
    ran.happened.map(({ step, at }) => [step, at]),
    [['expired', '2031-02-27T01:00:00.000Z']],
  )
})

test('a step that fails says which one and why, and ends the scenario', async () => {
  const { steps, events } = await run({ steps: [create, { refund: {} }, { pay: {} }] })
  assert.deepEqual(
    steps.map(({ index, kind, status }) => [index, kind, status]),
    [
      [0, 'create', 'done'],
      [1, 'refund', 'failed'],
      [2, 'pay', 'skipped'],
    ],
  )
  const { doc_url: page, ...error } = steps[1]?.error ?? {}
  assert.deepEqual(error, { error_code: 'CONFLICT', detail: 'there is no payment that could be refunded' })
  assert.match(String(page), /\/docs\/errors#CONFLICT$/)
  assert.deepEqual(events, [])
})

for (const [what, failing, code] of [
  ['a payment before there is a session', [{ pay: {} }], 'CONFLICT'],
  ['a deposit before there is a session', [{ deposit: '60 %' }], 'CONFLICT'],
  ['a rest of nothing', [create, { top_up: {} }], 'CONFLICT'],
  [
    'a refund of more than was paid',
    [create, { pay: {} }, { refund: { amount: '25.01' } }],
    'REFUND_EXCEEDS_REMAINING',
  ],
  ['a dispute before there is a payment', [create, { dispute: {} }], 'CONFLICT'],
  ['a dispute of more than was paid', [create, { pay: {} }, { dispute: { amount: '25.01' } }], 'VALIDATION_ERROR'],
  ['a dispute of what is disputed', [create, { pay: {} }, { dispute: {} }, { dispute: {} }], 'CONFLICT'],
  ['evidence against nothing', [create, { pay: {} }, { evidence: 'They have it.' }], 'CONFLICT'],
  [
    'evidence after the deadline',
    [create, { pay: {} }, { dispute: {} }, { wait: 'P14D' }, { evidence: 'They have it.' }],
    'CONFLICT',
  ],
  ['a second refund in full', [create, { pay: {} }, { refund: {} }, { refund: {} }], 'REFUND_EXCEEDS_REMAINING'],
  ['a payment of a session that has expired', [create, { wait: 'P1D' }, { pay: {} }], 'CONFLICT'],
  ['a new card before there is a subscription', [create, { pay: {} }, { new_card: {} }], 'CONFLICT'],
  ['an end of nothing', [{ cancel: {} }], 'CONFLICT'],
  [
    'a second end',
    [{ subscribe: { amount: '9.00', currency: 'USD' } }, { cancel: { at_period_end: false } }, { cancel: {} }],
    'CONFLICT',
  ],
  ['a wait of no time', [{ wait: 'PT0S' }], 'CONFLICT'],
  ['a wait beyond all years', [{ wait: 'P9000Y' }], 'VALIDATION_ERROR'],
  ['a wait beyond all dates', [{ wait: 'P300000Y' }], 'VALIDATION_ERROR'],
  ['an unknown outcome', [create, { pay: { outcome: 'luck' } }], 'VALIDATION_ERROR'],
  ['an unknown currency', [{ create: { amount: '1.00', currency: 'QQQ' } }], 'CURRENCY_NOT_SUPPORTED'],
  ['a deposit for a sale in US dollars', [create, { deposit: '60 %' }], 'VALIDATION_ERROR'],
] as const) {
  test(`${what} fails with ${code}`, async () => {
    const { steps } = await run({ steps: failing })
    assert.equal(steps.at(-1)?.status, 'failed', JSON.stringify(steps))
    assert.equal(steps.at(-1)?.error?.error_code, code, JSON.stringify(steps))
  })
}

test('wrong steps are named by their index, and nothing is run', async () => {
  const wrong = [create, { chargeback: {} }, { wait: '-P1D' }, { wait: 'tomorrow' }, { deposit: '0 %' }, {}]
  const both = { pay: {}, wait: 'P1D' }
  const answer = await send({ steps: [...wrong, both, 'pay', { create: { currency: 'USD' } }] })
  assertFieldErrors(answer, {
    'steps.1': 'value_error.format',
    'steps.1.chargeback': 'value_error.format',
    'steps.2.wait': 'value_error.format',
    'steps.3.wait': 'value_error.format',
    'steps.4.deposit': 'value_error.format',
    'steps.5': 'value_error',
    'steps.6': 'value_error',
    'steps.7': 'value_error.type',
    'steps.8.create.amount': 'value_error.missing',
  })
  assertFieldErrors(await send({ steps: [] }), { steps: 'value_error.range' })
  const tooMany = Array.from({ length: 51 }, () => ({ wait: 'P1D' }))
  assertFieldErrors(await send({ steps: tooMany }), { steps: 'value_error.range' })
})

test('a live key is refused, and a key without the scope of a step fails at that step', async () => {
  const { merchant: other, accountId } = await api.addMerchant()
  const live = await api.addKey({ accountId, environment: 'live' })
  assertError(await send({ steps: [create] }, live.merchant), 400, 'SIMULATION_NOT_ALLOWED')
  await stack.sql(
    `update api_keys set scopes = '{test_helpers:write}' where account_id = ? and environment = 'sandbox'`,
    [accountId],
  )
  const { body } = await send({ steps: [create] }, other)
  const [step] = (body as unknown as Ran).steps
  assert.deepEqual([step?.status, step?.error?.error_code], ['failed', 'FORBIDDEN'])
})

test('the clock and the events of a scenario are of its own organization only', async () => {
  const ran = await run({ steps: [create, { pay: {} }] })
  const { merchant: other } = await api.addMerchant()
  assertError(await other.call('GET', `/v1/test-helpers/clocks/${ran.clock_id}`), 404, 'NOT_FOUND')
  assertError(await other.call('GET', `/v1/webhooks/events/${ran.events[0]?.id}`), 404, 'NOT_FOUND')
  const theirs = await send({ seed: 's', steps: [create] }, other)
  assert.equal(theirs.status, 200)
})

test('late money that the account refunds by its settings is refunded within the step that brings it', async () => {
  const { merchant: other, accountId } = await api.addMerchant()
  await changeAccount(stack, accountId, { latePaymentPolicy: 'refund' })
  const { expects: _, ...body } = read('docs/scenarios/late-money.json')
  const { events, steps } = (await send(body, other)).body as unknown as Ran
  assert.equal(steps.at(-1)?.status, 'done')
  assert.deepEqual(
    events.map(({ type, at }) => [type, at.slice(0, 10)]).slice(2),
    ['collection.succeeded', 'refund.created', 'refund.paid'].map((type) => [type, '2030-01-02']),
  )
})

test('six scenarios of a platform and its seller at once do not see each other, and run three at a time', async () => {
  const { merchant: other, accountId } = await api.addMerchant()
  const sellerId = await api.addConnected(accountId)
  const seller = actingFor(other, sellerId)
  const { expects, ...body } = read('docs/scenarios/late-money.json')
  let [running, most] = [6, 0]
  const ran = Array.from({ length: 6 }, async (_, n) => {
    const { status, text } = await send(body, n % 2 === 0 ? other : seller)
    running -= 1
    assert.equal(status, 200, text)
    return JSON.parse(text) as Ran
  })
  while (running > 0) {
    const at = await countRows(stack, 'test_clocks where account_id in (?, ?) and target is not null', [
      accountId,
      sellerId,
    ])
    most = Math.max(most, at)
  }
  const [first, ...others] = await Promise.all(ran)
  for (const each of others) assert.deepEqual(each, first)
  assert.deepEqual(new Set(first?.steps.map(({ status }) => status)), new Set(['done']))
  assert.equal(first?.events.length, expects.length)
  assert.ok(most <= 3, `${most} at a time`)
})

/** Three clocks of an account, on their way as far as the advances of other clocks are concerned. */
async function sendThree(by: Merchant, accountId: string, interval: '0 days' | '1 day'): Promise<void> {
  for (const name of ['One', 'Two', 'Three']) await by.call('POST', '/v1/test-helpers/clocks', { name })
  await stack.sql(
    `update test_clocks set advanced_from = frozen_time, target = frozen_time + ?::interval where account_id = ?`,
    [interval, accountId],
  )
}

test('CONFLICT: a fourth clock that advances; clocks that only let things settle are not counted', async () => {
  const { merchant: other, accountId } = await api.addMerchant()
  const { body } = await other.call('POST', '/v1/test-helpers/clocks', { name: 'A fourth' })
  const advance = () => other.call('POST', `/v1/test-helpers/clocks/${String(body['clock_id'])}/advance`, { by: 'P1D' })
  await sendThree(other, accountId, '0 days')
  await stack.sql('update test_clocks set target = null where id = ?', [body['clock_id']])
  const advanced = await advance()
  assert.equal(advanced.status, 200, advanced.text)
  await stack.sql('update test_clocks set target = target + ?::interval where account_id = ?', ['1 day', accountId])
  assertError(await advance(), 409, 'CONFLICT')
  await stack.sql('update test_clocks set target = null where account_id = ?', [accountId])
})

test('a wait of a scenario begins once fewer than three other clocks advance', async () => {
  const { merchant: other, accountId } = await api.addMerchant()
  await sendThree(other, accountId, '1 day')
  const waiting = send({ name: 'Waits', steps: [{ wait: 'P1D' }] }, other)
  const tries = new Set<string>()
  // Each try locks the clock, which leaves a mark on its row. The second one is made as the first was refused.
  await until(async () => {
    const rows = await stack.sql<{ mark: string }>(
      `select xmax::text as mark from test_clocks where account_id = ? and name = 'Waits' and xmax::text <> '0'`,
      [accountId],
    )
    for (const { mark } of rows) tries.add(mark)
    return tries.size > 1
  }, 'the scenario has tried again')
  await stack.sql('update test_clocks set target = null where account_id = ?', [accountId])
  const { body, text } = await waiting
  assert.deepEqual(
    (body as unknown as Ran).steps.map(({ status }) => status),
    ['done'],
    text,
  )
})
