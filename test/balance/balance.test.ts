import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger } from '../support/invariants.ts'
import { assertFieldErrors, pageOf } from '../support/api.ts'
import { createLedgerForTest } from '../support/ledger.ts'
import type { Merchant } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

const start = Date.UTC(2026, 10, 20, 12)
const day = 86_400_000
let time = start

const stack = await useStack({ workers: false, clock: { now: async () => time } })
const api = await useApi(stack)
atEnd(async () => assert.deepEqual(await checkLedger(stack.database), []))

async function addOwner() {
  const { accountId, merchant } = await api.addMerchant()
  return { owner: { accountId, environment: 'sandbox' as const }, merchant }
}
const iso = (at: number) => new Date(at).toISOString()
const read = (merchant: Merchant, path: string, query: Record<string, string | number> = {}) =>
  merchant.call(
    'GET',
    `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`,
  )
const balances = async (merchant: Merchant, at?: number) =>
  pageOf(await read(merchant, '/v1/balances', at === undefined ? {} : { at: iso(at) })).items
const list = async (merchant: Merchant, query: Record<string, string | number> = {}) =>
  pageOf(await read(merchant, '/v1/balances/transactions', query))
const usd = (available: string, pending: string, reserved: string) => [
  { currency: 'USD', available, pending, reserved, owed: '0.00' },
]

test('a currency without entries is absent, and every other is one item with all its decimals', async () => {
  const { owner, merchant } = await addOwner()
  time = start
  const pagination = { next_cursor: null, prev_cursor: null, has_more: false, limit: 50, offset: 0 }
  const empty = { items: [], pagination: { ...pagination, returned: 0, total: 0 } }
  assert.deepEqual(pageOf(await read(merchant, '/v1/balances')), empty)
  await createLedgerForTest(stack).earn(owner, '12.5', start)
  await createLedgerForTest(stack, 'UGX').earn(owner, '700', start, start + day)
  assert.deepEqual(pageOf(await read(merchant, '/v1/balances')), {
    items: [
      { currency: 'UGX', available: '0', pending: '700', reserved: '0', owed: '0' },
      { currency: 'USD', available: '12.50', pending: '0.00', reserved: '0.00', owed: '0.00' },
    ],
    pagination: { ...pagination, returned: 2, total: 2 },
  })
})

test('balances are a list as any other: 50 a page, a limit of 1 to 100, cursors that lead on and back', async () => {
  const { owner, merchant } = await addOwner()
  const currencies = ['GHS', 'KES', 'NGN', 'UGX', 'USD'] as const
  for (const currency of currencies) await createLedgerForTest(stack, currency).earn(owner, '100', start)
  const page = async (query: Record<string, string | number> = {}) => {
    const { items, pagination } = pageOf(await read(merchant, '/v1/balances', query))
    return { ...pagination, shown: items.map(({ currency }) => currency) }
  }
  const whole = { next_cursor: null, prev_cursor: null, has_more: false, limit: 50, offset: 0, total: 5, returned: 5 }
  assert.deepEqual(await page(), { ...whole, shown: currencies })

  const first = await page({ limit: 2 })
  assert.deepEqual({ ...first, next_cursor: null }, { ...whole, ...two, shown: ['GHS', 'KES'] })
  const second = await page({ limit: 2, cursor: String(first.next_cursor) })
  const inside = { next_cursor: null, prev_cursor: null }
  assert.deepEqual({ ...second, ...inside }, { ...whole, ...two, shown: ['NGN', 'UGX'] })
  const last = await page({ limit: 2, cursor: String(second.next_cursor) })
  assert.deepEqual({ ...last, prev_cursor: null }, { ...whole, limit: 2, returned: 1, shown: ['USD'] })
  const back = await page({ limit: 3, cursor: String(last.prev_cursor) })
  assert.deepEqual({ ...back, ...inside }, { ...whole, ...two, limit: 3, returned: 3, shown: ['KES', 'NGN', 'UGX'] })
  assert.deepEqual(await page({ limit: 2, cursor: String(second.prev_cursor) }), first)
  assert.deepEqual((await page({ limit: 1, offset: 4 })).shown, ['USD'])
  assert.deepEqual(await page({ offset: 5 }), { ...whole, offset: 5, returned: 0, shown: [] })
})
const two = { limit: 2, returned: 2, has_more: true }

test('a limit, an offset or a cursor that a list does not take is refused for balances too', async () => {
  const { owner, merchant } = await addOwner()
  for (const currency of ['NGN', 'USD'] as const) await createLedgerForTest(stack, currency).earn(owner, '1', start)
  const refused = async (query: Record<string, string | number>, expected: Record<string, string>) =>
    assertFieldErrors(await read(merchant, '/v1/balances', query), expected)
  for (const limit of [0, 101, -1]) await refused({ limit }, { limit: 'value_error.range' })
  await refused({ offset: -1 }, { offset: 'value_error.range' })
  await refused({ cursor: 'made-up' }, { cursor: 'value_error.format' })
  const { pagination } = pageOf(await read(merchant, '/v1/balances', { limit: 1 }))
  await refused({ cursor: String(pagination.next_cursor), offset: 1 }, { offset: 'value_error' })
  const ofOtherList = await read(merchant, '/v1/balances/transactions', { cursor: String(pagination.next_cursor) })
  assertFieldErrors(ofOtherList, { cursor: 'value_error.format' })
})

