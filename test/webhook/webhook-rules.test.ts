import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeliveryStatus, endDelivery } from '../../domain/webhook/delivery.ts'
import { coversAccount, endpointsMax, isSubscribed, nextConsequenceAt } from '../../domain/webhook/endpoint.ts'
import { eventTypes, testEventId } from '../../domain/webhook/event.ts'
import { aboutDelivery, aboutEndpoint, aboutRecovery } from '../../domain/webhook/process.ts'
import { isPublicAddress, loopback, normalizeHost, urlError } from '../../domain/webhook/receiver-url.ts'
import { nextAnswer } from '../../domain/webhook/simulated-receiver.ts'

// The rules of webhooks, tested without a running service.

test('a delivery that has ended has no next attempt and is not on hold', () => {
  const delivery = {
    status: 'pending' as DeliveryStatus,
    nextAttemptAt: new Date(5) as Date | null,
    completedAt: null as Date | null,
    onHoldSince: new Date(1) as Date | null,
  }
  endDelivery(delivery, 'failed', 9)
  assert.deepEqual(delivery, { status: 'failed', nextAttemptAt: null, completedAt: new Date(9), onHoldSince: null })
})

test('an endpoint receives the types of its filter, or all of them', () => {
  assert.ok(isSubscribed(['payout.paid', 'refund.paid'], 'refund.paid'))
  assert.ok(!isSubscribed(['payout.paid'], 'payout.failed'))
  assert.ok(!isSubscribed([], 'payout.paid'))
  assert.ok(isSubscribed(['*'], 'payout.paid'))
  assert.equal(endpointsMax, 10)
})

test('an endpoint is off 72 hours after the first failure of a run, whenever that was', () => {
  const hour = 3_600_000
  const failingSince = Date.parse('2027-01-01T00:00:00Z')
  const off = (warnedAfter: number | null) =>
    (nextConsequenceAt({ failingSince, warnedAt: warnedAfter && failingSince + warnedAfter * hour }) - failingSince) /
    hour
  assert.deepEqual([null, 10, 24, 30].map(off), [24, 72, 72, 78])
})

test('an endpoint covers its account’s own events, those of connected accounts, or both', () => {
  const covered = (['own', 'connected', 'all'] as const).map((scope) =>
    [true, false].map((own) => coversAccount(scope, own)),
  )
  assert.deepEqual(covered, [
    [true, false],
    [false, true],
    [true, true],
  ])
})

test('every event of the interface exists, and the test event has its fixed id', () => {
  for (const type of [
    'collection.succeeded',
    'collection.failed',
    'collection.underpaid',
    'payout.created',
    'payout.paid',
    'payout.failed',
    'refund.created',
    'refund.paid',
    'refund.failed',
    'conversion.completed',
    'conversion.failed',
    'checkout.completed',
    'checkout.expired',
    'customer.created',
    'customer.updated',
  ]) {
    assert.ok(
      eventTypes.some((each) => each === type),
      type,
    )
  }
  assert.ok(!eventTypes.some((type) => String(type) === 'collection.abandoned'), 'removed from the interface')
  assert.equal(testEventId, 'evt_test_webhook')
})

/** Addresses of the IANA registries of special-purpose addresses, and of what carries an IPv4 address inside. */
const blocked = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '::',
  '::1',
  '::8.8.8.8',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fe80::1',
  'fe80::1%eth0',
  '2600::1%eth0',
  'ff02::1',
  '4000::1',
  '8.8',
  '0x08080808',
  '010.8.8.8',
  '134744072',
  'example.com',
  '',
]

test('only a plain global unicast address is public', () => {
  for (const address of blocked) assert.ok(!isPublicAddress(address), address)
  for (const address of ['8.8.8.8', '1.1.1.1', '2600::1', '2a00:1450:4001::1'])
    assert.ok(isPublicAddress(address), address)
})

