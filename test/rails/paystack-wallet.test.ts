import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLiveCardRefused, manyTimes, minute, now, phone, referenceOf, refusalOf, transferOrder } from './paystack.ts'
import { unknownOf, usePaystack } from './paystack.ts'
import type { ChargeOrder } from '../../rails/rail.ts'
import { pinEnding, rightCode, slowEnding, voucherEnding } from '../doubles/paystack/charges.ts'

const { double, paystack, sql } = await usePaystack()
const { charges, vault } = paystack

/** An order for a wallet whose number the vault keeps. */
async function walletOrder(
  rest: Partial<ChargeOrder<'live'>> = {},
  number: string = phone.ghana,
): Promise<ChargeOrder<'live'>> {
  const token = await vault.keepPhone(number)
  return transferOrder({ corridor: 'MOMO_GHS', currency: 'GHS', amount: '10.00', provider: 'mtn', token, ...rest })
}

const secretsLeft = async () => (await sql<{ n: number }>('select count(*)::int as n from paystack_secrets'))[0]?.n

/** Every row of both tables as text, to look for what must not be there. */
const rows = async () =>
  JSON.stringify([await sql('select * from paystack_orders'), await sql('select * from paystack_secrets')])

const wallets = [
  ['MOMO_GHS', 'GHS', 'mtn', phone.ghana, { phone: '0551234900', provider: 'mtn' }],
  ['MOMO_GHS', 'GHS', 'vodafone', phone.ghana, { phone: '0551234900', provider: 'vod' }],
  ['MOMO_GHS', 'GHS', 'airteltigo', phone.ghana, { phone: '0551234900', provider: 'atl' }],
  ['MOMO_KES', 'KES', 'mpesa', phone.kenya, { phone: '+254722000900', provider: 'mpesa' }],
  ['MOMO_KES', 'KES', 'airtel', phone.kenya, { phone: '+254722000900', provider: 'atl' }],
  ['MOMO_XOF', 'XOF', 'orange', phone.ivory, { phone: '0700000900', provider: 'orange' }],
  ['MOMO_XOF', 'XOF', 'wave', phone.ivory, { phone: '0700000900', provider: 'wave' }],
] as const
for (const [corridor, currency, provider, number, sent] of wallets) {
  test(`${corridor}, ${provider}: the phone is asked, and its yes is a success in ${currency}`, async () => {
    const order = await walletOrder({ corridor, currency, provider, amount: '1500' }, number)
    const asked = await charges.charge(order, now)
    assert.ok(asked.status === 'requires_action' && asked.nextAction.type === 'phone_prompt')
    const masked = `${number.slice(0, 4)}${'*'.repeat(number.length - 7)}900`
    const expires_at = new Date(now + 3 * minute).toISOString()
    assert.deepEqual(asked, {
      status: 'requires_action',
      nextAction: { type: 'phone_prompt', provider, phone_number: masked, expires_at },
      newsDueAt: now + 3 * minute,
    })
    assert.deepEqual(double.calls.at(-1)?.body['mobile_money'], sent)
    assert.equal(double.calls.at(-1)?.body['amount'], '150000', 'Paystack counts hundredths of XOF too')
    double.agree(referenceOf(order.paymentId))
    assert.deepEqual(await charges.lookUp(order.paymentId, now), {
      status: 'succeeded',
      received: '1500',
      deposits: [],
      details: { provider, phone_number: masked },
    })
  })
}

test('nothing is sent to a wallet that Paystack does not have: another provider, another country', async () => {
  const sent = double.countOf('POST')
  await refusalOf(async () => charges.charge(await walletOrder({ provider: 'moov', currency: 'XOF' }), now))
  await refusalOf(async () => charges.charge(await walletOrder({ provider: 'constructor' }), now))
  const senegal = await walletOrder({ corridor: 'MOMO_XOF', currency: 'XOF', provider: 'orange' }, '+221700000900')
  await refusalOf(() => charges.charge(senegal, now))
  assert.equal(double.countOf('POST'), sent)
  assert.deepEqual(await charges.lookUp(senegal.paymentId, now), { status: 'failed', failureCode: 'rail_unavailable' })
})

test('an order of which another worker has sent the number is not refused for want of it', async () => {
  for (let round = 0; round < 20; round++) {
    const order = await walletOrder()
    const sent = double.countOf('POST /charge')
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => charges.charge(order, now)))
    for (const result of results) {
      if (result.status === 'rejected') assert.match(String(result.reason), /is being sent/)
      else assert.ok(['requires_action', 'processing'].includes(result.value.status), result.value.status)
    }
    assert.equal(double.countOf('POST /charge') - sent, 1)
    assert.equal((await charges.charge(order, now)).status, 'requires_action')
  }
})