test('money becomes available at its moment and not a millisecond before', async () => {
  const { owner, merchant } = await addOwner()
  await createLedgerForTest(stack).earn(owner, '25', start, start + 2 * day + 1)
  for (const [at, available, pending] of [
    [start, '0.00', '25.00'],
    [start + 2 * day, '0.00', '25.00'],
    [start + 2 * day + 1, '25.00', '0.00'],
    [start + 30 * day, '25.00', '0.00'],
  ] as const) {
    time = at
    assert.deepEqual(await balances(merchant), usd(available, pending, '0.00'), iso(at))
    assert.deepEqual(await balances(merchant, at), usd(available, pending, '0.00'), iso(at))
  }
  assert.deepEqual(await balances(merchant, start - 1), [])
})

test('an open refund reserves money, also pending money, until it is paid or given back as it was', async () => {
  const { owner, merchant } = await addOwner()
  const ledger = createLedgerForTest(stack)
  await ledger.earn(owner, '10', start)
  await ledger.earn(owner, '30', start + 1, start + 2 * day)
  const [paid, failed] = [await ledger.hold(owner, '4', start + 2), await ledger.hold(owner, '15', start + 3)]
  time = start + 3
  assert.deepEqual(await balances(merchant), usd('0.00', '21.00', '19.00'))
  await ledger.pay(owner, paid, '4', start + 4)
  await ledger.release(owner, failed, start + 5)
  time = start + 5
  assert.deepEqual(await balances(merchant), usd('6.00', '30.00', '0.00'))
  const listed = (await list(merchant)).items.map(({ type, amount, balance_after }) => [type, amount, balance_after])
  assert.deepEqual(listed, [
    ['refund_reversal', '15.00', '36.00'],
    ['refund', '-15.00', '21.00'],
    ['refund', '-4.00', '36.00'],
    ['payment', '30.00', '40.00'],
    ['payment', '10.00', '10.00'],
  ])
})

test('the balances of a past moment stay what they were then, whatever has been posted since', async () => {
  const { owner, merchant } = await addOwner()
  const ledger = createLedgerForTest(stack)
  const seen: [number, Record<string, unknown>[]][] = []
  const open: string[] = []
  for (let step = 0; step < 40; step++) {
    time = start + step * 2_700_000 + (step % 7) * 1_000
    if (step % 4 === 3) open.push(await ledger.hold(owner, '3', time))
    else await ledger.earn(owner, `${step + 1}.25`, time, time + (step % 3) * 3_600_000)
    if (step % 8 === 7) await ledger.release(owner, open.shift() ?? '', time)
    time += 1
    seen.push([time, await balances(merchant)])
  }
  time = start + 10 * day
  for (const [at, then] of seen) assert.deepEqual(await balances(merchant, at), then, iso(at))
})

test('a future or malformed moment is refused', async () => {
  time = start
  const { merchant } = await addOwner()
  assertFieldErrors(await read(merchant, '/v1/balances', { at: iso(start + 1) }), { at: 'value_error.range' })
  for (const at of ['', 'yesterday', '2026-11-20', '2026-11-20T12:00:00', '2026-13-20T12:00:00Z', '1763640000']) {
    assertFieldErrors(await read(merchant, '/v1/balances', { at }), { at: 'value_error.format' })
  }
  assert.deepEqual(await balances(merchant, start), [])
})

test('a key sees no balances of another account or of the other environment', async () => {
  const { owner, merchant } = await addOwner()
  await createLedgerForTest(stack).earn(owner, '25', start)
  const live = await api.addKey({ accountId: owner.accountId, environment: 'live' })
  for (const stranger of [(await api.addMerchant()).merchant, live.merchant]) {
    assert.deepEqual(await balances(stranger), [])
    assert.equal((await list(stranger)).pagination.total, 0)
  }
  await createLedgerForTest(stack).earn({ ...owner, environment: 'live' }, '7', start + 5)
  time = start + 10
  assert.deepEqual(await balances(merchant), usd('25.00', '0.00', '0.00'))
  assert.deepEqual(await balances(live.merchant), usd('7.00', '0.00', '0.00'))
  assert.deepEqual(
    (await list(live.merchant)).items.map(({ balance_after }) => balance_after),
    ['7.00'],
  )
})

