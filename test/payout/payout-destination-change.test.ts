import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { newId } from '../../domain/id.ts'
import { createRails } from '../../rails/index.ts'
import { PayoutDestination } from '../../schemas/payout/destination.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import {
  approve,
  requestChange,
  change,
  leftOpen,
  destinationPath,
  read,
  register,
  registerApproved,
  reject,
  requestReview,
} from '../support/destination.ts'
import { destinations, type Rail } from '../support/destination-examples.ts'
import { createMerchant } from '../support/merchant.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// The five rules for changing a destination, and its deactivation.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const reviewer = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })

test('rule 1: a new name, or being the default, changes no status', async () => {
  const waits = await register(stack.merchant, 'GBP', { account_number: '31920008' })
  const usable = await registerApproved(stack.merchant, reviewer, 'GBP', { account_number: '41920008' })
  const refused = await reject(
    stack.merchant,
    reviewer,
    await register(stack.merchant, 'GBP', { account_number: '51920008' }),
  )
  for (const { id, status, reviewed_at } of [waits, usable, refused]) {
    const renamed = await change(stack.merchant, { id }, { name: 'Another', metadata: { a: 'b' } })
    assert.deepEqual([renamed['name'], renamed['metadata'], renamed.status], ['Another', { a: 'b' }, status])
    assert.equal(renamed['reviewed_at'], reviewed_at)
  }
  const updated: unknown[] = []
  for (const { id, status } of [waits, usable]) {
    const chosen = await change(stack.merchant, { id }, { is_default: true })
    updated.push(chosen['updated_at'])
    assert.deepEqual([chosen.is_default, chosen.status], [true, status])
  }
  const demoted = await read(stack.merchant, waits)
  assert.equal(demoted.is_default, false, 'demoted')
  assert.notEqual(demoted['updated_at'], updated[0], 'which is a change of it')
  assert.equal((await change(stack.merchant, usable, { is_default: false })).is_default, false)
})

test('rule 2: a change of routing restates the whole destination, and fields left out keep their values', async () => {
  const usable = await registerApproved(stack.merchant, reviewer, 'USD', {
    account_number: '1230008',
    account_name: 'Ada Ltd',
    bank_name: 'A bank',
  })
  const { updated_at: _, ...was } = usable
  const { updated_at: __, ...same } = await change(stack.merchant, usable, {
    account_number: '1230008',
    scheme: 'wire',
  })
  assert.deepEqual(same, { ...was, scheme: 'wire' }, 'nothing that is reviewed has changed')
  const named = await change(stack.merchant, usable, { account_name: 'Ada Limited' })
  assert.deepEqual([named['account_name'], named.status], ['Ada Limited', 'approved'], 'it needs no review')
  assertFieldErrors(await requestChange(stack.merchant, usable, { currency: 'GBP' }), {
    bank_code: 'value_error.format',
    account_number: 'value_error.format',
  })
  assertFieldErrors(await requestChange(stack.merchant, usable, { type: 'mobile_money', currency: 'KES' }), {
    phone_number: 'value_error.missing',
    mobile_provider: 'value_error.missing',
  })
  assertFieldErrors(await requestChange(stack.merchant, usable, { phone_number: '+254712345678' }), {
    phone_number: 'value_error',
  })
  assertError(await requestChange(stack.merchant, usable, { currency: 'JPY' }), 400, 'CURRENCY_NOT_SUPPORTED')
  assert.deepEqual((await read(stack.merchant, usable))['account_name'], 'Ada Limited', 'what was refused is not kept')
  const { type, currency, phone_number, mobile_provider } = destinations.wallet_KES
  const moved = await change(stack.merchant, usable, { type, currency, phone_number, mobile_provider })
  const gone = ['account_number', 'account_name', 'bank_code', 'bank_name', 'scheme'].map((field) => moved[field])
  assert.deepEqual(
    [moved.status, moved['phone_number'], ...gone],
    ['pending_review', phone_number, ...Array(5).fill(null)],
  )
})

test('rule 3: another account, bank, wallet or number goes back to review, and is_default is ignored', async () => {
  const cases: [Rail, object, object][] = [
    ['NGN', leftOpen, { account_number: '9990000008' }],
    ['NGN', leftOpen, { bank_code: '044' }],
    ['wallet_GHS', { phone_number: '+233241230008' }, { phone_number: '+233241240008' }],
    ['USDT_ERC20', { wallet_address: `0x${'1'.repeat(36)}0008` }, { wallet_address: `0x${'2'.repeat(36)}0008` }],
    ['USDT_ERC20', { wallet_address: `0x${'1'.repeat(36)}0008` }, { currency: 'USDT_BEP20', network: 'BEP20' }],
  ]
  for (const [rail, first, then] of cases) {
    const usable = await registerApproved(stack.merchant, reviewer, rail, { ...first })
    assert.equal(usable.is_usable, true)
    const sent = await change(stack.merchant, usable, { ...then, is_default: true, name: 'Renamed' })
    const { status, is_usable, is_default, reviewed_at, name } = sent
    assert.deepEqual(
      [status, is_usable, is_default, reviewed_at, name],
      ['pending_review', false, false, null, 'Renamed'],
    )
    assert.equal((await approve(stack.merchant, reviewer, usable)).is_usable, true)
  }
})