test('a phone number is stored encrypted only, and forgotten once Paystack has it', async () => {
  const before = await secretsLeft()
  const order = await walletOrder()
  assert.equal(await secretsLeft(), (before ?? 0) + 1)
  assert.doesNotMatch(await rows(), /551234900/)
  double.fails('POST /charge', 'lost')
  await unknownOf(() => charges.charge(order, now))
  assert.equal(await secretsLeft(), (before ?? 0) + 1, 'it may have to be sent again')
  await charges.lookUp(order.paymentId, now)
  assert.equal(await secretsLeft(), before)
  assert.equal((await charges.charge(order, now)).status, 'requires_action')
  assert.doesNotMatch(await rows(), /551234900|0551234900/)
})

test('a number is forgotten with a charge that is cancelled or refused, and is then sent to nobody', async () => {
  const before = await secretsLeft()
  const canceled = await walletOrder()
  const sent = double.countOf('POST')
  await charges.cancelCharge(canceled.paymentId, now)
  assert.deepEqual(await charges.charge(canceled, now), { status: 'canceled' })
  const refused = await walletOrder({ provider: 'wave' })
  await refusalOf(() => charges.charge(refused, now))
  const forgotten = await walletOrder()
  await sql('delete from paystack_secrets where token = ?', [forgotten.token])
  await refusalOf(() => charges.charge(forgotten, now))
  assert.equal(double.countOf('POST'), sent)
  assert.equal(await secretsLeft(), before)
})

test('a wallet that issues vouchers asks for one, and the right one leads to the prompt', async () => {
  for (const [ending, path, field] of [
    [voucherEnding, '/charge/submit_otp', 'otp'],
    [pinEnding, '/charge/submit_pin', 'pin'],
  ] as const) {
    const order = await walletOrder({ provider: 'vodafone' }, phone.ghana.slice(0, -2) + ending)
    const asked = await charges.charge(order, now)
    const expires_at = new Date(order.expiresAt).toISOString()
    const nextAction = { type: 'pin', provider: 'vodafone', expires_at }
    assert.deepEqual(asked, { status: 'requires_action', nextAction, newsDueAt: now + 10_000 })
    const reference = referenceOf(order.paymentId)
    // No question in between makes us forget what Paystack waits for, also where the buyer has not finished yet.
    for (const status of ['ongoing', 'abandoned']) {
      double.read(reference).status = status
      const again = await charges.lookUp(order.paymentId, now)
      assert.partialDeepStrictEqual(again, { status: 'requires_action', nextAction }, status)
    }
    const code = await vault.keepCode(rightCode)
    const prompted = await charges.confirm(order.paymentId, code, now)
    assert.ok(prompted.status === 'requires_action' && prompted.nextAction.type === 'phone_prompt')
    assert.deepEqual([double.calls.at(-1)?.path, double.calls.at(-1)?.body], [path, { [field]: rightCode, reference }])
    double.agree(reference)
    assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
  }
})

test('a voucher reaches Paystack also where its first answer was lost, or was `pending`', async () => {
  for (const ending of [voucherEnding, slowEnding]) {
    const order = await walletOrder({ provider: 'vodafone' }, phone.ghana.slice(0, -2) + ending)
    if (ending === voucherEnding) {
      double.fails('POST /charge', 'lost')
      await unknownOf(() => charges.charge(order, now))
    } else assert.equal((await charges.charge(order, now)).status, 'processing')
    const asked = await charges.lookUp(order.paymentId, now)
    assert.ok(asked.status === 'requires_action' && asked.nextAction.type === 'pin', ending)
    const sent = double.countOf('POST /charge/submit_otp')
    const prompted = await charges.confirm(order.paymentId, await vault.keepCode(rightCode), now)
    assert.ok(prompted.status === 'requires_action' && prompted.nextAction.type === 'phone_prompt', ending)
    assert.equal(double.countOf('POST /charge/submit_otp') - sent, 1, ending)
  }
})

