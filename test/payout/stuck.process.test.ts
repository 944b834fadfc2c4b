import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFieldErrors } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { sale } from '../support/merchant.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { endCharge, holdAtRail } from '../support/rail-books.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What staff see of all that waits for a rail.
const hour = 3_600_000
const stack = await useStack({ skipping: true, invariants: 'at the end' })
await useApi(stack)
const ada = await addStaff(stack)
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '10000.00', 'NGN')

type Item = Record<'resource' | 'id' | 'status' | 'amount' | 'process_id' | 'helps', string>

async function list(query = ''): Promise<{ total: number; items: Item[] }> {
  const { status, body, text } = await ada.call('GET', `/api/v1/admin/stuck${query}`)
  assert.equal(status, 200, text)
  return body as unknown as { total: number; items: Item[] }
}

test('a card payment that its rail holds is listed with its session’s process until the rail answers', async () => {
  const session = await stack.merchant.createCheckout(sale)
  const id = await holdAtRail(stack, session)
  assert.deepEqual(await list('?resource=payment'), { total: 0, items: [] }, 'it has not waited for an hour yet')
  await stack.skip(2 * hour)
  const { total, items } = await list('?resource=payment')
  assert.equal(total, 1)
  const { helps, ...item } = items[0] as Item
  const { amount, status, process_id, resource } = item
  assert.deepEqual(
    { id: item.id, amount, status, process_id, resource },
    { id, amount: '25.00', status: 'processing', process_id: `checkout/${session.checkout_id}`, resource: 'payment' },
  )
  assert.match(helps, /the session expires/)
  await endCharge(stack, id, 'succeeded')
  await stack.client.workflow.getHandle(`checkout/${session.checkout_id}`).signal('railAnswered', id)
  await stack.finished('checkout', session.checkout_id)
  assert.deepEqual(await list('?resource=payment'), { total: 0, items: [] })
})

test('what waits is listed page by page, the longest wait first, also for one account or environment', async () => {
  const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    ids.push((await stack.merchant.payOut(silent)).id)
    await stack.dispatched()
    await stack.skip(hour)
  }
  await stack.skip(hour)
  const pages = [await list('?limit=2'), await list('?limit=2&offset=2'), await list('?limit=2&offset=4')]
  assert.deepEqual(
    pages.map(({ total, items }) => [total, items.map(({ id }) => id)]),
    [
      [3, ids.slice(0, 2)],
      [3, ids.slice(2)],
      [3, []],
    ],
  )
  assert.equal((await list(`?account_id=${owner.accountId}&environment=sandbox`)).total, 3)
  assert.deepEqual(await list('?environment=live'), { total: 0, items: [] })
  assert.deepEqual(await list('?account_id=acct_unknown'), { total: 0, items: [] })
  for (const id of ids) assert.equal((await ada.onPayout(id, 'mark-failed', { reason: 'Not sent' })).status, 200)
  assert.equal((await list()).total, 0)
})

test('a page of a wrong size or a resource that does not exist is refused', async () => {
  const fields = { limit: 'value_error.range', offset: 'value_error.range', resource: 'value_error.enum' }
  assertFieldErrors(await ada.call('GET', '/api/v1/admin/stuck?limit=101&offset=-1&resource=card'), fields)
})
