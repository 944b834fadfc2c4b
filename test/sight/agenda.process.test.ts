import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../../db/core/columns.ts'
import { listWaits } from '../../db/sight/agenda.ts'
import { agendaResources } from '../../domain/sight/agenda.ts'
import { assertFieldErrors, pageOf } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { sale, transferSale } from '../support/merchant.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { addOpenSessions, planOf } from '../support/plans.ts'
import { holdAtRail } from '../support/rail-books.ts'
import { settled } from '../support/settled.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// What everything of an account waits for, and until when.
const [minute, day] = [60_000, 86_400_000]
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const api = await useApi(stack)
const receiver = await useReceiver()

type Item = Record<'resource' | 'resource_id' | 'waiting_on' | 'reason' | 'waiting_since', string> &
  Record<'wakes_at' | 'expected_by', string | null>
type Page = {
  items: Item[]
  pagination: Record<'next_cursor' | 'prev_cursor', string | null> & { has_more: boolean; returned: number }
  next_cursor: string | null
  has_more: boolean
}
const nothing: Page & { pagination: { limit: number } } = {
  items: [],
  pagination: { next_cursor: null, prev_cursor: null, has_more: false, limit: 50, returned: 0 },
  next_cursor: null,
  has_more: false,
}

/** A new organization with a receiver of webhooks of its own. */
async function begin() {
  const { merchant, accountId } = await api.addMerchant()
  const owner = { accountId, environment: 'sandbox' as const }
  await endow(stack, accountId, '100000.00', 'NGN')
  async function list(query = ''): Promise<Page> {
    const { status, text, body } = await merchant.call('GET', `/v1/agenda${query}`)
    assert.equal(status, 200, text)
    return body as unknown as Page
  }
  return { merchant, owner, list }
}

const told = ({ items }: Page) => items.map(({ resource, waiting_on, reason }) => `${resource} ${waiting_on} ${reason}`)
const after = (at: string | null | undefined, ms: number) => new Date(Date.parse(at ?? '') + ms).toISOString()

test('every kind of wait is listed with its moment, the next one first', async () => {
  const { merchant, owner, list } = await begin()
  await merchant.setWebhook(receiver.url)
  receiver.answers(Array.from({ length: 20 }, () => 500))
  const open = await merchant.createCheckout({ ...sale, expires_in_minutes: 60 })
  const held = await merchant.createCheckout({ ...sale, expires_in_minutes: 120 })
  const payment = await holdAtRail({ ...stack, merchant }, held)
  const charge = await merchant.chargeByCard()
  const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  const sent = await merchant.payOut(silent)
  const reviewed = await merchant.payOut(silent, { reference: 'sandbox_hold' })
  await stack.dispatched()
  for (const { id } of [sent, reviewed]) await settled(stack.client, 'payout', id)
  const { items } = await list('?limit=100')
  const of = (id: string) =>
    items
      .filter((item) => item.resource_id === id)
      .map(({ waiting_on, reason, wakes_at }) => ({ waiting_on, reason, wakes_at }))
  const expiry = { waiting_on: 'buyer', reason: 'expiry', wakes_at: open.expires_at }
  assert.deepEqual(of(open.checkout_id), [expiry])
  const grace = { waiting_on: 'rail', reason: 'expiry', wakes_at: after(held.expires_at, day) }
  assert.deepEqual(of(held.checkout_id), [grace])
  const made = (await merchant.getPayment(payment))['created_at'] as string
  assert.deepEqual(of(payment), [{ waiting_on: 'rail', reason: 'rail_poll', wakes_at: after(made, 5 * minute) }])
  const { body } = await merchant.call('GET', '/v1/balances/transactions?type=payment')
  const [transaction] = body['items'] as unknown as { available_at: string }[]
  const available_at = transaction?.available_at
  assert.deepEqual(of(charge), [{ waiting_on: 'maturity', reason: 'maturity', wakes_at: available_at }])
  assert.deepEqual(
    of(sent.id).map(({ reason }) => reason),
    ['rail_poll'],
  )
  const [review] = of(reviewed.id)
  assert.deepEqual([review?.waiting_on, review?.reason], ['reviewer', 'review_reminder'])
  const endpoint = items.find(({ resource }) => resource === 'webhook_endpoint')
  assert.equal(endpoint?.reason, 'endpoint_warning')
  assert.equal(endpoint.wakes_at, after(endpoint.waiting_since, day))
  assert.equal(endpoint.expected_by, after(endpoint.waiting_since, 3 * day))
  assert.ok(items.some(({ resource, reason }) => resource === 'webhook_delivery' && reason === 'webhook_attempt'))
  const moments = items.map(({ wakes_at }) => wakes_at ?? '')
  assert.deepEqual(moments, moments.toSorted())
  const alone = await merchant.call('GET', `/v1/webhooks/endpoints/${endpoint.resource_id}/agenda`)
  assert.deepEqual(alone.body['items'], [endpoint])
})

