import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CapabilityStatus } from '../../domain/platform/capability.ts'
import { assertError } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { addLiveMerchant, connectLiveRails, decideCapabilities } from '../support/live.ts'
import { addDestination } from '../support/payout.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// An account that may pay out no longer: what is not with the rail yet is not sent, and its money goes back.
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const api = await useApi(stack)
const ada = await addStaff(stack)
const hold = { reference: 'sandbox_hold' }

/** A merchant with money, and a destination whose number ends in these digits. */
async function payee(ends = '0001') {
  const { accountId, merchant } = await api.addMerchant()
  const tenant = { accountId, environment: 'sandbox' as const }
  await endow(stack, accountId, '5000.00', 'NGN')
  const destination = await addDestination(stack, tenant, { ends })
  const may = (payouts: CapabilityStatus) => decideCapabilities(stack, tenant, { payouts })
  return { merchant, tenant, destination, may }
}
const waits = async (id: string) => {
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
}
const finished = async (id: string) => {
  await stack.dispatched()
  return stack.finished('payout', id)
}
const approve = (id: string) => ada.onPayout(id, 'review', { decision: 'approve' })
const sentTo = (id: string) => stack.sql('select from simulated_payouts where payout_id = ?', [id])

test('a payout that is approved after the account was restricted fails, and its money is back', async () => {
  const { merchant, destination, may } = await payee()
  const { id } = await merchant.payOut(destination, hold)
  await waits(id)
  await may('restricted')
  assert.equal((await merchant.getPayout(id)).status, 'pending')
  assert.equal((await approve(id)).status, 200)
  assert.equal(await finished(id), 'failed')
  const { failure_reason } = await merchant.getPayout(id)
  assert.equal(failure_reason, 'The account was not allowed to pay out when the payout was due to be sent.')
  assert.deepEqual(await sentTo(id), [])
  assert.equal((await approve(id)).status, 200, 'the same decision again changes nothing')
  const { body } = await merchant.call('GET', '/v1/balances')
  assert.partialDeepStrictEqual(body['items'], [{ currency: 'NGN', available: '5000.00', reserved: '0.00' }])
  assertError(
    await merchant.call('POST', '/v1/payouts', { destination, amount: '1000.00' }),
    403,
    'CAPABILITY_NOT_ACTIVE',
  )
  await may('active')
  const again = await merchant.payOut(destination)
  assert.equal(await finished(again.id), 'completed')
})

test('a restriction that is lifted before the approval leaves no trace', async () => {
  const { merchant, destination, may } = await payee()
  const { id } = await merchant.payOut(destination, hold)
  await waits(id)
  await may('restricted')
  await stack.skip(30 * 3_600_000)
  await may('active')
  assert.equal((await approve(id)).status, 200)
  assert.equal(await finished(id), 'completed')
})

test('a payout with the rail ends as the rail says, whatever is taken from the account', async () => {
  for (const outcome of ['success', 'failed']) {
    const { merchant, destination, may } = await payee('0003')
    const { id } = await merchant.payOut(destination)
    await waits(id)
    assert.equal((await merchant.getPayout(id)).status, 'processing')
    await may('inactive')
    await merchant.settlePayout(id, outcome)
    assert.equal(await finished(id), outcome === 'success' ? 'completed' : 'failed')
    await may('restricted') // after the end
    assert.equal((await merchant.getPayout(id)).status, outcome === 'success' ? 'completed' : 'failed')
  }
})

test('live payouts need a rail and the capability, and a live schedule stops without the capability', async () => {
  const { merchant, tenant } = await addLiveMerchant(stack, api, ['payouts'])
  const destination = await addDestination(stack, tenant)
  await endow(stack, tenant.accountId, '5000.00', 'NGN', 'live')
  const body = { destination, amount: '1000.00' }
  const create = () => merchant.call('POST', '/v1/payouts', body)
  assertError(await create(), 400, 'ACCOUNT_NOT_ACTIVATED')
  connectLiveRails(stack)
  const { id } = await merchant.payOut(destination)
  assert.equal(await finished(id), 'completed')
  await decideCapabilities(stack, tenant, { payouts: 'restricted' })
  assertError(await create(), 403, 'CAPABILITY_NOT_ACTIVE')
  const daily = { interval: 'daily', anchor_hour_utc: 9, minimum_amount: '0.00' }
  await merchant.call('PATCH', `/v1/payouts/destinations/${destination}`, { is_default: true })
  await merchant.call('POST', '/v1/balance_settings', { schedule_by_currency: { NGN: daily } })
  await stack.dispatched()
  const schedule = async () => {
    const settings = await merchant.call('GET', '/v1/balance_settings')
    return (settings.body['schedule_by_currency'] as unknown as Record<string, Record<string, unknown>>)['NGN']
  }
  await stack.skip(25 * 3_600_000)
  assert.partialDeepStrictEqual(await schedule(), { disabled_reason: 'account_restricted', last_withdrawal_id: null })
})
