import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Compile } from 'typebox/compile'
import type { Environment } from '../../domain/access/scope.ts'
import type { CapabilityStatus } from '../../domain/platform/capability.ts'
import { newId } from '../../domain/id.ts'
import { isNuban, nubanOf } from '../../domain/nuban.ts'
import { VirtualAccount } from '../../schemas/platform/virtual-account.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { changeKey, addCapability } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addCustomer, depositInto, requestAccount, openAccount } from '../support/virtual-account.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const decide = (accountId: string, environment: Environment, status: CapabilityStatus) =>
  addCapability(stack, { accountId, environment }, 'virtual_accounts', status)

test('a check digit follows the rule of the Central Bank, for bank codes of three and of six digits', () => {
  assert.equal(nubanOf('011', 1457), '0000014579') // the example of its standard
  assert.ok(isNuban('011', '0000014579'))
  assert.ok(isNuban('000011', '0000014579'), 'leading zeros of a code change nothing')
  for (const wrong of ['0000014578', '0000014597', '000014579', '00000145790', '000001457x', '']) {
    assert.ok(!isNuban('011', wrong), wrong)
  }
  assert.ok(!isNuban('058', '0000014579'), 'another bank’s check digit')
  for (let serial = 0; serial < 2_000; serial += 7) assert.ok(isNuban('999', nubanOf('999', serial)))
})

test('a customer gets one permanent account number: first 201, then 200 with the same number', async () => {
  const customer = await addCustomer(stack.merchant, { email: 'once@example.com', name: 'Once' })
  const made = await requestAccount(stack.merchant, customer)
  assert.equal(made.status, 201, made.text)
  assert.ok(Compile(VirtualAccount).Check(made.body))
  const { virtual_account_id: id, account_number, ...rest } = made.body
  assert.ok(isNuban('999', String(account_number)))
  assert.deepEqual(
    { ...rest, created_at: null },
    {
      account_name: 'Ada Buyer',
      bank_name: 'Sandbox Bank',
      bank_code: '999',
      currency: 'NGN',
      status: 'active',
      customer_id: customer,
      created_at: null,
    },
  )
  const again = await requestAccount(stack.merchant, customer, { account_name: 'Another name' })
  assert.deepEqual([again.status, again.text], [200, made.text])
  const read = await stack.merchant.call('GET', `/v1/virtual-accounts/${String(id)}`)
  assert.deepEqual([read.status, read.text], [200, made.text])
})

test('creations at once all answer with the same number, and only one of them is 201', async () => {
  const customer = await addCustomer(stack.merchant, { email: 'at-once@example.com' })
  const replies = await Promise.all(Array.from({ length: 10 }, () => requestAccount(stack.merchant, customer)))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [...Array<number>(9).fill(200), 201])
})

test('an idempotency key replays the status too', async () => {
  const customer_id = await addCustomer(stack.merchant, { email: 'replayed@example.com' })
  const body = { customer_id, currency: 'NGN', account_name: 'Replayed' }
  const send = (key: string) => stack.merchant.call('POST', '/v1/virtual-accounts', body, { 'idempotency-key': key })
  const answers = []
  for (const key of ['first', 'first', 'second', 'second']) {
    const { status, headers } = await send(key)
    answers.push([status, headers.get('idempotent-replayed')])
  }
  assert.deepEqual(answers, [[201, null], [201, 'true'], [200, null], [200, 'true']]) // prettier-ignore
})

test('a number that is already taken is replaced by a new one', async () => {
  const { account_number: taken } = await openAccount(stack.merchant, 'first@example.com')
  await stack.sql('create sequence draws')
  await stack.sql(`create function draw_taken() returns trigger language plpgsql as $$
    begin
      if nextval('draws') <= 2 then new.account_number := '${taken}'; end if;
      return new;
    end $$`)
  await stack.sql('create trigger unlucky before insert on virtual_accounts for each row execute function draw_taken()')
  const { account_number: other } = await openAccount(stack.merchant, 'unlucky@example.com')
  assert.notEqual(other, taken)
  assert.ok(isNuban('999', other))
  const [drawn] = await stack.sql('select last_value::int as count from draws')
  assert.deepEqual(drawn, { count: 3 })
})

test('the list is newest first, pages, and filters by customer', async () => {
  const { merchant } = await api.addMerchant()
  const list = async (query: string) => pageOf(await merchant.call('GET', `/v1/virtual-accounts${query}`))
  const made = []
  for (const name of ['a', 'b', 'c']) made.push((await openAccount(merchant, `${name}@example.com`)).virtual_account_id)
  const first = await list('?limit=2')
  assert.equal(first.pagination.total, 3)
  const rest = await list(`?limit=2&cursor=${first.pagination.next_cursor}`)
  const ids = [...first.items, ...rest.items].map((item) => item['virtual_account_id'])
  assert.deepEqual(ids, made.toReversed())
  const [newest] = first.items
  const mine = await list(`?customer_id=${String(newest?.['customer_id'])}`)
  assert.deepEqual(mine.items, [newest])
  assert.deepEqual((await list(`?customer_id=${newId('cust', Date.now())}`)).items, [])
})

test('a customer that is unknown or another account’s is NOT_FOUND', async () => {
  const other = await api.addMerchant()
  const theirs = await addCustomer(other.merchant, { email: 'theirs@example.com' })
  for (const id of [newId('cust', Date.now()), theirs, 'cust_', 'nonsense']) {
    assertError(await requestAccount(stack.merchant, id), 404, 'NOT_FOUND')
  }
})

