import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRails } from '../../rails/index.ts'
import { change, leftOpen, register, requestChange } from '../support/destination.ts'
import { destinations } from '../support/destination-examples.ts'
import { createMerchant } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// An update trusts the name that its merchant gives. Staff read beside it whom the bank names.
const stack = await useStack({ workers: false, invariants: 'at the end' })
const api = await useApi(stack)
const ada = await addStaff(stack)

type Bank = (account: { accountNumber: string }) => Promise<string | null>

/** A merchant whose bank answers as `bank` says at that moment, and the accounts that it was asked about. */
async function withBank(bank: Bank) {
  const rails = createRails(stack.database)
  const state = { bank, asked: [] as string[] }
  rails.in('sandbox').holders = {
    resolveAccount: async (account) => {
      state.asked.push(account.accountNumber)
      return state.bank(account)
    },
  }
  return { state, merchant: createMerchant(await api.addProcess({ rails }), stack.merchant.apiKey) }
}

/** The name that payouts carry, and the bank's word, as the review desk reads them. */
async function namesOf({ id }: { id: string }) {
  const { body, text } = await ada.call('GET', `/api/v1/admin/payout-destinations/${id}`)
  const { destination, holder_at_bank: atBank } = body as { destination?: Record<string, unknown> } & typeof body
  assert.ok(destination, text)
  return [destination['account_name'], atBank]
}

const thiefs = { account_number: '9876540008' }
const bankWith: Bank = async ({ accountNumber }) =>
  accountNumber === thiefs.account_number ? 'Mallory Mule' : 'Merchant Ltd'
const away: Bank = async () => {
  throw new Error('no answer')
}

test('a name that is kept for another number, or sent with it, stands beside the bank’s name', async () => {
  const { merchant, state } = await withBank(bankWith)
  for (const sent of [{}, { account_name: 'Merchant Limited' }]) {
    const destination = await register(merchant, 'NGN', leftOpen)
    assert.deepEqual(await namesOf(destination), ['Merchant Ltd', 'Merchant Ltd'])
    const { account_name: given } = await change(merchant, destination, { ...thiefs, ...sent })
    assert.equal(given, sent.account_name ?? 'Merchant Ltd', 'an update trusts the name given')
    assert.deepEqual(await namesOf(destination), [given, 'Mallory Mule'])
  }
  assert.equal(state.asked.length, 4)
})

test('a name that is sent alone leaves the bank’s word, for which it is not asked again', async () => {
  const { merchant, state } = await withBank(bankWith)
  const destination = await register(merchant, 'NGN', thiefs)
  await change(merchant, destination, { account_name: 'Merchant Ltd' })
  assert.deepEqual(await namesOf(destination), ['Merchant Ltd', 'Mallory Mule'])
  const { items } = (await ada.call('GET', '/api/v1/admin/reviews?state=open')).body as { items?: object[] }
  const subject = { destination: destination.id, account_holder: 'Merchant Ltd', holder_at_bank: 'Mallory Mule' }
  assert.partialDeepStrictEqual(items?.[0], { subject })
  assert.deepEqual(state.asked, [thiefs.account_number])
})

test('a change is refused by no bank: one that is away or names nobody leaves the merchant’s word alone', async () => {
  const { merchant, state } = await withBank(bankWith)
  for (const silent of [away, async () => null]) {
    state.bank = bankWith
    const destination = await register(merchant, 'NGN', leftOpen)
    state.bank = silent
    const { status, text } = await requestChange(merchant, destination, thiefs)
    assert.equal(status, 200, text)
    assert.deepEqual(await namesOf(destination), ['Merchant Ltd', null])
    state.bank = bankWith
    await change(merchant, destination, { account_name: 'Merchant Limited' })
    assert.deepEqual(await namesOf(destination), ['Merchant Limited', 'Mallory Mule'], 'asked again')
  }
})

test('where no bank names holders, every name is the merchant’s word', async () => {
  const { merchant, state } = await withBank(bankWith)
  const pounds = await register(merchant, 'GBP')
  assert.deepEqual(await namesOf(pounds), ['Demo Organization', null])
  const moved = await register(merchant, 'NGN', leftOpen)
  await change(merchant, moved, { ...destinations.GBP })
  assert.deepEqual(await namesOf(moved), ['Merchant Ltd', null], 'the word about another account')
  assert.equal(state.asked.length, 1)
  const { merchant: live, accountId } = await api.addMerchant('live')
  const id = await addDestination(stack, { accountId, environment: 'live' })
  await change(live, { id }, { bank_code: '011', account_number: '0000014579' })
  assert.deepEqual(await namesOf({ id }), ['Marked Holder', null], 'no live bank is connected')
})
