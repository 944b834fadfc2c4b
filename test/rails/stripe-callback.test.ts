import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { readCallback } from '../../rails/stripe/callback.ts'
import type { Entry } from '../doubles/stripe/books.ts'
import { errorOf, useStripe } from '../support/stripe.ts'

const stage = await useStripe()
const { double, rail, cardSetups, at, chargeOrder, paid, refundOrder } = stage
const now = at
const [secret, older] = ['whsec_first', 'whsec_second']

/** The newest event of a type about an object of Stripe's. */
function eventOf(type: string, objectId: string | undefined): Entry {
  const found = double.books.events.findLast((event) => {
    const { object } = event['data'] as { object: Entry }
    return event['type'] === type && object.id === objectId
  })
  assert.ok(found, `${type} of ${objectId}`)
  return found
}

const hear = (event: Entry) =>
  stage.stripe.readCallback({ ...double.signed(event, secret, now), secrets: [secret], now })
const madeFor = (object: string, ourId: string) => double.madeFor(object, ourId)[0]?.id

const payload = { id: 'evt_1', type: 'payment_intent.succeeded', livemode: true, data: { object: { id: 'pi_1' } } }
const body = Buffer.from(JSON.stringify(payload))
const hmac = (key: string, seconds: number, bytes: Uint8Array = body) =>
  createHmac('sha256', key).update(`${seconds}.`).update(bytes).digest('hex')
const seconds = now / 1000
const header = (key = secret, time = seconds, bytes: Uint8Array = body) => `t=${time},v1=${hmac(key, time, bytes)}`
const read = (changes: Partial<Parameters<typeof readCallback>[0]>) =>
  readCallback({ bytes: body, signature: header(), secrets: [secret], livemode: true, now, ...changes }).is

test('a callback with Stripe’s signature is read, also while a secret is being replaced', () => {
  const event = { type: payload.type, objectId: 'pi_1', paymentIntentId: null, ourId: null }
  assert.deepEqual(readCallback({ bytes: body, signature: header(), secrets: [secret], livemode: true, now }), {
    is: 'event',
    event,
  })
  assert.equal(read({ secrets: [older, secret] }), 'event')
  assert.equal(read({ signature: header(older), secrets: [secret, older] }), 'event')
  const both = `t=${seconds},v1=${hmac('whsec_gone', seconds)},v1=${hmac(secret, seconds)},v0=${'0'.repeat(64)}`
  assert.equal(read({ signature: both }), 'event')
  assert.equal(read({ signature: `${header()},v1=${hmac(secret, seconds)}` }), 'event')
})

test('a forged callback is told as such, whatever is wrong with it', () => {
  const good = hmac(secret, seconds)
  const signatures = {
    missing: undefined,
    empty: '',
    'of another secret': header('whsec_other'),
    'without a time': `v1=${good}`,
    'without a signature': `t=${seconds}`,
    'of an older scheme': `t=${seconds},v0=${good}`,
    'cut off': header().slice(0, -2),
    'in capitals': `t=${seconds},v1=${good.toUpperCase()}`,
    'of another time': `t=${seconds + 1},v1=${good}`,
    'with two times': `t=${seconds},t=${seconds - 1},v1=${good}`,
    'with a strange time': `t=${seconds}x,v1=${good}`,
    'with a hundred tries': `t=${seconds},${`v1=${'0'.repeat(64)},`.repeat(100)}v1=${good}`,
    'with nothing but signs': '=,=,==,,t,v1',
    'of prototypes': `t=${seconds},__proto__=1,constructor=${good}`,
  }
  for (const [what, signature] of Object.entries(signatures)) assert.equal(read({ signature }), 'forged', what)
  assert.equal(read({ secrets: [] }), 'forged')
  assert.equal(read({ secrets: [''], signature: header('') }), 'forged', 'an empty secret signs nothing')
  const bodies = {
    empty: Buffer.alloc(0),
    truncated: body.subarray(0, -1),
    changed: Buffer.from(body.toString().replace('pi_1', 'pi_2')),
    'written in another way': Buffer.from(JSON.stringify(payload, null, 1)),
    'with a mark at its beginning': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  }
  for (const [what, bytes] of Object.entries(bodies)) assert.equal(read({ bytes }), 'forged', what)
  const huge = Buffer.alloc(1024 * 1024 + 1, 0x20)
  assert.equal(read({ bytes: huge, signature: header(secret, seconds, huge) }), 'forged')
})