test('a transaction shows its type, its source and when its money is available', async () => {
  const { owner, merchant } = await addOwner()
  const source_id = await createLedgerForTest(stack).earn(owner, '25', start, start + 2 * day)
  const [item, ...more] = (await list(merchant)).items
  assert.deepEqual(more, [])
  const { transaction_id, ...rest } = item ?? {}
  assert.match(String(transaction_id), /^txn_/)
  const moments = { available_at: iso(start + 2 * day), created_at: iso(start) }
  const amounts = { amount: '25.00', currency: 'USD', balance_after: '25.00' }
  assert.deepEqual(rest, { type: 'payment', ...amounts, source_id, ...moments })
})

test('transactions are found by type, currency, source and time, and counted', async () => {
  const { owner, merchant } = await addOwner()
  const [dollars, nairas] = [createLedgerForTest(stack), createLedgerForTest(stack, 'NGN')]
  const first = await dollars.earn(owner, '25', start)
  const refund = await dollars.hold(owner, '5', start + 1_000)
  const last = await nairas.earn(owner, '900', start + 2_000)
  await dollars.release(owner, refund, start + 3_000)
  const find = async (query: Record<string, string | number>) => {
    const { items, pagination } = await list(merchant, query)
    assert.equal(pagination.total, items.length, JSON.stringify(query))
    return items.map((row) => [row['source_id'], row['balance_after']])
  }
  assert.deepEqual(await find({ type: 'payment' }), [
    [last, '900.00'],
    [first, '25.00'],
  ])
  assert.deepEqual(await find({ type: 'payment', currency: 'USD' }), [[first, '25.00']])
  assert.deepEqual(await find({ currency: 'NGN' }), [[last, '900.00']])
  assert.deepEqual(await find({ currency: 'KES' }), [])
  assert.deepEqual(await find({ source_id: refund }), [
    [refund, '25.00'],
    [refund, '20.00'],
  ])
  assert.deepEqual(await find({ source_id: refund, type: 'refund' }), [[refund, '20.00']])
  assert.deepEqual(await find({ created_after: iso(start), created_before: iso(start + 2_000) }), [[refund, '20.00']])
  assertFieldErrors(await read(merchant, '/v1/balances/transactions', { type: 'sale', currency: 'ABC', limit: 0 }), {
    type: 'value_error.enum',
    currency: 'value_error.enum',
    limit: 'value_error.range',
  })
})

/** Reads the whole list by its cursors, forward and then back again. */
async function walk(merchant: Merchant, query: Record<string, string | number>) {
  const pages = [await list(merchant, query)]
  const step = async (cursor: string | null | undefined) => {
    if (cursor) pages.push(await list(merchant, { ...query, cursor }))
    return Boolean(cursor)
  }
  while (await step(pages.at(-1)?.pagination.next_cursor));
  const forward = pages.flatMap(({ items }) => items)
  const last = pages.splice(0).at(-1)
  if (last) pages.push(last)
  while (await step(pages.at(-1)?.pagination.prev_cursor));
  return { forward, back: pages.toReversed().flatMap(({ items }) => items) }
}

test('each balance is the one before it plus the amount, on pages in both directions, in every currency', async () => {
  const { owner, merchant } = await addOwner()
  const both = [createLedgerForTest(stack), createLedgerForTest(stack, 'NGN')]
  // Several in the same millisecond, over hours.
  const moments = Array.from({ length: 60 }, (_, index) => start + Math.floor(index / 5) * 1_300_000)
  await Promise.all(moments.map((at, index) => both[index % 2]?.earn(owner, `${index + 1}.10`, at, at + index)))
  await both[0]?.hold(owner, '20', start + 40_000_000)
  const { forward, back } = await walk(merchant, { limit: 7 })
  assert.equal(forward.length, 61)
  assert.deepEqual(back, forward)
  for (const currency of ['USD', 'NGN']) {
    const chain = forward.filter((row) => row['currency'] === currency).toReversed()
    let cents = 0
    for (const { amount, balance_after } of chain) {
      cents += Math.round(Number(amount) * 100)
      assert.equal(balance_after, (cents / 100).toFixed(2))
    }
    const known = new Map(forward.map((row) => [row['transaction_id'], row['balance_after']]))
    const filtered = (await walk(merchant, { limit: 3, currency, type: 'payment' })).forward
    for (const row of filtered) assert.equal(row['balance_after'], known.get(row['transaction_id']))
  }
})

test('a page is read at one moment: postings of an earlier time made meanwhile do not break its chain', async () => {
  const { owner, merchant } = await addOwner()
  const ledger = createLedgerForTest(stack)
  for (let index = 0; index < 20; index++) await ledger.earn(owner, '1', start + index * 60_000)
  let isOver = false
  const booking = (async () => {
    for (let index = 0; index < 60; index++) await ledger.earn(owner, '100', start + (index % 20) * 60_000 + 30_000)
    isOver = true
  })()
  let reads = 0
  for (; !isOver; reads++) {
    const { items } = await list(merchant, { limit: 100 })
    for (const [index, row] of items.entries()) {
      const last = Number(items[index + 1]?.['balance_after'] ?? 0)
      assert.equal(Number(row['balance_after']), last + Number(row['amount']))
    }
  }
  await booking
  assert.ok(reads > 1, `${reads} reads`)
})
