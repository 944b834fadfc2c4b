import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { takeUpNotice } from '../../commands/take-up-notice.ts'
import { inTransaction } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import type { RailNews } from '../../rails/rail-news.ts'
import { callbackOf, chargeData, refundData } from '../doubles/paystack/callbacks.ts'
import type { Transaction } from '../doubles/paystack/charges.ts'
import { readBalance } from '../support/ledger.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { addLiveMerchant, decideCapabilities } from '../support/live.ts'
import type { Merchant } from '../support/merchant.ts'
import { order, stateOf } from '../support/payment-actions.ts'
import { secretKey, usePaystackStack } from '../support/paystack-stack.ts'
import { eventsAbout } from '../support/resource-rows.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { openAccount as openInSandbox } from '../support/virtual-account.ts'

// Virtual accounts of live, from the call that opens one to the money of a transfer, with a double of Paystack. What
// holds at every bank is in transfer-rails.process.test.ts.
const { double, stack, api, merchant, accountId, tenant } = await usePaystackStack()
const ada = await addStaff(stack)
afterEach(() => double.worksAgain())

type Account = Record<'virtual_account_id' | 'account_number' | 'account_name' | 'bank_code', string> & {
  customer_id: string | null
}

const request = (body: object, by: Merchant = merchant, headers: Record<string, string> = {}) =>
  by.call('POST', '/v1/virtual-accounts', { currency: 'NGN', ...body }, headers)
async function open(body: object, by: Merchant = merchant): Promise<Account> {
  const { status, text, body: made } = await request(body, by)
  assert.equal(status, 201, text)
  return made as unknown as Account
}
let customers = 0
async function addCustomer(more: object = {}, by: Merchant = merchant): Promise<string> {
  const person = { email: `buyer${++customers}@example.org`, name: 'Ada Obi', phone_number: '+2348012345678', ...more }
  const { body, text } = await by.call('POST', '/v1/customers', person)
  assert.ok(body['customer_id'], text)
  return String(body['customer_id'])
}
const storedFor = (customerId: string) => stack.sql('select from virtual_accounts where customer_id = ?', [customerId])

test('a live customer gets an account at the bank, once, and none of their address goes to Paystack', async () => {
  const customer_id = await addCustomer()
  const made = await request({ customer_id })
  assert.equal(made.status, 201, made.text)
  const { virtual_account_id, account_number, created_at: _at, ...rest } = made.body
  assert.deepEqual(rest, {
    account_name: 'KAROKART / ADA OBI',
    bank_name: 'Wema Bank',
    bank_code: '035',
    currency: 'NGN',
    status: 'active',
    customer_id,
  })
  assert.deepEqual(
    double.accountsOf(customer_id).map(({ number }) => number),
    [account_number],
  )
  const calls = double.calls.length
  const again = await request({ customer_id, account_name: 'Another Name' })
  assert.deepEqual([again.status, again.text], [200, made.text])
  assert.equal(double.calls.length, calls, 'Paystack is not asked about an account that is open')
  const read = await merchant.call('GET', `/v1/virtual-accounts/${String(virtual_account_id)}`)
  assert.equal(read.text, made.text)
  for (const { bytes, path } of double.calls) assert.ok(!`${path}${bytes.toString()}`.includes('example.org'))
})

test('without a customer it is the account’s own, with the account’s name, once', async () => {
  const { merchant: other, accountId: own } = await addLiveMerchant(stack, api)
  assertFieldErrors(await request({}, other), { phone_number: 'value_error.missing' })
  const made = await open({ phone_number: '+2348012345679' }, other)
  assert.deepEqual([made.customer_id, made.account_name], [null, 'KAROKART / ANOTHER ORGANIZATION'])
  assert.equal((await request({}, other)).status, 200)
  assert.equal(double.accountsOf(own).length, 1)
})

test('what the bank needs and nobody has said is told by its field, and nothing is sent', async () => {
  const calls = double.calls.length
  const phone_number = { phone_number: 'value_error.missing' }
  const nobody = { name: null, phone_number: null }
  assertFieldErrors(await request({ customer_id: await addCustomer({ phone_number: null }) }), phone_number)
  assertFieldErrors(await request({ customer_id: await addCustomer(nobody), account_name: 'Ada' }), {
    ...phone_number,
    account_name: 'value_error',
  })
  const customer_id = await addCustomer()
  assertFieldErrors(await request({ customer_id, phone_number: '0801' }), { phone_number: 'value_error.format' })
  assertFieldErrors(await request({ customer_id, account_name: ' ' }), { account_name: 'value_error.format' })
  assertError(await request({ customer_id: newId('cust', 0) }), 404, 'NOT_FOUND')
  assertError(await request({ customer_id, currency: 'GHS' }), 400, 'CURRENCY_NOT_SUPPORTED')
  assert.equal(double.calls.length, calls)
  assertFieldErrors(await request({ customer_id, account_name: 'R2 D2' }), { account_name: 'value_error' })
  assert.deepEqual(await storedFor(customer_id), [])
})

