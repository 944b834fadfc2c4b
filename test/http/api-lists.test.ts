import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOfAll } from '../../api/http/pagination.ts'
import { operations } from '../../api/operations.ts'
import { newId } from '../../domain/id.ts'
import { Pagination } from '../../schemas/common.ts'
import { assertFieldErrors, pageOf } from '../support/api.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)

const lists = {
  '/v1/checkout-sessions': 'checkout_id',
  '/v1/payments': 'payment_id',
  '/v1/customers': 'customer_id',
} as const
const kinds = {
  '/v1/checkout-sessions': { prefix: 'chk', table: 'checkouts' },
  '/v1/payments': { prefix: 'pay', table: 'payments' },
  '/v1/customers': { prefix: 'cust', table: 'customers' },
} as const
type List = keyof typeof lists
const read = (merchant: Merchant, list: List, query: Record<string, string | number> = {}) => {
  const sent = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return merchant.call('GET', `${list}?${sent}`)
}
const idsOf = (list: List, items: Record<string, unknown>[]) => items.map((item) => String(item[lists[list]]))

const epoch = Date.UTC(2026, 0, 1)

type Row = {
  at: number
  status?: string
  corridor?: string
  customerId?: string
  checkoutId?: string
  reference?: string
}

/** A customer or a session that other rows name. */
async function insertNamed(table: 'customers' | 'checkouts', id: string, accountId: string): Promise<void> {
  const columns = {
    customers: `email, metadata, created_at, updated_at) values (?, ?, 'sandbox', 'named@example.com', '{}'`,
    checkouts: `amount, currency, source_type, fee_preference, success_url, metadata, client_secret_hash, expires_at,
      created_at, updated_at) values (?, ?, 'sandbox', 10, 'USD', 'API', 'org_pays', 'https://example.com', '{}', '',
      now()`,
  }[table]
  await stack.sql(
    `insert into ${table} (id, account_id, environment, ${columns}, now(), now()) on conflict do nothing`,
    [id, accountId],
  )
}

/** Writes rows as the service does, at the given moments, and returns their ids. */
async function insert(list: List, accountId: string, rows: Row[]): Promise<string[]> {
  const ids = rows.map(({ at }) => newId(kinds[list].prefix, at))
  for (const [index, row] of rows.entries()) {
    const at = new Date(row.at)
    const { status, corridor = 'USD_CARD', customerId = null, checkoutId = null, reference = null } = row
    if (customerId !== null) await insertNamed('customers', customerId, accountId)
    if (checkoutId !== null) await insertNamed('checkouts', checkoutId, accountId)
    if (list === '/v1/payments') {
      await stack.sql(
        `insert into payments (id, account_id, environment, status, corridor, customer_id, checkout_id, reference,
           amount, settles, fee, fee_usd, fee_preference, currency, metadata, created_at, updated_at,
           method_details)
         values (?, ?, 'sandbox', ?, ?, ?, ?, ?, 10, 9, 1, 1, 'org_pays', 'USD', '{}', ?, ?, '{"brand":"visa"}')`,
        [ids[index], accountId, status ?? 'succeeded', corridor, customerId, checkoutId, reference, at, at],
      )
    } else if (list === '/v1/customers') {
      await stack.sql(
        `insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
         values (?, ?, 'sandbox', ?, '{}', ?, ?)`,
        [ids[index], accountId, `${ids[index]}@example.com`, at, at],
      )
    } else {
      await stack.sql(
        `insert into checkouts (id, account_id, environment, status, payment_status, customer_id, reference, amount,
           currency, source_type, fee_preference, success_url, metadata, client_secret_hash, created_at,
           updated_at, expires_at)
         values (?, ?, 'sandbox', ?, ?, ?, ?, 10, 'USD', 'API', 'org_pays', 'https://example.com', '{}', '', ?, ?, ?)`,
        [
          ids[index],
          accountId,
          status ?? 'open',
          corridor === 'USD_CARD' ? 'requires_payment_method' : 'canceled',
          customerId,
          reference,
          at,
          at,
          at,
        ],
      )
    }
  }
  return ids
}

