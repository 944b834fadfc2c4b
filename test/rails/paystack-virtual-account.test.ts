import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorOf, usePaystack } from './paystack.ts'

const { double, paystack } = await usePaystack()
const { virtualAccounts } = paystack.rails
const account = '9930000737'

test('a transfer to a virtual account is there for good once Paystack reports it as a success', async () => {
  const made = double.deposits('1761234567890xyz', account, 1_000_050n)
  const transfer = {
    accountNumber: account,
    amount: '10000.5',
    senderName: 'Ada Obi',
    senderBank: null,
    senderAccountNumber: 'XXXXXX4321',
    isFinal: true,
  }
  assert.deepEqual(await virtualAccounts.lookUp(made.reference, account), transfer)
  assert.deepEqual(await virtualAccounts.lookUp(made.reference, account), transfer, 'asking again is harmless')
  for (const status of ['pending', 'reversed', 'failed']) {
    made.status = status
    assert.deepEqual(await virtualAccounts.lookUp(made.reference, account), { ...transfer, isFinal: false })
  }
  made.status = 'new'
  await errorOf(() => virtualAccounts.lookUp(made.reference, account))
})

test('a transfer that Paystack does not know is none, and one to another account is an error', async () => {
  const made = double.deposits('1761234567891xyz', account, 5_000n)
  for (const reference of ['unknown', '', '../balance', 'x'.repeat(100)])
    assert.equal(await virtualAccounts.lookUp(reference, account), null)
  await errorOf(() => virtualAccounts.lookUp(made.reference, '9930000738'))
  made.currency = 'GHS'
  await errorOf(() => virtualAccounts.lookUp(made.reference, account))
  Object.assign(made, { currency: 'NGN', channel: 'card' })
  await errorOf(() => virtualAccounts.lookUp(made.reference, account))
})

test('a bank that does not answer is an unknown outcome', async () => {
  const made = double.deposits('1761234567892xyz', account, 5_000n)
  for (const fault of ['cut', 'lost', 'strange', 'nonsense', 500, 429, 401] as const) {
    double.fails('GET /transaction/verify', fault)
    await errorOf(() => virtualAccounts.lookUp(made.reference, account))
  }
})
