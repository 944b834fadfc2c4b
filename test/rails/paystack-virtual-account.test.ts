import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { type AccountOrder, IncompleteHolder, type OpenedAccount } from '../../rails/virtual-account-bank.ts'
import { titan, wema } from '../doubles/paystack/accounts.ts'
import { errorOf, manyTimes, now, refusalOf, unknownOf, usePaystack } from './paystack.ts'

const { double, paystack, open, sql } = await usePaystack()
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

const order = (rest: Partial<AccountOrder> = {}): AccountOrder => {
  const holderId = rest.holderId ?? newId('cust', now)
  const email = `${holderId}@pay.example.com`
  return { holderId, currency: 'NGN', name: 'Ada Leakmarker Buyer', phoneNumber: '+2348012345678', email, ...rest }
}
const numbersOf = ({ holderId }: AccountOrder) => double.accountsOf(holderId).map(({ number }) => number)

test('an account is opened for a customer of ours at Paystack, and the same order is the same account', async () => {
  const wanted = order()
  const opened = await virtualAccounts.open(wanted)
  const [number] = numbersOf(wanted)
  assert.deepEqual(opened, {
    bankName: 'Wema Bank',
    bankCode: '035',
    accountNumber: number,
    accountName: 'KAROKART / ADA LEAKMARKER BUYER',
  })
  const holder = { first_name: 'Ada', last_name: 'Leakmarker Buyer', phone: '+2348012345678' }
  assert.deepEqual(double.calls.findLast(({ path }) => path === '/customer')?.body, { email: wanted.email, ...holder })
  const sent = double.calls.findLast(({ path }) => path === '/dedicated_account')?.body
  assert.deepEqual(sent, { customer: [...double.book.customers.values()].at(-1)?.code, ...holder })
  assert.deepEqual(await virtualAccounts.open(wanted), opened)
  const moved = { ...wanted, email: `${wanted.holderId}@another.example.com`, name: 'Another Name' }
  assert.deepEqual(await virtualAccounts.open(moved), opened, 'also when our host has another name')
  assert.equal(numbersOf(wanted).length, 1)
})

test('holders with the same name and phone have an account each', async () => {
  const [one, other] = [await virtualAccounts.open(order()), await virtualAccounts.open(order())]
  assert.notEqual(one.accountNumber, other.accountNumber)
})

test('a bank that our list does not have is found in Paystack’s; without a code nobody knows the outcome', async () => {
  double.book.bank = titan
  const { bankCode, bankName } = await virtualAccounts.open(order())
  assert.deepEqual([bankCode, bankName], ['100039', 'Paystack-Titan'])
  for (const slug of ['codeless-bank', 'nobodys-bank']) {
    double.book.bank = { name: 'Somebody', id: 7, slug }
    const wanted = order()
    await unknownOf(() => virtualAccounts.open(wanted))
    await unknownOf(() => virtualAccounts.open(wanted))
    assert.equal(numbersOf(wanted).length, 1)
  }
  double.book.bank = wema
})

test('a holder without a last name or a phone is told so by the fields, before anything is sent', async () => {
  const calls = double.calls.length
  const missing = async (rest: Partial<AccountOrder>) => {
    const error = await errorOf(() => virtualAccounts.open(order(rest)))
    assert.ok(error instanceof IncompleteHolder)
    return error.errors.map(({ field, type }) => `${field} ${type}`)
  }
  const phone = 'phone_number value_error.missing'
  assert.deepEqual(await missing({ name: 'Ada' }), ['account_name value_error'])
  assert.deepEqual(await missing({ name: '  Ada\u00a0 ' }), ['account_name value_error'])
  assert.deepEqual(await missing({ phoneNumber: null }), [phone])
  assert.deepEqual(await missing({ name: 'Ada', phoneNumber: null }), ['account_name value_error', phone])
  assert.equal(double.calls.length, calls)
})