test('any change of a routing in review begins the review anew, as a reviewer has seen the earlier one', async () => {
  const openOf = async (id: string) => {
    const rows = await stack.sql<{ id: string }>(`select id from reviews where resource_id = ? and state = 'open'`, [
      id,
    ])
    assert.equal(rows.length, 1)
    return rows[0]?.id
  }
  const cases: [Rail, object, object][] = [
    ['NGN', leftOpen, { account_name: 'Somebody Else' }],
    ['USD', { account_number: '1230008' }, { scheme: 'wire' }],
    ['GBP', { account_number: '31920008' }, { bank_name: 'Another bank' }],
    ['wallet_GHS', { phone_number: '+233241230008' }, { mobile_provider: 'vodafone' }],
  ]
  for (const [rail, first, then] of cases) {
    const waits = await register(stack.merchant, rail, { ...first })
    const seen = await openOf(waits.id)
    const changed = await change(stack.merchant, waits, { ...then, is_default: true })
    assert.deepEqual([changed.status, changed.is_default], ['pending_review', true], 'it was not sent back')
    const decision = { decision: 'approve', review_id: seen }
    assertError(await requestReview(stack.merchant, reviewer, waits, decision), 409, 'CONFLICT')
    const newer = await openOf(waits.id)
    assert.notEqual(newer, seen)
    await change(stack.merchant, waits, { ...then, name: 'Renamed' })
    assert.equal(await openOf(waits.id), newer, 'a change that changes nothing, or its name, is nothing to review')
    assert.equal((await approve(stack.merchant, reviewer, waits)).is_usable, true)
  }
})

test('rule 3: the same routing in another form is no change, and a default stays the default', async () => {
  const usable = await approve(
    stack.merchant,
    reviewer,
    await register(stack.merchant, 'EUR', { account_number: 'de89 3704 0044 0532 0130 00' }),
  )
  assert.equal(usable['account_number'], 'DE89370400440532013000')
  await change(stack.merchant, usable, { is_default: true })
  const same = await change(stack.merchant, usable, { account_number: 'DE89-3704-0044-0532-0130-00', is_default: true })
  assert.deepEqual([same.status, same.is_default], ['approved', true])
  const moved = await change(stack.merchant, usable, { account_number: 'GB82WEST12345698765432', is_default: false })
  assert.deepEqual([moved.status, moved.is_usable, moved.is_default], ['pending_review', false, true], 'ignored')
})

test('rule 4: VALIDATION_ERROR for a change without name, default or routing, or with an invalid field', async () => {
  const destination = await register(stack.merchant)
  for (const body of [{}, { metadata: { a: 'b' } }, { status: 'approved', unknown: 1 }]) {
    assertFieldErrors(await requestChange(stack.merchant, destination, body), { body: 'value_error.missing' })
  }
  assertFieldErrors(await requestChange(stack.merchant, destination, { account_number: '12' }), {
    account_number: 'value_error.format',
  })
  assertFieldErrors(await requestChange(stack.merchant, destination, { name: '', is_default: 'yes', type: 'cash' }), {
    name: 'value_error.range',
    is_default: 'value_error.type',
    type: 'value_error.enum',
  })
  assertError(await requestChange(stack.merchant, { id: newId('pd', 0) }, { name: 'A' }), 404, 'NOT_FOUND')
})

test('rule 5: the answer is the destination as a read then shows it', async () => {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  const answered = await change(stack.merchant, destination, { bank_code: '057' })
  assert.ok(Compile(PayoutDestination).Check(answered))
  assert.deepEqual(await read(stack.merchant, destination), answered)
})

/** What makes a wallet a bank account in NGN, whose holder the bank has to name. */
const asBankAccount = { type: 'bank_account', currency: 'NGN', bank_code: '058', ...leftOpen }

/** A process whose bank answers as told, with the merchant's key. */
async function withBank({ apiKey }: { apiKey: string }, resolveAccount: () => Promise<string | null>) {
  const rails = createRails(stack.database)
  rails.in('sandbox').holders = { resolveAccount }
  return createMerchant(await api.addProcess({ rails }), apiKey)
}

test('a bank that takes long to name a holder keeps no connection from other calls, however many wait', async () => {
  const bank = Promise.withResolvers<string>()
  let asked = 0
  const merchant = await withBank(stack.merchant, async () => {
    asked++
    return bank.promise
  })
  const wallets = await Promise.all(Array.from({ length: 11 }, () => register(merchant, 'wallet_GHS')))
  const changes = wallets.map((wallet) => requestChange(merchant, wallet, asBankAccount))
  await until(() => asked === 11, 'the bank is asked by more calls than there are connections')
  assert.equal((await change(merchant, wallets[0]!, { name: 'Meanwhile' }))['name'], 'Meanwhile')
  bank.resolve('Ada Obi')
  for (const { status, text, body } of await Promise.all(changes)) {
    assert.equal(status, 200, text)
    assert.deepEqual([body['account_name'], body['status']], ['Ada Obi', 'pending_review'])
  }
  assert.equal((await read(merchant, wallets[0]!))['name'], 'Meanwhile')
})