test('a list goes on from its cursor without a gap, and takes a kind, a reason to wait and a moment', async () => {
  const { merchant, list } = await begin()
  const sessions = []
  for (let n = 1; n <= 7; n++) sessions.push(await merchant.createCheckout({ ...sale, expires_in_minutes: 10 * n }))
  const transfer = await merchant.createCheckout({ ...transferSale, expires_in_minutes: 5 })
  await merchant.payByTransfer(transfer)
  const all = await list()
  assert.deepEqual(
    all.items.map(({ resource_id }) => resource_id),
    [transfer.checkout_id, ...sessions.map(({ checkout_id }) => checkout_id)],
  )
  const pages: Page[] = []
  for (let cursor = ''; ;) {
    const page = await list(`?limit=3${cursor}`)
    pages.push(page)
    const { next_cursor, has_more, returned } = page.pagination
    assert.deepEqual([page.has_more, page.next_cursor], [next_cursor !== null, next_cursor])
    assert.deepEqual([has_more, returned], [next_cursor !== null, page.items.length])
    if (!next_cursor) break
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
  assert.deepEqual(
    pages.flatMap(({ items }) => items),
    all.items,
  )
  const [first, second, third] = pages
  const back = async (page?: Page) => list(`?limit=3&cursor=${encodeURIComponent(page?.pagination.prev_cursor ?? '')}`)
  assert.equal(first?.pagination.prev_cursor, null)
  assert.deepEqual(await back(third), second)
  assert.deepEqual(await back(second), first)
  const own = `/v1/checkout-sessions/${transfer.checkout_id}/agenda`
  const ownPage = pageOf(await merchant.call('GET', `${own}?limit=1`))
  assert.deepEqual([ownPage.pagination.total, ownPage.pagination.returned], [ownPage.items.length, 1])
  assert.deepEqual(await list('?resource=payout'), nothing)
  assert.equal((await list('?waiting_on=rail')).items.length, 0)
  const before = await list(`?before=${sessions[2]?.expires_at}`)
  assert.deepEqual(before.items, all.items.slice(0, 3))
  await stack.skip(6 * minute)
  const late = await list('?waiting_on=late_money')
  assert.deepEqual(told(late), ['checkout_session late_money late_money_end'])
  assert.deepEqual((await list('?waiting_on=maturity')).items, [])
})

test('what comes before a page whose waits before it have all ended is the first page', async () => {
  const { merchant, list } = await begin()
  const sessions = []
  for (let n = 1; n <= 7; n++) sessions.push(await merchant.createCheckout({ ...sale, expires_in_minutes: 10 * n }))
  const at = (cursor: string | null | undefined) => list(`?limit=3&cursor=${encodeURIComponent(cursor ?? '')}`)
  const second = await at((await list('?limit=3')).next_cursor)
  for (const { checkout_id } of sessions.slice(0, 3)) assert.equal((await merchant.cancel(checkout_id)).status, 200)
  const before = await at(second.pagination.prev_cursor)
  assert.deepEqual(before, await list('?limit=3'))
  assert.deepEqual([before.items, before.has_more], [second.items, true])
  for (const { checkout_id } of sessions.slice(3)) assert.equal((await merchant.cancel(checkout_id)).status, 200)
  const { pagination } = nothing
  assert.deepEqual(await at(second.pagination.prev_cursor), { ...nothing, pagination: { ...pagination, limit: 3 } })
})

test('an agenda shows nothing of another organization, and only what the key may read', async () => {
  const [one, other] = [await begin(), await begin()]
  const { checkout_id } = await one.merchant.createCheckout()
  assert.equal((await one.list()).items.length, 1)
  assert.deepEqual(await other.list(), nothing)
  const path = `/v1/checkout-sessions/${checkout_id}/agenda`
  assert.equal((await other.merchant.call('GET', path)).status, 404)
  assert.equal((await one.merchant.call('GET', path)).status, 200)
  await stack.sql(`update api_keys set scopes = '{payments:read}' where account_id = ?`, [one.owner.accountId])
  assert.equal((await one.list()).items.length, 1)
  assert.equal((await one.list('?resource=payout')).items.length, 0)
})

test('VALIDATION_ERROR: a cursor that no list gave, a kind that does not exist, a moment that is none', async () => {
  const { merchant } = await begin()
  const fields = { cursor: 'value_error.format', resource: 'value_error.enum', before: 'value_error.format' }
  assertFieldErrors(await merchant.call('GET', '/v1/agenda?cursor=a.b&resource=card&before=tomorrow'), fields)
})

test('the next waits of an account are read from an index, however many sessions wait', async () => {
  const owners = [(await begin()).owner, (await begin()).owner]
  for (const { accountId } of owners) await addOpenSessions(stack, accountId, { count: 3_000, pause: '1 second' })
  await stack.sql('analyze checkouts')
  const now = await stack.clock.now()
  const text = await planOf(stack, (em) => listWaits(em, owners[0] as Tenant, { resources: agendaResources }, 50, now))
  assert.match(text, /checkouts_waiting/)
  const rows = [...text.matchAll(/"Actual Rows":(\d+)/g)].map(([, count]) => Number(count))
  assert.ok(Math.max(...rows) <= 50, `${Math.max(...rows)} rows are read in one place`)
  const accounts = owners.map(({ accountId }) => accountId)
  await stack.sql('delete from checkouts where account_id in (?)', [accounts])
  await stack.sql(`delete from row_counts where table_name = 'checkouts' and account_id in (?)`, [accounts])
})