test('a holder whom Paystack refuses is refused, and may be ordered again under another name', async () => {
  const wanted = order({ name: 'R2 D2' })
  await refusalOf(() => virtualAccounts.open(wanted))
  await refusalOf(() => virtualAccounts.open(wanted))
  assert.deepEqual(numbersOf(wanted), [])
  await virtualAccounts.open({ ...wanted, name: 'Artoo Detoo' })
  assert.equal(numbersOf(wanted).length, 1)
})

test('200 accounts whose answer was lost after Paystack had opened them are one each', async () => {
  await manyTimes(200, async (n) => {
    const wanted = order()
    double.fails(n % 2 ? 'POST /customer' : 'POST /dedicated_account', 'lost')
    // The fault may meet any of the ten that are under way.
    const patiently = (): Promise<OpenedAccount> => virtualAccounts.open(wanted).catch(patiently)
    const { accountNumber } = await patiently()
    assert.deepEqual(numbersOf(wanted), [accountNumber])
  })
  assert.ok(double.countOf('GET /customer') > 399, 'each was asked about again')
})

const steps = ['GET /customer', 'POST /customer', 'POST /dedicated_account'] as const
const faults = ['cut', 'lost', 'hang', 'broken', 'nonsense', 'strange', 'huge', 401, 403, 429, 500] as const
for (const step of steps) {
  test(`whatever goes wrong with ${step}, the outcome is unknown, and the next order is one account`, async () => {
    const hurried = (await open({ accountTimeoutMs: 250 })).rails.virtualAccounts
    for (const fault of faults) {
      const wanted = order()
      double.fails(step, fault)
      await unknownOf(() => hurried.open(wanted))
      double.worksAgain()
      const { accountNumber } = await virtualAccounts.open(wanted)
      assert.deepEqual(numbersOf(wanted), [accountNumber], String(fault))
    }
  })
}

test('an account that Paystack shows late, and then refuses to make again, is the one that is there', async () => {
  const wanted = order()
  const { accountNumber } = await virtualAccounts.open(wanted)
  Object.assign(double.book, { refusesSecond: true, hiddenFor: 1 })
  assert.equal((await virtualAccounts.open(wanted)).accountNumber, accountNumber)
  double.book.hiddenFor = 2
  await unknownOf(() => virtualAccounts.open(wanted))
  double.book.refusesSecond = false
  assert.deepEqual(numbersOf(wanted), [accountNumber])
})

test('ten orders at once are one account, and all get it', async () => {
  const wanted = order()
  const opened = await Promise.all(Array.from({ length: 10 }, () => virtualAccounts.open(wanted)))
  assert.deepEqual([...new Set(opened.map(({ accountNumber }) => accountNumber))], numbersOf(wanted))
})

test('an account of another mode, currency or holder, a closed one and another number are never shown', async () => {
  const changed = async (change: (made: { accounts: object[] }) => void) => {
    const wanted = order()
    await virtualAccounts.open(wanted)
    const made = double.book.customers.get(wanted.email)
    assert.ok(made)
    change(made)
    await unknownOf(() => virtualAccounts.open(wanted))
  }
  await changed((made) => Object.assign(made, { domain: 'test' }))
  await changed((made) => Object.assign(made, { email: 'somebody@example.com' }))
  await changed(({ accounts: [first] }) => Object.assign(first!, { currency: 'GHS' }))
  await changed(({ accounts: [first] }) => Object.assign(first!, { active: false }))
  await changed(({ accounts: [first] }) => Object.assign(first!, { number: '9930000001' }))
  double.book.domain = 'test'
  await unknownOf(() => virtualAccounts.open(order()))
  double.book.domain = 'live'
})

test('the book of accounts holds no name, no phone number and no email of a person', async () => {
  const rows = JSON.stringify(await sql('select * from paystack_accounts'))
  for (const word of ['Leakmarker', 'Ada', '2348012345678', 'example.org']) assert.ok(!rows.includes(word), word)
  assert.ok(rows.length > 1_000)
})
