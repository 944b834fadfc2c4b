import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { newId } from '../../domain/id.ts'
import { CollectionSucceeded } from '../../schemas/checkout/collection-event.ts'
import { ListedPayment, Payment } from '../../schemas/checkout/payment.ts'
import { readBalance } from '../support/ledger.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { transferSale } from '../support/merchant.ts'
import { changeAccount, countRows, addCapability } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { depositInto, openAccount } from '../support/virtual-account.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const account = await openAccount(stack.merchant, 'ada@example.com')

const send = (body: Record<string, unknown>, into = account) => depositInto(stack.merchant, into, body)

const count = (from: string, params: unknown[] = []) => countRows(stack, from, params)

const details = () => ({
  sender_name: 'Chidi Sender',
  sender_bank: 'First Bank',
  sender_account_number: '0123456789',
  session_id: '100001',
  account_number: account.account_number,
})

test('a deposit is a payment without a session, with the payer’s details and a fee', async () => {
  const body = { amount: '5000.00', sender_name: 'Chidi Sender', sender_bank: 'First Bank', session_id: '100001' }
  const { status, body: payment, text } = await send(body)
  assert.equal(status, 200, text)
  assert.ok(Compile(Payment).Check(payment))
  const { payment_id: id, created_at: _created, updated_at: _updated, completed_at, ...rest } = payment
  assert.deepEqual(rest, {
    status: 'succeeded',
    amount: '5000.00',
    amount_received: '5000.00',
    currency: 'NGN',
    fee_usd: '0.03',
    fee_preference: 'org_pays',
    billing_reason: 'purchase',
    payment_method: 'NGN_BANK_TRANSFER',
    customer: {
      id: account.customer_id,
      email: 'ada@example.com',
      name: 'Ada Buyer',
    },
    customer_details: {
      email: 'ada@example.com',
      name: 'Ada Buyer',
    },
    base_amount: '5000.00',
    base_currency: 'NGN',
    rate: null,
    line_items: null,
    checkout_id: null,
    subscription_id: null,
    invoice: null,
    reference: null,
    platform_fee: null,
    transfer_amount: null,
    refunded_amount: '0.00',
    refund_status: 'none',
    disputed: false,
    failure_code: null,
    failure_message: null,
    metadata: {},
    payment_method_details: details(),
  })
  assert.equal(typeof completed_at, 'string')
  assert.equal((await stack.merchant.call('GET', `/v1/payments/${String(id)}`)).text, text)
})

test('the payment is in the list, by customer too, without the payer’s details', async () => {
  for (const query of ['', `?customer_id=${account.customer_id}&payment_method=NGN_BANK_TRANSFER`]) {
    const { items } = pageOf(await stack.merchant.call('GET', `/v1/payments${query}`))
    const item = items.find(({ checkout_id }) => checkout_id === null)
    assert.ok(Compile(ListedPayment).Check(item))
    assert.equal('payment_method_details' in item, false)
  }
})

test('the event has no session, but the settled amount and the payer’s details', async () => {
  const [row] = await stack.sql<{ body: string }>(
    `select e.body from events e join deposits d on d.id = e.resource_id where d.session_id = '100001'`,
  )
  const { type, data } = JSON.parse(row?.body ?? '{}')
  assert.equal(type, 'collection.succeeded')
  assert.ok(Compile(CollectionSucceeded).Check(data))
  const { payment_id: _id, completed_at: _at, ...rest } = data
  assert.deepEqual(rest, {
    checkout_id: null,
    reference: null,
    amount: '5000.00',
    currency: 'NGN',
    status: 'success',
    metadata: {},
    customer: {
      email: 'ada@example.com',
      name: 'Ada Buyer',
    },
    payment_method: 'NGN_BANK_TRANSFER',
    settlement_amount: '4950.00',
    settlement_currency: 'NGN',
    payment_method_details: details(),
  })
})

test('the settled amount is available at once, and the merchant always pays the fee, which is capped', async () => {
  const { merchant, accountId } = await api.addMerchant()
  await changeAccount(stack, accountId, { feePreference: 'customer_pays' })
  const into = await openAccount(merchant, 'rich@example.com')
  for (const amount of ['1000000', '0.01', '100.5']) {
    const { body } = await depositInto(merchant, into, { amount })
    assert.deepEqual([body['status'], body['fee_preference']], ['succeeded', 'org_pays'])
  }
  const owner = { accountId, environment: 'sandbox' as const }
  const balance = (book: 'merchant' | 'fees') =>
    readBalance(stack.database.orm.em.fork(), owner, book, 'NGN', Date.now() + 1_000)
  assert.deepEqual(await balance('merchant'), { available: '999799.5', pending: '0' })
  assert.deepEqual(await balance('fees'), { available: '301.01', pending: '0' })
})