test('two merchants have a customer with the same email, and each gets a number of its own', async () => {
  const { merchant: other } = await addLiveMerchant(stack, api)
  const email = 'same@example.org'
  const [one, two] = [await addCustomer({ email }), await addCustomer({ email }, other)]
  const numbers = [
    (await open({ customer_id: one })).account_number,
    (await open({ customer_id: two }, other)).account_number,
  ]
  assert.equal(new Set(numbers).size, 2)
  assertError(await request({ customer_id: one }, other), 404, 'NOT_FOUND')
})

test('SERVICE_UNAVAILABLE: an unknown answer stores nothing, and the same call again is one account', async () => {
  for (const fault of ['lost', 'broken', 'nonsense', 429, 500] as const) {
    for (const step of ['GET /customer', 'POST /customer', 'POST /dedicated_account']) {
      const customer_id = await addCustomer()
      const key = { 'idempotency-key': `${fault} ${step}` }
      double.fails(step, fault)
      const failed = await request({ customer_id }, merchant, key)
      assertError(failed, 503, 'SERVICE_UNAVAILABLE')
      assert.ok(failed.headers.get('retry-after'))
      assert.deepEqual(await storedFor(customer_id), [])
      const made = await request({ customer_id }, merchant, key)
      assert.equal(made.status, 201, made.text)
      const again = await request({ customer_id }, merchant, key)
      assert.deepEqual([again.status, again.text], [201, made.text])
      const numbers = double.accountsOf(customer_id).map(({ number }) => number)
      assert.deepEqual(numbers, [made.body['account_number']])
    }
  }
})

test('ten calls at once open one account, and all are answered with it', async () => {
  const customer_id = await addCustomer()
  const replies = await Promise.all(Array.from({ length: 10 }, () => request({ customer_id })))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [...Array<number>(9).fill(200), 201])
  assert.equal(double.accountsOf(customer_id).length, 1)
})

test('a number that another live account has is never shown to a second one', async () => {
  const first = await open({ customer_id: await addCustomer() })
  const customer_id = await addCustomer()
  await request({ customer_id, account_name: 'R2 D2' }) // Paystack is asked, and nothing is open yet
  double.fails('POST /dedicated_account', 'lost')
  assertError(await request({ customer_id }), 503, 'SERVICE_UNAVAILABLE')
  const [made] = double.accountsOf(customer_id)
  assert.ok(made)
  Object.assign(made, { number: first.account_number, bank: { name: 'Access Bank', id: 1, slug: 'access-bank' } })
  assertError(await request({ customer_id }), 503, 'SERVICE_UNAVAILABLE')
  assert.deepEqual(await storedFor(customer_id), [])
})

test('CAPABILITY_NOT_ACTIVE, ACCOUNT_NOT_ACTIVATED: what the account may not, and what nobody serves', async () => {
  const { merchant: other, tenant: theirs } = await addLiveMerchant(stack, api)
  await decideCapabilities(stack, theirs, { virtual_accounts: 'restricted' })
  assertError(await request({}, other), 403, 'CAPABILITY_NOT_ACTIVE')
  const quote = { from_currency: 'USD', to_currency: 'NGN', from_amount: '10.00' }
  assertError(await merchant.call('POST', '/v1/conversions/quotes', quote), 400, 'ACCOUNT_NOT_ACTIVATED')
})

test('in live the bank names the holder of an NGN account, and a destination keeps that name', async () => {
  const bankAccount = { currency: 'NGN', bank_code: '011', account_number: '0000014579' }
  const resolve = (body: object) => merchant.call('POST', '/v1/payouts/destinations/resolve', body)
  assert.equal((await resolve(bankAccount)).body['account_name'], 'ADA OBI')
  const named = { name: 'Main', type: 'bank_account', account_name: 'Somebody Else', ...bankAccount }
  const key = { 'idempotency-key': 'one destination' }
  const made = await merchant.call('POST', '/v1/payouts/destinations', named, key)
  assert.deepEqual([made.status, made.body['account_name']], [201, 'ADA OBI'])
  double.fails('GET /bank/resolve', 500)
  const again = await merchant.call('POST', '/v1/payouts/destinations', named, key)
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [made.text, 'true'])
  assertError(await resolve(bankAccount), 503, 'SERVICE_UNAVAILABLE')
  const ofGhana = { currency: 'GHS', bank_code: '040100', account_number: '1400001234567' }
  assertError(await resolve(ofGhana), 400, 'CURRENCY_NOT_SUPPORTED')
})

