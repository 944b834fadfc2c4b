import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addLiveMerchant, connectLiveRails, decideCapabilities } from '../support/live.ts'
import { countRows } from '../support/rows.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end', skipping: true })
const api = await useApi(stack)
connectLiveRails(stack)
const day = 24 * 3_600_000

test('a live account that may not take cards is not paid by a renewal; once it may again, it is', async () => {
  const { merchant, tenant } = await addLiveMerchant(stack, api)
  const { subscribe, invoices, until } = subscriptionsOf({ ...stack, merchant })
  const { subscription_id: id } = await subscribe()
  const payments = () => countRows(stack, 'payments where account_id = ?', [tenant.accountId])
  assert.equal(await payments(), 1)
  await decideCapabilities(stack, tenant, { card_payments: 'restricted' })
  await stack.skip(32 * day)
  const unpaid = await until(id, ({ status }) => status === 'past_due')
  assert.equal(unpaid.attempt_count, 1)
  assert.equal(await payments(), 1, 'nothing was ordered')
  await decideCapabilities(stack, tenant, { card_payments: 'active' })
  await stack.skip(3 * day)
  await until(id, ({ status }) => status === 'active')
  assert.equal(await payments(), 2)
  assert.deepEqual(
    (await invoices(id)).map(({ status }) => status),
    ['paid', 'paid'],
  )
})
