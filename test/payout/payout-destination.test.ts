import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { createRails } from '../../rails/index.ts'
import { PayoutDestination } from '../../schemas/payout/destination.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import {
  approve,
  requestChange,
  requestRegistration,
  change,
  leftOpen,
  destinationPath,
  register,
  registerApproved,
} from '../support/destination.ts'
import { destinations, type Rail } from '../support/destination-examples.ts'
import { curlsIn } from '../support/guide.ts'
import { createMerchant } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const reviewer = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })

const others = ['account_number', 'account_name', 'bank_code', 'bank_name', 'scheme', 'phone_number'].concat(
  'mobile_provider',
  'wallet_address',
  'network',
)

for (const rail of Object.keys(destinations) as Rail[]) {
  test(`a destination on the rail ${rail} is registered, and fields of other types are null`, async () => {
    const { created_at, updated_at, id, ...made } = await register(stack.merchant, rail, { metadata: { book: 'a' } })
    assert.ok(Compile(PayoutDestination).Check({ created_at, updated_at, id, ...made }))
    const sent: Record<string, unknown> = destinations[rail]
    const derived: Record<string, unknown> = {}
    if (sent['type'] === 'bank_account') derived['account_name'] = rail === 'NGN' ? 'Kunle Lawal' : 'Demo Organization'
    if (sent['type'] === 'crypto_wallet') derived['network'] = rail.split('_')[1]
    if (/^(NGN|GHS|KES|TZS|UGX)$/.test(rail)) derived['bank_name'] = made['bank_name']
    assert.deepEqual(made, {
      ...Object.fromEntries(others.map((field) => [field, null])),
      name: 'Main account',
      status: 'pending_review',
      status_reason: null,
      is_usable: false,
      is_default: false,
      reviewed_at: null,
      deactivated_at: null,
      metadata: { book: 'a' },
      ...sent,
      ...derived,
    })
    if ('bank_name' in derived) assert.ok(derived['bank_name'])
  })
}

test('a currency without a rail is refused by its code, and one of another type as a field error', async () => {
  for (const currency of ['JPY', 'jpy', 'USDT', 'BNB_BEP20', 'ETH_ETH', 'XAF', 'toString']) {
    assertError(await requestRegistration(stack.merchant, 'NGN', { currency }), 400, 'CURRENCY_NOT_SUPPORTED')
    const untyped = { name: 'Main account', currency }
    assertError(await stack.merchant.call('POST', '/v1/payouts/destinations', untyped), 400, 'CURRENCY_NOT_SUPPORTED')
  }
  const off = {
    mobile_money: ['UGX', 'NGN', 'USD', 'USDT_TRC20'],
    crypto_wallet: ['USD', 'KES'],
    bank_account: ['USDT_SOL'],
  }
  for (const [type, currencies] of Object.entries(off)) {
    for (const currency of currencies) {
      const body = { name: 'A', type, currency }
      const errors = assertError(
        await stack.merchant.call('POST', '/v1/payouts/destinations', body),
        400,
        'VALIDATION_ERROR',
      )
      assert.deepEqual(
        errors.map(({ field }) => field),
        ['currency'],
      )
    }
  }
})

test('the type is required under either name, `type` wins, and a stablecoin implies it', async () => {
  const { type, ...untyped } = destinations.NGN
  const post = (body: object) => stack.merchant.call('POST', '/v1/payouts/destinations', { name: 'A', ...body })
  assertFieldErrors(await post(untyped), { type: 'value_error.missing' })
  assert.equal((await post({ ...untyped, destination_type: type })).status, 201)
  assert.equal((await post({ ...untyped, type, destination_type: 'mobile_money' })).body['type'], type)
  const { type: wallet, ...coins } = destinations.USDT_TRC20
  assert.equal((await post(coins)).body['type'], wallet)
})

test('all errors of a registration are listed at once', async () => {
  const body = {
    ...destinations.USD,
    name: '',
    scheme: 'sepa',
    bank_code: '021000022',
    account_number: '12',
    metadata: 5,
  }
  assertFieldErrors(await stack.merchant.call('POST', '/v1/payouts/destinations', body), {
    name: 'value_error.range',
    metadata: 'value_error.type',
    scheme: 'value_error.enum',
    bank_code: 'value_error.format',
    account_number: 'value_error.format',
  })
  assertFieldErrors(
    await stack.merchant.call('POST', '/v1/payouts/destinations', { currency: 'CAD', type: 'bank_account' }),
    {
      name: 'value_error.missing',
      account_number: 'value_error.missing',
      bank_code: 'value_error.missing',
      scheme: 'value_error.missing',
    },
  )
  const long = Object.entries({
    name: 255,
    currency: 10,
    account_number: 50,
    account_name: 255,
    bank_code: 20,
    bank_name: 255,
    phone_number: 20,
    mobile_provider: 50,
    wallet_address: 255,
    network: 50,
  })
  const tooLong = Object.fromEntries(long.map(([field, most]) => [field, 'x'.repeat(most + 1)]))
  const errors = assertError(await requestChange(stack.merchant, { id: 'pd_' }, tooLong), 400, 'VALIDATION_ERROR')
  assert.deepEqual(errors.map(({ field }) => field).toSorted(), long.map(([field]) => field).toSorted())
})