test('a receiver is reached by https at a public name or address, and the error says what is wrong', () => {
  const errors: [url: string, error: string | null][] = [
    ['https://example.com/hook', null],
    ['https://example.com./hook', null],
    ['https://8.8.8.8/', null],
    ['https://[2600::1]/', null],
    ['http://example.com/', 'https_required'],
    ['ftp://example.com/', 'https_required'],
    ['example.com', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://user@example.com/', 'user_info'],
    ['https://:secret@example.com/', 'user_info'],
    ['https://127.0.0.1/', 'blocked_address'],
    ['https://2130706433/', 'blocked_address'],
    ['https://0x7f.1/', 'blocked_address'],
    ['https://[::1]/', 'blocked_address'],
    ['https://[::ffff:8.8.8.8]/', 'blocked_address'],
    ['https://localhost/', 'blocked_address'],
    ['https://api.localhost./', 'blocked_address'],
    ['https://printer.local/', 'blocked_address'],
    ['https://db.internal/', 'blocked_address'],
    ['https://router.home.arpa/', 'blocked_address'],
    ['https://notlocal.com/', null],
    ['https://mylocal/', null],
    ['https://local.example.com/', null],
  ]
  for (const [url, error] of errors) assert.equal(urlError(url, false), error, url)
})

test('a URL has at most 2,048 characters', () => {
  const base = 'https://example.com/'
  assert.equal(urlError(base.padEnd(2_048, 'x'), false), null)
  assert.equal(urlError(base.padEnd(2_049, 'x'), false), 'url_too_long')
})

test('where loopback is allowed, its three names work by http and https, and nothing else does', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]', 'localhost.']) {
    for (const scheme of ['http', 'https']) assert.equal(urlError(`${scheme}://${host}:8080/`, true), null, host)
    assert.equal(urlError(`http://${host}/`, false), 'https_required')
  }
  assert.equal(urlError('ftp://localhost/', true), 'https_required')
  assert.equal(urlError('http://127.0.0.2/', true), 'https_required')
  assert.equal(urlError('https://127.0.0.2/', true), 'blocked_address')
  assert.equal(urlError('http://api.localhost/', true), 'https_required')
  assert.deepEqual([...loopback.values()], ['127.0.0.1', '127.0.0.1', '::1'])
})

test('a host is compared without brackets and root dot', () => {
  assert.deepEqual(['[::1]', 'example.com.', 'a.b', 'x[y]'].map(normalizeHost), ['::1', 'example.com', 'a.b', 'x[y]'])
})

test('the receiver of a scenario answers as planned, and then 200 for ever', () => {
  const plan = [
    { answers: 500, times: 2 },
    { answers: 'timeout' as const, times: 1 },
  ]
  const answers = []
  let left: ReturnType<typeof nextAnswer>['left'] = plan
  for (let count = 0; count < 5; count++) {
    const next = nextAnswer(left)
    answers.push(next.answer)
    left = next.left
  }
  assert.deepEqual(answers, [500, 500, 'timeout', 200, 200])
  assert.deepEqual(plan[0], { answers: 500, times: 2 }, 'the plan itself is not changed')
})

test('operators read of a delivery, a failing endpoint and a recovery what each waits for', () => {
  const owned = { accountId: 'acct_1', environment: 'live' }
  assert.deepEqual(aboutDelivery({ type: 'payout.paid', environment: 'live', resourceId: 'pay_1' }, owned), {
    ...owned,
    status: 'pending',
    waitingOn: 'receiver',
    summary: 'payout.paid of pay_1',
  })
  const failing = { ...owned, status: 'failing', waitingOn: 'receiver', summary: 'Every delivery fails' }
  assert.deepEqual(aboutEndpoint({ ...owned, warnedAt: null }), failing)
  const started = aboutEndpoint({ ...owned, warnedAt: new Date(0) })
  assert.deepEqual(started, { ...failing, status: 'warned' }, 'a process that is started again is found as before')
  const missed = { ...owned, endpointId: 'we_1', since: new Date(0), until: new Date(86_400_000) }
  assert.deepEqual(aboutRecovery(missed), {
    ...owned,
    status: 'pending',
    waitingOn: 'deliveries',
    summary: 'What we_1 has missed from 1970-01-01T00:00:00.000Z to 1970-01-02T00:00:00.000Z',
  })
})
