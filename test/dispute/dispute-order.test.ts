import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertFieldErrors, pageOf } from '../support/api.ts'
import type { Merchant } from '../support/merchant.ts'
import { makePayment } from '../support/resource.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The list of disputes by what is due first.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const day = 86_400_000
const begin = Date.UTC(2030, 0, 1)

/** A dispute, as the service writes it, that is due so many days after the beginning. */
async function insert(accountId: string, dueDays: number, status = 'needs_response'): Promise<string> {
  const id = newId('dsp', Date.now())
  const paymentId = await makePayment(stack, { accountId }, 'sandbox')
  await stack.sql(
    `insert into disputes (id, account_id, environment, payment_id, network_id, corridor, status, amount, currency, fee,
       reason, prefilled, evidence, evidence_due_at, created_at, updated_at)
     values (?, ?, 'sandbox', ?, ?, 'USD_CARD', ?, 10, 'USD', 15, 'fraudulent', '{}', '{}', ?, now(), now())`,
    [id, accountId, paymentId, id, status, new Date(begin + dueDays * day)],
  )
  return id
}

const read = (merchant: Merchant, query: string) => merchant.call('GET', `/v1/disputes?${query}`)
const idsOf = async (merchant: Merchant, query: string) =>
  pageOf(await read(merchant, query)).items.map((item) => String(item['dispute_id']))

test('what is due first comes first, whenever it was opened, and pages go there and back', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const later: string[] = []
  for (const due of [9, 3, 7, 3, 5]) later.push(await insert(accountId, due))
  const [nine, three, seven, alsoThree, five] = later
  const sorted = [...[three, alsoThree].toSorted(), five, seven, nine]
  await insert(accountId, 1, 'under_review')
  const query = 'status=needs_response&order=due'
  assert.deepEqual(await idsOf(merchant, query), sorted)
  assert.deepEqual(await idsOf(merchant, `${query}&limit=2&offset=2`), sorted.slice(2, 4))
  const first = pageOf(await read(merchant, `${query}&limit=2`))
  const next = `${query}&limit=2&cursor=${first.pagination.next_cursor}`
  assert.deepEqual(await idsOf(merchant, next), sorted.slice(2, 4))
  const second = pageOf(await read(merchant, next))
  const last = pageOf(await read(merchant, `${query}&limit=2&cursor=${second.pagination.next_cursor}`))
  assert.deepEqual(
    last.items.map((item) => item['dispute_id']),
    sorted.slice(4),
  )
  assert.equal(last.pagination.next_cursor, null)
  assert.deepEqual(
    await idsOf(merchant, `${query}&limit=2&cursor=${second.pagination.prev_cursor}`),
    sorted.slice(0, 2),
  )
  assert.deepEqual(await idsOf(merchant, 'status=needs_response'), later.toReversed())
})

test('a cursor of another order, and an unknown order, are refused', async () => {
  const { merchant, accountId } = await api.addMerchant()
  for (const due of [1, 2]) await insert(accountId, due)
  const cursorOf = async (query: string) => pageOf(await read(merchant, `${query}&limit=1`)).pagination.next_cursor
  const [due, newest] = [await cursorOf('order=due'), await cursorOf('order=newest')]
  assertFieldErrors(await read(merchant, `order=due&cursor=${newest}`), { cursor: 'value_error.format' })
  assertFieldErrors(await read(merchant, `cursor=${due}`), { cursor: 'value_error.format' })
  assertFieldErrors(await read(merchant, 'order=oldest'), { order: 'value_error.enum' })
})