test('a callback is taken for five minutes before and after its time', () => {
  for (const [offset, is] of [
    [-301, 'forged'],
    [-300, 'event'],
    [300, 'event'],
    [301, 'forged'],
    [1e9, 'forged'],
  ] as const)
    assert.equal(read({ signature: header(secret, seconds + offset) }), is, String(offset))
})

test('what is signed, but of the other mode or no event, is ignored', () => {
  assert.equal(read({ livemode: false }), 'ignored')
  for (const text of [
    'null',
    '[]',
    '"text"',
    '{',
    '{}',
    '{"livemode":true,"type":"a","data":{"object":{}}}',
    '\u0000',
  ]) {
    const bytes = Buffer.from(text)
    assert.equal(read({ bytes, signature: header(secret, seconds, bytes) }), 'ignored', text)
  }
  const invalid = Buffer.from([0xff, 0xfe, 0x00])
  assert.equal(read({ bytes: invalid, signature: header(secret, seconds, invalid) }), 'ignored')
})

test('each event names the process that has to ask, as often as it comes', async () => {
  const order = await paid({ token: double.addCard({ disputes: true }), amount: '50.00' })
  const intent = madeFor('payment_intent', order.paymentId)
  const payment = { about: 'payment', id: order.paymentId }
  for (const _ of ['once', 'twice'])
    assert.deepEqual(await hear(eventOf('payment_intent.succeeded', intent)), [payment])
  const dispute = double.books.all('dispute').find((one) => one['payment_intent'] === intent)
  assert.deepEqual(await hear(eventOf('charge.dispute.created', dispute?.id)), [
    payment,
    { about: 'dispute', networkId: dispute?.id, paymentId: order.paymentId },
  ])
  const refund = refundOrder(await paid())
  await rail.refund(refund)
  const refundId = madeFor('refund', refund.refundId)
  double.refunds.fail(refundId ?? '')
  for (const type of ['refund.created', 'refund.failed'])
    assert.deepEqual(await hear(eventOf(type, refundId)), [{ about: 'refund', id: refund.refundId }])
  const { email, returnUrl } = order
  const setupId = newId('pay', at)
  const token = double.addCard({ asks: true })
  await cardSetups.setUp({ environment: 'live', setupId, corridor: 'USD_CARD', token, email, returnUrl })
  const event = eventOf('setup_intent.requires_action', madeFor('setup_intent', setupId))
  assert.deepEqual(await hear(event), [{ about: 'setup', id: setupId }])
})

test('an event that comes before the answer to our order is found by our id', async () => {
  const order = chargeOrder()
  double.fail('POST /v1/payment_intents', 'lost')
  await errorOf(rail.charge(order, at))
  const intent = madeFor('payment_intent', order.paymentId)
  const news = [{ about: 'payment', id: order.paymentId }]
  assert.deepEqual(await hear(eventOf('payment_intent.succeeded', intent)), news)
  assert.equal((await rail.charge(order, at)).status, 'succeeded')
})

test('an event about nothing of ours names nobody, even if it claims our ids', async () => {
  const order = await paid()
  const intent = madeFor('payment_intent', order.paymentId)
  const event = eventOf('payment_intent.succeeded', intent)
  const { object } = event['data'] as { object: Entry }
  const changed = (changes: Record<string, unknown>, type = event['type']) => ({
    ...event,
    type,
    data: { object: { ...object, ...changes } },
  })
  assert.deepEqual(await hear(changed({ id: 'pi_other' })), [], 'another object with the id of an answered order')
  for (const id of ['pay_nobody', '', `'; drop table stripe_orders`, 'x'.repeat(9_999), null, 7, {}])
    assert.deepEqual(await hear(changed({ id: 'pi_other', metadata: { steadypay_id: id } })), [])
  for (const type of ['customer.created', 'setup_intent.succeeded', 'refund.updated', 'charge.succeeded'])
    assert.deepEqual(await hear(changed({}, type)), [], type)
  const dispute = { id: 'du_1', payment_intent: 'pi_other' }
  assert.deepEqual(await hear(changed(dispute, 'charge.dispute.created')), [])
  assert.deepEqual(await hear(changed({ id: 'du_1', payment_intent: null }, 'charge.dispute.created')), [])
  const canceled = newId('pay', at)
  await rail.cancelCharge(canceled, at)
  assert.deepEqual(await hear(changed({ id: 'pi_other', metadata: { steadypay_id: canceled } })), [])
  const forged = { ...double.signed(event, 'whsec_other', now), secrets: [secret], now }
  assert.equal(await stage.stripe.readCallback(forged), 'forged')
})
