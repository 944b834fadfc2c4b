import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStubbedPages } from '../support/stubbed-pages.ts'

// An export of payouts that change while it is read: the API counts them, so the others move.
const { base, answer } = await openStubbedPages()
const cookie = 'dashboard_access=at_any; dashboard_refresh=rt_any'

async function exported(change: (ids: string[]) => string[]): Promise<string[]> {
  let ids = Array.from({ length: 350 }, (_, index) => `pay_${index}`)
  answer((call) => {
    const url = new URL(call.replace('GET ', ''), base)
    if (url.pathname !== '/v1/payouts') return { user: { id: 'usr_a' }, environment: 'sandbox' }
    const offset = Number(url.searchParams.get('offset') ?? 0)
    if (offset > 0 && ids.length === 350) ids = change(ids)
    return { items: ids.slice(offset, offset + 100).map((id) => ({ id })), total: ids.length }
  })
  const file = await fetch(`${base}/dashboard/payouts.csv?status=processing`, { headers: { cookie } })
  const lines = (await file.text()).trim().split('\r\n')
  return lines.slice(1).map((line) => line.replace(/,.*/, ''))
}
const all = Array.from({ length: 350 }, (_, index) => `pay_${index}`)

for (const leaving of [1, 60, 100])
  test(`no payout is missing in an export while ${leaving} before it no longer match`, async () => {
    assert.deepEqual(await exported((ids) => ids.slice(leaving)), all)
  })

test('every payout that stays is in an export once, also where all around it leave and new ones come', async () => {
  const stays = (id: string) => Number(id.slice(4)) % 3 === 0
  const found = await exported((ids) => ['pay_x', 'pay_y', ...ids.filter(stays)])
  assert.equal(new Set(found).size, found.length)
  for (const id of all.filter(stays)) assert.ok(found.includes(id), id)
})
