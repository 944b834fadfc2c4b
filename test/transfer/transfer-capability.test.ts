import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { assertError } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { decideCapabilities, goLive } from '../support/live.ts'
import { sale } from '../support/merchant.ts'
import { createLink, newLink, open } from '../support/payment-link.ts'
import { addPlatform, addSeller, balanceOf, onlyOne } from '../support/platform.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack()
const api = await useApi(stack)
afterEach(() => assertInvariants(stack))

const sandbox = (accountId: string) => ({ accountId, environment: 'sandbox' as const })
const may = (accountId: string, transfers: 'active' | 'restricted') =>
  decideCapabilities(stack, sandbox(accountId), { transfers })

test('CAPABILITY_NOT_ACTIVE: the connected account needs `transfers`, whether it receives or sends', async () => {
  const { platform, seller } = await addPlatform(api)
  await endow(stack, platform.accountId, '100.00')
  const out = { destination: seller.accountId, amount: '10.00', currency: 'USD' }
  const back = { ...out, destination: platform.accountId }
  const first = await platform.merchant.call('POST', '/v1/transfers', out)
  assert.equal(first.status, 201, first.text)
  await may(platform.accountId, 'restricted') // the platform itself needs no capability
  assert.equal((await platform.merchant.call('POST', '/v1/transfers', out)).status, 201)
  await may(seller.accountId, 'restricted')
  assertError(await platform.merchant.call('POST', '/v1/transfers', out), 403, 'CAPABILITY_NOT_ACTIVE')
  assertError(await seller.merchant.call('POST', '/v1/transfers', back), 403, 'CAPABILITY_NOT_ACTIVE')
  const reversal = `/v1/transfers/${String(first.body['transfer_id'])}/reversals`
  assert.equal((await platform.merchant.call('POST', reversal, {})).status, 201, 'what was sent can be taken back')
  await may(seller.accountId, 'active')
  assert.equal((await seller.merchant.call('POST', '/v1/transfers', back)).status, 201)
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '0.00', '0.00', '0.00'])
})

test('NOT_FOUND: a foreign account is not told apart by its capabilities', async () => {
  const { platform } = await addPlatform(api)
  const foreign = await addSeller(api, (await api.addMerchant()).accountId)
  await may(foreign.accountId, 'restricted')
  const body = { destination: foreign.accountId, amount: '10.00', currency: 'USD' }
  assertError(await platform.merchant.call('POST', '/v1/transfers', body), 404, 'NOT_FOUND')
  const transfer_data = { destination: foreign.accountId, amount: '10.00' }
  const split = await platform.merchant.call('POST', '/v1/checkout-sessions', { ...sale, transfer_data })
  assertError(split, 404, 'NOT_FOUND')
})

test('CAPABILITY_NOT_ACTIVE: a new sale cannot promise a share to an account that receives no transfers', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '10.00' }
  const link = await createLink(platform.merchant, { transfer_data })
  const session = await platform.merchant.createCheckout({ ...sale, transfer_data })
  await may(seller.accountId, 'restricted')
  for (const [path, body] of [
    ['/v1/checkout-sessions', sale],
    ['/v1/payment-links', newLink],
  ] as const) {
    assertError(await platform.merchant.call('POST', path, { ...body, transfer_data }), 403, 'CAPABILITY_NOT_ACTIVE')
  }
  // A buyer who opens the link is a stranger and is told no reason.
  assertError(await open(platform.merchant, link), 409, 'CONFLICT')
  // What was promised before is passed on: the seller keeps it, and cannot pay it out without `payouts`.
  await platform.merchant.payByCard(session)
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '10.00', '0.00', '0.00'])
  const { row } = await onlyOne(platform.merchant, '/v1/transfers')
  assert.equal(row['amount'], '10.00')
  await may(seller.accountId, 'active')
  assert.equal((await open(platform.merchant, link)).status, 201)
})

test('live, a connected account receives transfers only once that was decided', async () => {
  const { platform, seller } = await addPlatform(api)
  const live = await api.addKey({ accountId: platform.accountId, environment: 'live' })
  await goLive(stack, platform.accountId)
  await endow(stack, platform.accountId, '100.00', 'USD', 'live')
  const body = { destination: seller.accountId, amount: '10.00', currency: 'USD' }
  assertError(await live.merchant.call('POST', '/v1/transfers', body), 403, 'CAPABILITY_NOT_ACTIVE')
  await goLive(stack, seller.accountId, ['transfers'])
  assert.equal((await live.merchant.call('POST', '/v1/transfers', body)).status, 201)
})