/** Sends a callback as Paystack does. */
async function sendCallback(event: string, data: object): Promise<void> {
  const { body, signature } = callbackOf(secretKey, event, data)
  const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature }
  const path = `${stack.baseUrl}/rails/paystack/callbacks`
  assert.equal((await fetch(path, { method: 'POST', headers, body: new Uint8Array(body) })).status, 200)
}
const notify = (made: Transaction) => sendCallback('charge.success', chargeData(made))

/** Hears a callback of Paystack's, and takes it up as the endpoint does. Returns whether anything was done. */
async function deliver(made: Transaction, said: object = {}): Promise<boolean[]> {
  const { body, signature } = callbackOf(secretKey, 'charge.success', { ...chargeData(made), ...said })
  const header = (name: string) => (name === 'x-paystack-signature' ? signature : undefined)
  const now = await stack.clock.now()
  const news = await stack.services.providers.readCallback('paystack', { bytes: body, header, now })
  assert.ok(news !== null && news !== 'forged')
  return Promise.all(news.map((each) => takeUp(each, now)))
}
const takeUp = (news: RailNews, now: number): Promise<boolean> =>
  inTransaction(stack.services.database, (em) => {
    assert.ok(news.about === 'virtual_account')
    return takeUpNotice(em, news, now)
  })

let transfers = 0
/** Somebody sends 10,000.50 naira, of which Paystack has or will have this status. */
function send({ account_number }: Account, status = 'success'): Transaction {
  const made = double.deposits(`17612345678${++transfers}xyz`, account_number, 1_000_050n)
  return Object.assign(made, { status })
}
async function paymentsOf({ virtual_account_id }: Account): Promise<string[]> {
  const rows = await stack.sql<{ id: string }>('select id from deposits where virtual_account_id = ? order by id', [
    virtual_account_id,
  ])
  return rows.map(({ id }) => id)
}
async function onlyPaymentOf(account: Account): Promise<string> {
  const ids = await paymentsOf(account)
  assert.equal(ids.length, 1)
  await stack.dispatched()
  return String(ids[0])
}
const account = await open({ customer_id: await addCustomer({ email: 'payer@example.org' }) })

test('a transfer into a live account is money of its customer, with what Paystack tells of the sender', async () => {
  const made = send(account)
  await notify(made)
  const id = await onlyPaymentOf(account)
  assert.equal(await stack.finished('deposit', id), 'settled')
  assert.deepEqual(await deliver(made), [false], 'a transfer that is posted is no news')
  await stack.dispatched()
  const payment = await merchant.getPayment(id)
  const { status, amount_received, payment_method, payment_method_details, customer } = payment
  assert.deepEqual([status, amount_received, payment_method], ['succeeded', '10000.50', 'NGN_BANK_TRANSFER'])
  assert.deepEqual(customer, { id: account.customer_id, email: 'payer@example.org', name: 'Ada Obi' })
  assert.deepEqual(payment_method_details, {
    sender_name: 'Ada Obi',
    sender_bank: null,
    sender_account_number: 'XXXXXX4321',
    session_id: made.reference,
    account_number: account.account_number,
  })
  assert.deepEqual(await eventsAbout(stack, id), ['collection.succeeded'])
  const reader = stack.database.orm.em.fork()
  const { available } = await readBalance(reader, tenant, 'merchant', 'NGN', (await stack.clock.now()) + 1_000)
  assert.equal(available, '9900.49')
})

test('a transfer into a live account is refunded by what Paystack calls it, and what returns is heard of', async () => {
  const to = await open({ customer_id: await addCustomer() })
  const made = send(to)
  await deliver(made)
  const id = await onlyPaymentOf(to)
  assert.equal(await stack.finished('deposit', id), 'settled')
  const { refund_id } = await merchant.refund(id, { amount: 100 })
  await stack.dispatched()
  await settled(stack.client, 'refund', refund_id)
  const [refund, ...more] = double.refundsOf(refund_id)
  assert.deepEqual([refund?.transaction, refund?.amount, more], [made.id, 10_000n, []])
  const statusOf = async () => (await merchant.getRefund(refund_id))['status']
  for (const [said, status] of [['processed', 'succeeded'] as const, ['failed', 'failed'] as const]) {
    double.settleRefund(refund_id, said)
    await sendCallback(`refund.${said}`, refundData(made.reference, said))
    await stack.dispatched()
    await until(async () => (await statusOf()) === status, `the refund has ${status}`)
    assert.equal(await stack.finished('refund', refund_id), status)
  }
})