test('the list is newest first, pages, and filters by status, currency and type', async () => {
  const { merchant } = await api.addMerchant()
  const list = async (query: string) => pageOf(await merchant.call('GET', `/v1/payouts/destinations${query}`))
  const made = []
  for (const rail of ['NGN', 'USDT_SOL', 'wallet_KES'] as const) made.push((await register(merchant, rail)).id)
  const usable = await registerApproved(merchant, reviewer)
  const first = await list('?limit=3')
  const rest = await list(`?limit=3&cursor=${first.pagination.next_cursor}`)
  const ids = [...first.items, ...rest.items].map(({ id }) => id)
  assert.deepEqual([ids, first.pagination.total], [[usable.id, ...made.toReversed()], 4])
  assert.deepEqual(
    (await list('?type=crypto_wallet')).items.map(({ id }) => id),
    [made[1]],
  )
  assert.deepEqual(
    (await list('?currency=KES')).items.map(({ id }) => id),
    [made[2]],
  )
  assert.ok((await list('?status=approved')).items.some(({ id }) => id === usable.id))
  assert.equal((await merchant.call('GET', '/v1/payouts/destinations?status=deleted')).status, 400)
})

test('the same routing may be registered twice, as two destinations', async () => {
  const [one, other] = [await register(stack.merchant), await register(stack.merchant)]
  assert.notEqual(one.id, other.id)
})

test('an idempotency key registers once', async () => {
  const body = { name: 'Once', ...destinations.NGN }
  const send = () => stack.merchant.call('POST', '/v1/payouts/destinations', body, { 'idempotency-key': 'register-1' })
  const [first, second] = [await send(), await send()]
  assert.deepEqual([second.text, second.headers.get('idempotent-replayed')], [first.text, 'true'])
})

test('a platform registers destinations for its connected accounts, and other accounts do not see them', async () => {
  const connected = await api.addConnected(stack.organizationId)
  const body = { name: 'Theirs', ...destinations.GBP }
  const made = await stack.merchant.call('POST', '/v1/payouts/destinations', body, { 'x-account-id': connected })
  assert.deepEqual([made.status, made.body['account_name']], [201, 'Another Organization'])
  const { merchant } = await api.addKey({ accountId: connected })
  assert.equal((await merchant.call('GET', destinationPath({ id: String(made.body['id']) }))).status, 200)
  const other = await api.addMerchant()
  for (const each of [stack.merchant, other.merchant]) {
    assertError(await each.call('GET', destinationPath({ id: String(made.body['id']) })), 404, 'NOT_FOUND')
  }
})

test('live: check digits are checked, no bank names a holder yet, and only a reviewer approves', async () => {
  const { merchant } = await api.addMerchant('live')
  assertFieldErrors(await requestRegistration(merchant, 'NGN', { account_number: '0000014578', bank_code: '011' }), {
    account_number: 'value_error.format',
  })
  const right = { account_number: '0000014579', bank_code: '011' } // the example of the Central Bank's standard
  assertError(await requestRegistration(merchant, 'NGN', right), 400, 'ACCOUNT_NOT_ACTIVATED')
  assertError(
    await merchant.call('POST', '/v1/payouts/destinations/resolve', { currency: 'NGN', ...right }),
    400,
    'ACCOUNT_NOT_ACTIVATED',
  )
  const pounds = await register(merchant, 'GBP')
  assertError(await requestChange(merchant, pounds, { type: 'mobile_money', currency: 'NGN' }), 400, 'VALIDATION_ERROR')
  const [review] = await stack.sql('select environment, state from reviews where resource_id = ?', [pounds.id])
  assert.deepEqual(review, { environment: 'live', state: 'open' })
  await stack.dispatched()
  const { raw } = await stack.client.workflow.getHandle(`destination/${pounds.id}`).describe()
  assert.ok(raw)
  await until(async () => {
    const { pendingActivities = [] } = (await stack.client.workflow.getHandle(`destination/${pounds.id}`).describe())
      .raw
    return (pendingActivities ?? []).length === 0
  }, 'its process waits')
  assert.equal((await approve(merchant, reviewer, pounds)).is_usable, true)
})