test('a change that another one has overtaken while the bank was asked begins from what that has stated', async () => {
  const wallet = await register(stack.merchant, 'wallet_GHS')
  const other = { ...asBankAccount, bank_code: '044', account_name: 'Somebody Else' }
  const merchant = await withBank(stack.merchant, async () => {
    await change(stack.merchant, wallet, other)
    return 'Ada Obi'
  })
  const { bank_code, account_name } = await change(merchant, wallet, asBankAccount)
  assert.deepEqual([bank_code, account_name], ['058', 'Somebody Else'], 'a name that is left out stays')
})

test('a change is made together with its answer, and the same call again changes no later change', async () => {
  const usable = await registerApproved(stack.merchant, reviewer)
  const body = { bank_code: '044', is_default: true }
  const send = () => stack.merchant.call('PATCH', destinationPath(usable), body, { 'idempotency-key': 'lost' })
  await stack.sql(`create function lose() returns trigger language plpgsql as $$ begin raise 'lost'; end $$`)
  await stack.sql(`create trigger lose before insert or update on idempotency_records for each row
    when (new.sealed_answer is not null) execute function lose()`)
  const lost = await send()
  await stack.sql('drop trigger lose on idempotency_records')
  assertError(lost, 500, 'INTERNAL_SERVER_ERROR')
  assert.deepEqual(await read(stack.merchant, usable), usable)
  const first = await send()
  assert.deepEqual([first.body['bank_code'], first.body['is_default']], ['044', false])
  const later = await change(stack.merchant, usable, { bank_code: '057' })
  assert.equal((await send()).text, first.text)
  assert.deepEqual(await read(stack.merchant, usable), later)
})

test('a change that failed at the bank is made by the same call again, also while time stands still', async () => {
  const { merchant, accountId, attach } = await beginOnClock(api)
  await attach({ account_id: accountId })
  let asked = 0
  const other = await withBank(merchant, async () => {
    if (asked++ === 0) throw new Error('no answer')
    return 'Ada Obi'
  })
  const wallet = await register(merchant, 'wallet_GHS')
  const send = () => other.call('PATCH', destinationPath(wallet), asBankAccount, { 'idempotency-key': 'unanswered' })
  assertError(await send(), 503, 'SERVICE_UNAVAILABLE')
  const { status, text, body } = await send()
  assert.equal(status, 200, text)
  assert.deepEqual([body['account_name'], body['updated_at']], ['Ada Obi', wallet['updated_at']])
  assert.equal((await send()).text, text)
  assert.equal(asked, 2)
})

test('of several defaults chosen at once one remains, by registration and by change', async () => {
  const { merchant } = await api.addMerchant()
  const made = await Promise.all(
    Array.from({ length: 20 }, () => register(merchant, 'NGN', { ...leftOpen, is_default: true })),
  )
  const defaults = async () => {
    const { items } = pageOf(await merchant.call('GET', '/v1/payouts/destinations?currency=NGN'))
    return items.filter((item) => item['is_default'])
  }
  assert.equal((await defaults()).length, 1)
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(made.map((each) => requestChange(merchant, each, { is_default: true })))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    assert.equal((await defaults()).length, 1)
  }
  const dollars = await register(merchant, 'USD', { is_default: true })
  assert.equal(dollars.is_default, true)
  assert.equal((await defaults()).length, 1, 'each currency has its own')
})

test('a deactivated destination is not usable, not a default, in no list, and cannot be changed', async () => {
  const usable = await registerApproved(stack.merchant, reviewer)
  await change(stack.merchant, usable, { is_default: true })
  const remove = () => stack.merchant.call('DELETE', destinationPath(usable))
  for (let time = 0; time < 2; time++) {
    const { status, body } = await remove()
    assert.deepEqual([status, body], [200, { id: usable.id, deleted: true }])
  }
  const gone = await read(stack.merchant, usable)
  assert.deepEqual([gone.status, gone.is_usable, gone.is_default], ['approved', false, false])
  assert.ok(Date.parse(String(gone['deactivated_at'])) > Date.parse(String(gone['created_at'])))
  const { items } = pageOf(await stack.merchant.call('GET', '/v1/payouts/destinations?limit=100'))
  assert.ok(!items.some(({ id }) => id === usable.id))
  assertError(await requestChange(stack.merchant, usable, { name: 'Again' }), 409, 'CONFLICT')
})

test('a rejected destination is no longer a default', async () => {
  const { merchant } = await api.addMerchant()
  const chosen = await register(merchant, 'NGN', { ...leftOpen, is_default: true })
  assert.equal((await reject(merchant, reviewer, chosen)).is_default, false)
})