test('a wrong code fails the charge; a code is sent once, and is in no row and no error', async () => {
  const order = await walletOrder({ provider: 'vodafone' }, phone.ghana.slice(0, -2) + voucherEnding)
  await charges.charge(order, now)
  const code = await vault.keepCode('000777')
  assert.doesNotMatch(await rows(), /000777/)
  const failed = { status: 'failed', failureCode: 'authentication_failed' }
  double.fails('POST /charge/submit_otp', 'cut')
  await unknownOf(() => charges.confirm(order.paymentId, code, now))
  double.fails('POST /charge/submit_otp', 'lost')
  await unknownOf(() => charges.confirm(order.paymentId, code, now))
  assert.deepEqual(await charges.confirm(order.paymentId, code, now), failed)
  const sent = double.countOf('POST /charge/submit_otp')
  assert.deepEqual(await charges.confirm(order.paymentId, code, now), failed)
  assert.equal(double.countOf('POST /charge/submit_otp'), sent)
})

test('a right code whose answer is lost is sent once more, and leads to the prompt', async () => {
  const order = await walletOrder({ provider: 'vodafone' }, phone.ghana.slice(0, -2) + voucherEnding)
  await charges.charge(order, now)
  const code = await vault.keepCode(rightCode)
  double.fails('POST /charge/submit_otp', 'lost')
  await unknownOf(() => charges.confirm(order.paymentId, code, now))
  const prompted = await charges.confirm(order.paymentId, code, now)
  assert.ok(prompted.status === 'requires_action' && prompted.nextAction.type === 'phone_prompt')
  double.agree(referenceOf(order.paymentId))
  assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
  assert.equal(double.read(referenceOf(order.paymentId)).executions, 1)
})

test('a code for a charge that waits for none is not sent', async () => {
  const order = await walletOrder()
  await charges.charge(order, now)
  const before = await secretsLeft()
  const sent = double.countOf('POST')
  const code = await vault.keepCode(rightCode)
  assert.equal((await charges.confirm(order.paymentId, code, now)).status, 'requires_action')
  assert.equal(double.countOf('POST'), sent)
  assert.equal(await secretsLeft(), before)
})

test('200 prompts whose answer was lost are one prompt each, and money is taken once', async () => {
  const before = double.book.transactions.size
  double.fails('POST /charge', 'lost', 200)
  await manyTimes(200, async () => {
    const order = await walletOrder()
    await unknownOf(() => charges.charge(order, now))
    await charges.charge(order, now)
    double.agree(referenceOf(order.paymentId))
    assert.equal((await charges.charge(order, now)).status, 'succeeded')
    assert.equal(double.read(referenceOf(order.paymentId)).executions, 1)
  })
  assert.equal(double.book.transactions.size - before, 200)
})

const failures = [
  ['failed', 'Insufficient Funds', 'insufficient_funds'],
  ['failed', 'The request was rejected by the customer', 'customer_rejected'],
  ['failed', 'Request timed out', 'customer_timeout'],
  ['timeout', '', 'customer_timeout'],
  ['failed', 'Invalid account', 'invalid_account'],
  ['failed', 'Issuer or Switch Inoperative', 'rail_unavailable'],
  ['failed', 'Words that nobody has seen', 'rail_unavailable'],
] as const
for (const [status, words, failureCode] of failures) {
  test(`"${status} ${words}" of Paystack is ${failureCode}`, async () => {
    const order = await walletOrder()
    await charges.charge(order, now)
    double.fail(referenceOf(order.paymentId), status, words)
    assert.deepEqual(await charges.lookUp(order.paymentId, now + 3 * minute), { status: 'failed', failureCode })
  })
}

test('a prompt that nobody has answered ends after three minutes, and is asked about again', async () => {
  const order = await walletOrder()
  await charges.charge(order, now)
  const later = await charges.lookUp(order.paymentId, now + 3 * minute)
  assert.equal(later.status, 'processing')
  assert.ok((later.newsDueAt ?? 0) > now + 3 * minute)
})

test('a payment that was paid and then charged back was paid', async () => {
  const order = await walletOrder()
  await charges.charge(order, now)
  double.agree(referenceOf(order.paymentId))
  double.read(referenceOf(order.paymentId)).status = 'reversed'
  assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
})

test('no card number and no security code reach the vault, and it knows no token', async () => {
  await isLiveCardRefused(() =>
    vault.keepCard({ number: '4084084084084081', exp_month: 1, exp_year: 2040, cvc: '408' }),
  )
  await isLiveCardRefused(() => vault.keepSecurityCode('408'))
  assert.equal(await vault.keepToken('AUTH_unknown'), null)
})