test('the calls of the guide work exactly as printed', async () => {
  const { merchant } = await api.addMerchant()
  const [{ method, path, body } = assert.fail(), ...more] = curlsIn('payout-destinations')
  assert.deepEqual(more, [])
  const made = await merchant.call(method, path, body)
  assert.equal(made.status, 201, made.text)
  const { bank_code, account_number, currency } = JSON.parse(body) as Record<string, string>
  assert.partialDeepStrictEqual(made.body, { bank_code, account_number, currency, status: 'pending_review' })
  const account = { currency, bank_code, account_number }
  const resolved = await merchant.call('POST', `${path}/resolve`, account)
  assert.deepEqual([resolved.status, resolved.body['account_name']], [200, made.body['account_name']])
  const banks = await merchant.call('GET', `/v1/reference/banks?currency=${currency}`)
  assert.ok(banks.text.includes(`"${bank_code}"`), banks.text)
})

test('resolve asks the bank for the account holder, in NGN only, and lists all errors', async () => {
  const resolve = (body: object, merchant = stack.merchant) =>
    merchant.call('POST', '/v1/payouts/destinations/resolve', body)
  const { account_number, bank_code } = destinations.NGN
  const { status, body } = await resolve({ currency: 'NGN', account_number, bank_code })
  assert.deepEqual([status, body], [200, ({
	currency: 'NGN',
	bank_code,
	bank_name: 'Guaranty Trust Bank',
	account_number,
	account_name: 'Kunle Lawal'
})]) // prettier-ignore
  assertError(
    await resolve({ currency: 'GBP', account_number: '31926819', bank_code: '601613' }),
    400,
    'CURRENCY_NOT_SUPPORTED',
  )
  assertFieldErrors(await resolve({ currency: 'NGN', account_number: '12', bank_code: '000' }), {
    account_number: 'value_error.format',
    bank_code: 'value_error.format',
  })
  const rails = createRails(stack.database)
  rails.in('sandbox').holders = { resolveAccount: async () => null }
  const unknowing = await api.addProcess({ rails })
  const merchant = createMerchant(unknowing, stack.merchant.apiKey)
  assertFieldErrors(await resolve({ currency: 'NGN', account_number, bank_code }, merchant), {
    account_number: 'value_error',
  })
  assertFieldErrors(await requestRegistration(merchant, 'NGN'), { account_number: 'value_error' })
})

test('in NGN a registration keeps the bank’s name for the holder, and an update keeps the given one', async () => {
  const made = await register(stack.merchant, 'NGN', { account_name: 'Somebody Else' })
  assert.equal(made['account_name'], 'Kunle Lawal')
  const changed = await change(stack.merchant, made, { account_number: '0123450008', account_name: 'Ada Obi' })
  assert.deepEqual([changed['account_name'], changed.status], ['Ada Obi', 'pending_review'])
})

test('a blank name of the holder counts as left out: the account’s own name, or the stored one, stands', async () => {
  for (const account_name of ['', ' ', '\u200b']) {
    const made = await register(stack.merchant, 'GHS', { account_name })
    assert.equal(made['account_name'], 'Demo Organization')
  }
  const made = await register(stack.merchant, 'NGN')
  const changed = await change(stack.merchant, made, { account_number: '0123450008', account_name: '' })
  assert.deepEqual([changed['account_name'], changed['account_number']], ['Kunle Lawal', '0123450008'])
})

test('banks are listed by currency, with the codes that a destination takes', async () => {
  const banks = async (currency: string) => {
    const { status, body } = await stack.merchant.call('GET', `/v1/reference/banks?currency=${currency}`)
    assert.equal(status, 200)
    return body['banks'] as unknown as { code: string; name: string }[]
  }
  for (const rail of ['NGN', 'GHS', 'KES', 'TZS', 'UGX'] as const) {
    const listed = await banks(rail)
    const { bank_code, bank_name } = await register(stack.merchant, rail)
    assert.equal(listed.find(({ code }) => code === bank_code)?.name, bank_name)
    assert.deepEqual(
      listed.map(({ name }) => name.toLowerCase()),
      listed.map(({ name }) => name.toLowerCase()).toSorted(),
    )
  }
  assert.deepEqual(await banks('EUR'), [])
  assertError(await stack.merchant.call('GET', '/v1/reference/banks?currency=JPY'), 400, 'CURRENCY_NOT_SUPPORTED')
  assertFieldErrors(await stack.merchant.call('GET', '/v1/reference/banks'), { currency: 'value_error.missing' })
})

test('every change of a destination is in the audit log', async () => {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  await change(stack.merchant, destination, { name: 'B' })
  await change(stack.merchant, destination, { bank_code: '044' })
  await stack.merchant.call('DELETE', destinationPath(destination))
  const entries = await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [
    destination.id,
  ])
  const actions = entries.map(({ action }) => action.replace('payout_destination.', ''))
  assert.deepEqual(actions, ['registered', 'changed', 'restated', 'deactivated'])
})