test('a deposit without details of the sender is posted, and the details are null', async () => {
  const unnamed = { sender_name: null, sender_bank: null, sender_account_number: null, session_id: '150001' }
  const { status, body } = await send({ amount: '800.00', ...unnamed })
  assert.deepEqual([status, body['status']], [200, 'succeeded'])
  const empty = { ...unnamed, account_number: account.account_number }
  assert.deepEqual(body['payment_method_details'], empty)
  const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [
    body['payment_id'],
  ])
  assert.deepEqual(JSON.parse(event?.body ?? '').data.payment_method_details, empty)
  const masked = await send({ amount: '800.00', ...unnamed, sender_account_number: '******6789', session_id: '150002' })
  const shown = masked.body['payment_method_details'] as unknown as Record<string, unknown>
  assert.equal(shown['sender_account_number'], '******6789')
})

test('the same session id is the same payment, whatever else is sent with it', async () => {
  const first = await send({ amount: '700.00', session_id: '200001' })
  const again = await send({ amount: '900.00', session_id: '200001', sender_name: 'Somebody Else' })
  assert.deepEqual([again.status, again.text], [200, first.text])
})

test('twenty notices of one transfer at once make one payment and one event', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => send({ amount: '300.00', session_id: '200002' })))
  const ids = new Set(replies.map(({ body }) => body['payment_id']))
  assert.equal(ids.size, 1)
  assert.deepEqual(
    [...new Set(replies.map(({ status, body }) => `${status} ${String(body['status'])}`))],
    ['200 succeeded'],
  )
  const [id] = ids
  assert.equal(await count(`events where resource_id = ?`, [id]), 1)
  assert.equal(await count(`ledger_transactions where source_id = ?`, [id]), 1)
})

test('an idempotency key sends one transfer, and without one each call sends another', async () => {
  const keyed = () => depositInto(stack.merchant, account, { amount: '20.00' }, { 'idempotency-key': 'one transfer' })
  const ids = []
  for (const { body } of [
    await keyed(),
    await keyed(),
    await send({ amount: '20.00' }),
    await send({ amount: '20.00' }),
  ])
    ids.push(body['payment_id'])
  assert.equal(ids[0], ids[1])
  assert.equal(new Set(ids).size, 3)
})

test('CONFLICT: a transfer belongs to one virtual account or session', async () => {
  const other = await openAccount(stack.merchant, 'other@example.com')
  await send({ amount: '10.00', session_id: '300001' })
  assertError(await send({ amount: '10.00', session_id: '300001' }, other), 409, 'CONFLICT')

  const { payment_id } = await stack.merchant.payByTransfer(await stack.merchant.createCheckout(transferSale))
  assertError(await stack.merchant.deposit(payment_id, { session_id: '300001' }), 409, 'CONFLICT')
  await stack.merchant.deposit(payment_id, { session_id: '300002' })
  assertError(await send({ amount: '10.00', session_id: '300002' }), 409, 'CONFLICT')
})

test('one transfer that is sent to two accounts at once is posted to one of them', async () => {
  const other = await openAccount(stack.merchant, 'crossing@example.com')
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      send({ amount: '10.00', session_id: '300003' }, index % 2 ? other : account),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [
    ...Array<number>(5).fill(200),
    ...Array<number>(5).fill(409),
  ])
})

test('the payment of a deposit accepts no further transfer', async () => {
  const { body } = await send({ amount: '10.00' })
  assertError(await stack.merchant.deposit(String(body['payment_id']), { amount: '1.00' }), 409, 'CONFLICT')
})

test('a deposit needs a valid amount, sender name and session id', async () => {
  assertFieldErrors(await send({}), { amount: 'value_error.missing' })
  assertFieldErrors(await send({ amount: '0.00' }), { amount: 'value_error.range' })
  assertFieldErrors(await send({ amount: '1.001' }), { amount: 'value_error.format' })
  const invalid = { amount: 5, sender_name: ' ', session_id: 'x y' }
  assertFieldErrors(await send(invalid), {
    amount: 'value_error.type',
    sender_name: 'value_error.format',
    session_id: 'value_error.format',
  })
})

test('live keys cannot simulate, and another account’s virtual account is answered like a missing one', async () => {
  const live = await api.addKey({ environment: 'live' })
  assertError(await depositInto(live.merchant, account, { amount: '1.00' }), 400, 'SIMULATION_NOT_ALLOWED')
  const { merchant } = await api.addMerchant()
  assertError(await depositInto(merchant, account, { amount: '1.00' }), 404, 'NOT_FOUND')
  const missing = { ...account, virtual_account_id: newId('va', Date.now()) }
  assertError(await send({ amount: '1.00' }, missing), 404, 'NOT_FOUND')
})

test('a deposit is posted although the capability is restricted, because the bank already has the money', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const into = await openAccount(merchant, 'restricted@example.com')
  await addCapability(stack, { accountId, environment: 'sandbox' }, 'virtual_accounts', 'restricted')
  const { body } = await depositInto(merchant, into, { amount: '40.00' })
  assert.equal(body['status'], 'succeeded')
})