test('a transfer into the account’s own number is a payment of nobody, also in its event', async () => {
  const { merchant: other } = await addLiveMerchant(stack, api)
  const own = await open({ phone_number: '+2348012345679' }, other)
  await deliver(send(own))
  const id = await onlyPaymentOf(own)
  assert.equal(await stack.finished('deposit', id), 'settled')
  const { customer, customer_details, status } = await other.getPayment(id)
  assert.deepEqual([status, customer, customer_details], ['succeeded', null, null])
  const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [id])
  assert.equal(JSON.parse(event?.body ?? '{}').data.customer, null)
  const { items } = pageOf(await other.call('GET', '/v1/payments'))
  assert.equal(items[0]?.['customer'], null)
})

test('a number that no live account has is nobody’s money, also where one of the sandbox has it', async () => {
  const sandbox = await api.addKey({ accountId })
  const theirs = await openInSandbox(sandbox.merchant, 'ada@example.org')
  const made = send({ ...account, account_number: theirs.account_number })
  assert.deepEqual(await deliver(made), [false])
  const other = await open({ customer_id: await addCustomer() })
  await stack.sql('update virtual_accounts set account_number = ? where id = ?', [
    other.account_number,
    theirs.virtual_account_id,
  ])
  assert.deepEqual(await deliver(send(other)), [true])
  assert.equal(await stack.finished('deposit', await onlyPaymentOf(other)), 'settled')
  assert.deepEqual(await paymentsOf({ ...other, virtual_account_id: theirs.virtual_account_id }), [])
})

/** A transfer that Paystack has told of, and does not call a success; its payment once the process only waits. */
async function held(status: string): Promise<{ to: Account; made: Transaction; id: string }> {
  const to = await open({ customer_id: await addCustomer() })
  const made = send(to, status)
  assert.deepEqual(await deliver(made), [true])
  const id = await onlyPaymentOf(to)
  await settled(stack.client, 'deposit', id)
  assert.equal((await merchant.getPayment(id))['status'], 'processing')
  return { to, made, id }
}

test('a transfer that was taken back before it was posted is never posted', async () => {
  const { to, made, id } = await held('reversed')
  await stack.skip(3 * 3_600_000)
  assert.deepEqual(await deliver(made), [true])
  await stack.dispatched()
  await settled(stack.client, 'deposit', id)
  assert.deepEqual([await paymentsOf(to), await eventsAbout(stack, id)], [[id], []])
  assert.equal(stateOf(await ada.onPayment(id, 'mark-failed', order)), 'executed')
  assert.equal(await stack.finished('deposit', id), 'failed')
})

test('a transfer that Paystack takes back after it was posted changes nothing here', async () => {
  const to = await open({ customer_id: await addCustomer() })
  const made = send(to)
  await deliver(made)
  const id = await onlyPaymentOf(to)
  assert.equal(await stack.finished('deposit', id), 'settled')
  made.status = 'reversed'
  assert.deepEqual(await deliver(made), [false])
  assert.equal((await merchant.getPayment(id))['status'], 'succeeded')
})

test('at the end Paystack’s own lists and our books agree about everything that has moved', async () => {
  const paystack = { secretKey, callbackSecrets: [secretKey], url: double.url, livemode: true }
  await assertBooksAgree(stack.database, 'paystack', { paystack })
})

// The last one: the line to Paystack rests after it.
test('a bank that hangs holds no connection: many calls wait for it, and others are answered', async () => {
  double.fails('GET /customer', 'hang', 40)
  double.fails('GET /bank/resolve', 'hang', 40)
  const bankAccount = { currency: 'NGN', bank_code: '011', account_number: '0000014579' }
  const destination = { name: 'Main', type: 'bank_account', ...bankAccount }
  const ids = await Promise.all(Array.from({ length: 12 }, () => addCustomer()))
  const waiting = [
    ...ids.map((customer_id) => request({ customer_id })),
    ...ids.map(() => merchant.call('POST', '/v1/payouts/destinations', destination)),
    ...ids.map(() => merchant.call('POST', '/v1/payouts/destinations/resolve', bankAccount)),
  ]
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const startedAt = performance.now()
  for (let call = 0; call < 10; call++) assert.equal((await merchant.call('GET', '/v1/virtual-accounts')).status, 200)
  assert.ok(performance.now() - startedAt < 3_000)
  for (const reply of await Promise.all(waiting)) assertError(reply, 503, 'SERVICE_UNAVAILABLE')
  const laterAt = performance.now()
  assertError(await request({ customer_id: ids[0] }), 503, 'SERVICE_UNAVAILABLE')
  assert.ok(performance.now() - laterAt < 2_000, 'a bank that has failed so often keeps nobody waiting')
})