for (const list of Object.keys(lists) as List[]) {
  test(`${list}: pages of 50, newest first, with the pagination object`, async () => {
    const { accountId, merchant } = await api.addMerchant()
    const empty = pageOf(await read(merchant, list))
    assert.deepEqual(empty, {
      items: [],
      pagination: {
        next_cursor: null,
        prev_cursor: null,
        has_more: false,
        limit: 50,
        offset: 0,
        returned: 0,
        total: 0,
      },
    })
    const ids = await insert(
      list,
      accountId,
      Array.from({ length: 60 }, (_, index) => ({ at: epoch + index })),
    )
    const { items, pagination } = pageOf(await read(merchant, list))
    assert.deepEqual(idsOf(list, items), ids.toReversed().slice(0, 50))
    const { next_cursor, ...rest } = pagination
    assert.equal(typeof next_cursor, 'string')
    assert.deepEqual(rest, { prev_cursor: null, has_more: true, limit: 50, offset: 0, returned: 50, total: 60 })
    const second = pageOf(await read(merchant, list, { limit: 20, offset: 50 }))
    assert.deepEqual(idsOf(list, second.items), ids.toReversed().slice(50))
    const { prev_cursor, ...last } = second.pagination
    assert.equal(typeof prev_cursor, 'string')
    assert.deepEqual(last, { next_cursor: null, has_more: false, limit: 20, offset: 50, returned: 10, total: 60 })
    assert.equal(pageOf(await read(merchant, list, { offset: 1_000 })).pagination.returned, 0)
  })

  test(`${list}: a limit outside 1..100 and a bad offset are refused, never clamped`, async () => {
    for (const limit of [0, -1, 101, 1000, 1e12]) {
      assertFieldErrors(await read(stack.merchant, list, { limit }), { limit: 'value_error.range' })
    }
    for (const limit of ['', 'ten', '1.5', '1e1', '+5', ' 5', '0x5', '5;']) {
      assertFieldErrors(await read(stack.merchant, list, { limit }), { limit: 'value_error.type' })
    }
    assertFieldErrors(await read(stack.merchant, list, { offset: -1 }), { offset: 'value_error.range' })
    for (const limit of [1, 100])
      assert.equal(pageOf(await read(stack.merchant, list, { limit })).pagination.limit, limit)
  })

  test(`${list}: cursors visit every row once, forward and back, while new rows arrive`, async () => {
    const { accountId, merchant } = await api.addMerchant()
    // Several rows share a millisecond, so the id decides their order.
    const ids = await insert(
      list,
      accountId,
      Array.from({ length: 45 }, (_, index) => ({ at: epoch + Math.floor(index / 4) })),
    )
    const [all] = [pageOf(await read(merchant, list, { limit: 100 })).items]
    const order = idsOf(list, all)
    assert.deepEqual(order.toSorted(), ids.toSorted())
    const forward: string[] = []
    let page = pageOf(await read(merchant, list, { limit: 10 }))
    for (let pages = 1; ; pages++) {
      forward.push(...idsOf(list, page.items))
      assert.equal(page.pagination.offset, 0)
      assert.equal(page.pagination.has_more, page.pagination.next_cursor !== null)
      assert.equal(page.pagination.returned, page.items.length)
      if (!page.pagination.next_cursor) break
      assert.ok(pages < 10)
      await insert(list, accountId, [{ at: epoch + 1_000 + pages }])
      page = pageOf(await read(merchant, list, { limit: 10, cursor: page.pagination.next_cursor }))
    }
    assert.deepEqual(forward, order)
    assert.equal(page.pagination.total, 49)

    const back = idsOf(list, page.items)
    while (page.pagination.prev_cursor) {
      page = pageOf(await read(merchant, list, { limit: 10, cursor: page.pagination.prev_cursor }))
      back.unshift(...idsOf(list, page.items))
    }
    assert.equal(back.length, 49)
    assert.deepEqual(back.slice(4), order)
  })

  test(`${list}: the previous page of the next page is the same page`, async () => {
    const { accountId, merchant } = await api.addMerchant()
    await insert(
      list,
      accountId,
      Array.from({ length: 9 }, (_, index) => ({ at: epoch + index })),
    )
    const first = pageOf(await read(merchant, list, { limit: 3 }))
    const second = pageOf(await read(merchant, list, { limit: 3, cursor: first.pagination.next_cursor ?? '' }))
    const again = pageOf(await read(merchant, list, { limit: 3, cursor: second.pagination.prev_cursor ?? '' }))
    assert.deepEqual(again.items, first.items)
    assert.equal(again.pagination.prev_cursor, null)
    assert.equal(again.pagination.next_cursor, first.pagination.next_cursor)
    const byOffset = pageOf(await read(merchant, list, { limit: 3, offset: 3 }))
    assert.deepEqual(byOffset.items, second.items)
    assert.equal(byOffset.pagination.next_cursor, second.pagination.next_cursor)
  })

  test(`${list}: what comes before a page that has become the first one is that page`, async () => {
    const { accountId, merchant } = await api.addMerchant()
    const ids = await insert(
      list,
      accountId,
      Array.from({ length: 9 }, (_, index) => ({ at: epoch + index })),
    )
    const first = pageOf(await read(merchant, list, { limit: 3 }))
    const second = pageOf(await read(merchant, list, { limit: 3, cursor: first.pagination.next_cursor ?? '' }))
    await stack.sql(`delete from ${kinds[list].table} where id in (?)`, [ids.slice(-3)])
    const before = pageOf(await read(merchant, list, { limit: 3, cursor: second.pagination.prev_cursor ?? '' }))
    assert.deepEqual(before, pageOf(await read(merchant, list, { limit: 3 })))
    assert.deepEqual([before.items, before.pagination.has_more], [second.items, true])
    await stack.sql(`delete from ${kinds[list].table} where id in (?)`, [ids])
    const empty = pageOf(await read(merchant, list, { limit: 3, cursor: second.pagination.prev_cursor ?? '' }))
    const { next_cursor, prev_cursor, has_more, total } = empty.pagination
    assert.deepEqual([next_cursor, prev_cursor, has_more, total], [null, null, false, 0])
  })

  test(`${list}: a cursor that was tampered with, or comes with an offset, is refused`, async () => {
    const { accountId, merchant } = await api.addMerchant()
    await insert(list, accountId, [{ at: epoch }, { at: epoch + 1 }])
    const cursor = pageOf(await read(merchant, list, { limit: 1 })).pagination.next_cursor ?? ''
    const [position = '', signature = ''] = cursor.split('.')
    const moved = Buffer.from(Buffer.from(position, 'base64url').toString().replace('next', 'prev')).toString(
      'base64url',
    )
    const forged = [
      'x',
      '.',
      position,
      `${position}.`,
      `${moved}.${signature}`,
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}.x`,
    ]
    for (const bad of [...forged, ` ${cursor}`, cursor.toLowerCase(), 'null', 'eyJhIjoxfQ.e30']) {
      assertFieldErrors(await read(merchant, list, { cursor: bad }), { cursor: 'value_error.format' })
    }
    assertFieldErrors(await read(merchant, list, { cursor, offset: 1 }), { offset: 'value_error' })
    assert.equal(pageOf(await read(merchant, list, { cursor, offset: 0 })).pagination.returned, 1)
  })

  test(`${list}: a page is read by an index, also far from the start of the list`, async () => {
    const { accountId } = await api.addMerchant()
    const { table } = kinds[list]
    const columns = {
      '/v1/payments': `status, corridor, amount, settles, fee, fee_usd, fee_preference, currency, metadata, created_at,
         updated_at) select 'pay_' || g, ?, 'sandbox', 'succeeded', 'USD_CARD', 10, 9, 1, 1, 'org_pays', 'USD', '{}'`,
      '/v1/customers': `email, metadata, created_at, updated_at)
         select 'cust_' || g, ?, 'sandbox', g || '@example.com', '{}'`,
      '/v1/checkout-sessions': `amount, currency, source_type, fee_preference, success_url, metadata,
         client_secret_hash, expires_at, created_at, updated_at)
         select 'chk_' || g, ?, 'sandbox', 10, 'USD', 'API', 'org_pays', 'https://example.com', '{}', '',
      now()`,
    }[list]
    await stack.sql(
      `insert into ${table} (id, account_id, environment, ${columns}, now() + g * interval '1 ms', now()
       from generate_series(1, 5000) g`,
      [accountId],
    )
    await stack.sql(`analyze ${table}`)
    const plan = async (condition: string) => {
      const rows = await stack.sql<Record<'QUERY PLAN', string>>(
        `explain select * from ${table} where account_id = ? and environment = 'sandbox' and ${condition}
         order by created_at desc, id desc limit 51`,
        [accountId],
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    assert.match(await plan('true'), new RegExp(`Index Scan Backward using ${table}_newest`))
    const far = `created_at <= now() and (created_at < now() or id < 'zzz')`
    assert.match(await plan(far), new RegExp(`${table}_newest[\\s\\S]*Index Cond: .*created_at <=`))
    assert.doesNotMatch(await plan(far), /Seq Scan|Sort/)
  })
}

test('every list of /v1 has the pagination object, but for those that the contract or a decision names', () => {
  const fieldsOf = (shape: object | undefined) => Object.keys((shape as { properties?: object })?.properties ?? {})
  const found = operations // a timeline is one resource with its steps
    .filter(({ method, path }) => method === 'get' && path.startsWith('/v1/'))
    .map(({ path, returns: [, shape] }) => ({ path, shape: shape as { properties?: Record<string, object> } }))
    .filter(({ path, shape }) => shape.properties?.['items'] && !path.endsWith('/timeline'))
  assert.ok(found.length > 30)
  const lacking = (path: string, shape: object | undefined) =>
    Object.keys(Pagination.properties).flatMap((field) => (fieldsOf(shape).includes(field) ? [] : [`${path} ${field}`]))
  assert.deepEqual(
    found.filter(({ shape }) => !shape.properties?.['pagination']).map(({ path }) => path),
    ['/v1/payouts'],
  )
  const others = found.filter(({ path }) => path !== '/v1/payouts')
  assert.deepEqual(others.flatMap(({ path, shape }) => lacking(path, shape.properties?.['pagination'])).toSorted(), [
    '/v1/agenda offset',
    '/v1/agenda total',
    '/v1/request-logs offset',
    '/v1/request-logs total',
  ])
})

test('a cursor of another list is refused, by the agenda too', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const cursors = await Promise.all(
    (Object.keys(lists) as List[]).map(async (list) => {
      await insert(list, accountId, [{ at: epoch }, { at: epoch + 1 }])
      return { list, cursor: pageOf(await read(merchant, list, { limit: 1 })).pagination.next_cursor ?? '' }
    }),
  )
  for (const { list, cursor } of cursors) {
    for (const other of [...Object.keys(lists), '/v1/agenda'].filter((path) => path !== list))
      assertFieldErrors(await read(merchant, other as List, { cursor }), { cursor: 'value_error.format' })
    assert.equal(pageOf(await read(merchant, list, { cursor })).pagination.returned, 1)
  }
})

test('checkout sessions are filtered by status, payment_status, customer_id, reference and time', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const [open, done, theirs, named] = await insert('/v1/checkout-sessions', accountId, [
    { at: epoch },
    { at: epoch + 1_000, status: 'cancelled', corridor: 'x' },
    { at: epoch + 2_000, customerId: 'cust_1' },
    { at: epoch + 3_000, reference: 'order 7 & more' },
  ])
  const find = async (query: Record<string, string>) =>
    idsOf('/v1/checkout-sessions', pageOf(await read(merchant, '/v1/checkout-sessions', query)).items)
  assert.deepEqual(await find({ status: 'open' }), [named, theirs, open])
  assert.deepEqual(await find({ status: 'cancelled' }), [done])
  assert.deepEqual(await find({ payment_status: 'canceled' }), [done])
  assert.deepEqual(await find({ customer_id: 'cust_1' }), [theirs])
  assert.deepEqual(await find({ reference: 'order 7 & more' }), [named])
  assert.deepEqual(await find({ reference: 'order 7' }), [])
  assert.deepEqual(await find({ customer_id: '' }), [])
  assert.deepEqual(await find({ reference: '' }), [])
  assert.deepEqual(await find({ status: 'open', customer_id: 'cust_1', reference: 'x' }), [])
  const moment = (ms: number) => new Date(epoch + ms).toISOString()
  assert.deepEqual(await find({ created_after: moment(1_000) }), [named, theirs])
  assert.deepEqual(await find({ created_before: moment(1_000) }), [open])
  assert.deepEqual(await find({ created_after: moment(0), created_before: moment(3_000) }), [theirs, done])
  const { pagination } = pageOf(await read(merchant, '/v1/checkout-sessions', { status: 'open', limit: 1 }))
  assert.equal(pagination.total, 3)
  const next = { status: 'open', limit: 1, cursor: pagination.next_cursor ?? '' }
  assert.deepEqual(idsOf('/v1/checkout-sessions', pageOf(await read(merchant, '/v1/checkout-sessions', next)).items), [
    theirs,
  ])
})

test('payments are filtered, and listed without payment_method_details', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const checkoutId = newId('chk', epoch)
  const [card, failed, transfer] = await insert('/v1/payments', accountId, [
    { at: epoch, reference: 'r1' },
    { at: epoch + 1, status: 'failed', checkoutId },
    { at: epoch + 2, corridor: 'NGN_BANK_TRANSFER', customerId: 'cust_1' },
  ])
  const find = async (query: Record<string, string>) => pageOf(await read(merchant, '/v1/payments', query)).items
  const ids = async (query: Record<string, string>) => idsOf('/v1/payments', await find(query))
  assert.deepEqual(await ids({ status: 'failed' }), [failed])
  assert.deepEqual(await ids({ payment_method: 'NGN_BANK_TRANSFER' }), [transfer])
  assert.deepEqual(await ids({ customer_id: 'cust_1' }), [transfer])
  assert.deepEqual(await ids({ checkout_id: checkoutId }), [failed])
  assert.deepEqual(await ids({ reference: 'r1' }), [card])
  assert.deepEqual(await ids({ created_before: new Date(epoch + 1).toISOString() }), [card])
  assertFieldErrors(await read(merchant, '/v1/payments', { payment_method: 'CARD' }), {
    payment_method: 'value_error.enum',
  })
  for (const item of await find({})) assert.ok(!('payment_method_details' in item))
  const { body } = await merchant.call('GET', `/v1/payments/${card}`)
  assert.deepEqual(body['payment_method_details'], { brand: 'visa' })
})

test('a new session is in the list at once, without its secrets', async () => {
  const { merchant } = await api.addMerchant()
  const { checkout_id } = await merchant.createCheckout(sale)
  const { items } = pageOf(await read(merchant, '/v1/checkout-sessions'))
  assert.deepEqual(idsOf('/v1/checkout-sessions', items), [checkout_id])
  assert.ok(!('client_secret' in (items[0] ?? {})) && !('checkout_url' in (items[0] ?? {})))
})

test('of a short list too, what comes before a page that has become the first one is that page', () => {
  const page = (rows: string[], cursor?: string | null) =>
    pageOfAll('words', rows, (word) => word, { limit: 2, ...(cursor && { cursor }) }, stack.services)
  const words = ['a', 'b', 'c', 'd', 'e']
  const second = page(words, page(words).pagination.next_cursor)
  assert.deepEqual(page(words, second.pagination.prev_cursor), page(words))
  const left = words.slice(2)
  assert.deepEqual(page(left, second.pagination.prev_cursor), page(left))
  assert.deepEqual(page([], second.pagination.prev_cursor), page([]))
})