test('another currency is refused, and so is a body that lacks a field', async () => {
  const customer = await addCustomer(stack.merchant, { email: 'currency@example.com' })
  for (const currency of ['USD', 'GHS', 'ghs']) {
    assertError(await requestAccount(stack.merchant, customer, { currency }), 400, 'CURRENCY_NOT_SUPPORTED')
  }
  assertFieldErrors(await requestAccount(stack.merchant, customer, { account_name: ' ', currency: 5 }), {
    account_name: 'value_error.format',
    currency: 'value_error.type',
  })
  assertFieldErrors(await stack.merchant.call('POST', '/v1/virtual-accounts', {}), {
    currency: 'value_error.missing',
  })
})

test('without a customer it is the account’s own, once, also for calls at once', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const create = (body: object = {}) => merchant.call('POST', '/v1/virtual-accounts', { currency: 'NGN', ...body })
  const replies = await Promise.all(Array.from({ length: 10 }, () => create()))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [...Array<number>(9).fill(200), 201])
  const [own] = replies
  assert.ok(Compile(VirtualAccount).Check(own?.body))
  assert.deepEqual([own?.body['customer_id'], own?.body['account_name']], [null, 'Another Organization'])
  const again = await create({ customer_id: null, account_name: 'Another name' })
  assert.deepEqual([again.status, again.text], [200, own?.text])
  const customer_id = await addCustomer(merchant, { email: 'beside@example.com', name: 'Beside Them' })
  const theirs = await create({ customer_id })
  assert.deepEqual([theirs.status, theirs.body['account_name']], [201, 'Beside Them'])
  const nameless = await create({ customer_id: await addCustomer(merchant, { email: 'nameless@example.com' }) })
  assert.deepEqual([nameless.status, nameless.body['account_name']], [201, 'Another Organization'])
  const { items } = pageOf(await merchant.call('GET', '/v1/virtual-accounts'))
  assert.equal(items.length, 3)
  const other = await api.addMerchant()
  assert.notEqual((await requestAccount(other.merchant, '', { customer_id: null })).text, own?.text)
  await assert.rejects(
    stack.sql(
      `insert into virtual_accounts (id, account_id, environment, currency, account_number, account_name, bank_code,
         bank_name, created_at) values ('va_second', ?, 'sandbox', 'NGN', '0000000000', 'x', '999', 'x', now())`,
      [accountId],
    ),
    /virtual_accounts_own/,
  )
})

test('a transfer into the account’s own number is a payment of nobody', async () => {
  const { merchant } = await api.addMerchant()
  const { body } = await merchant.call('POST', '/v1/virtual-accounts', { currency: 'NGN' })
  const own = body as unknown as { virtual_account_id: string; account_number: string; customer_id: string }
  const deposit = await depositInto(merchant, own, { amount: '5000.00' })
  assert.deepEqual([deposit.status, deposit.body['status'], deposit.body['customer']], [200, 'succeeded', null])
  assert.equal(deposit.body['customer_details'], null)
})

test('CAPABILITY_NOT_ACTIVE: live accounts need it, and sandbox accounts have it until it is removed', async () => {
  const accountId = await api.addAccount()
  const live = await api.addKey({ accountId, environment: 'live' })
  const create = () => requestAccount(live.merchant, newId('cust', Date.now()))
  assertError(await create(), 403, 'CAPABILITY_NOT_ACTIVE')
  await decide(accountId, 'live', 'active')
  assertError(await create(), 400, 'ACCOUNT_NOT_ACTIVATED') // no live bank gives numbers yet

  for (const status of ['inactive', 'pending', 'restricted'] as const) {
    const { merchant, accountId: own } = await api.addMerchant()
    const account = await openAccount(merchant, 'ada@example.com')
    await decide(own, 'sandbox', status)
    assertError(await requestAccount(merchant, account.customer_id), 403, 'CAPABILITY_NOT_ACTIVE')
    assert.equal((await merchant.call('GET', `/v1/virtual-accounts/${account.virtual_account_id}`)).status, 200)
  }
})

test('a platform opens accounts for its connected accounts, if their own capability allows it', async () => {
  const connected = await api.addConnected(stack.organizationId)
  const { merchant } = await api.addKey({ accountId: connected })
  const customer_id = await addCustomer(merchant, { email: 'theirs@example.com' })
  const act = () =>
    stack.merchant.call(
      'POST',
      '/v1/virtual-accounts',
      { customer_id, currency: 'NGN', account_name: 'Connected' },
      { 'x-account-id': connected },
    )
  const { status, body } = await act()
  assert.equal(status, 201)
  const path = `/v1/virtual-accounts/${String(body['virtual_account_id'])}`
  assert.equal((await merchant.call('GET', path)).status, 200)
  assertError(await stack.merchant.call('GET', path), 404, 'NOT_FOUND')
  await decide(connected, 'sandbox', 'restricted')
  assertError(await act(), 403, 'CAPABILITY_NOT_ACTIVE')
})

test('a key without the scopes is refused until it gets them', async () => {
  const { id, key, merchant } = await api.addKey({ accountId: await api.addAccount(), scopes: ['payments:write'] })
  const list = () =>
    stack.merchant.call('GET', '/v1/virtual-accounts', undefined, { ...bearer(key), ...fromAnywhere() })
  assertError(await list(), 403, 'FORBIDDEN')
  assertError(await requestAccount(merchant, 'cust_'), 403, 'FORBIDDEN')
  await changeKey(stack, { id }, { scopes: ['virtual_accounts:read', 'virtual_accounts:write'] })
  await sleep(1_100) // each API process reads it within a second
  assert.equal((await list()).status, 200)
  assertError(await requestAccount(merchant, 'cust_'), 404, 'NOT_FOUND')
})
