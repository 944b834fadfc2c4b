import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mock, test } from 'node:test'
import * as fc from 'fast-check'
import { Webhook, WebhookVerificationError as LibraryError } from 'standardwebhooks'
import { verifyWebhook, WebhookVerificationError, type WebhookVerification } from 'steadypay/webhooks'
import { signatureHeaders } from '../../activities/webhook/signature.ts'
import { root, vectors } from '../support/verify/vectors.ts'

const now = 1_790_000_000
const event = { id: 'evt_1', type: 'collection.succeeded', created_at: '2026-09-21T14:13:20.000Z', data: { n: 1 } }
const body = JSON.stringify(event)
const secret = 'a-test-secret'
const sign = (secrets: string[], bytes: Uint8Array = Buffer.from(body), at = now * 1000, eventId = 'evt_1') =>
  signatureHeaders({ eventId, attempt: 1, sequence: 1, body: bytes, secrets, at })

const headersNamed = (headers: Record<string, string>, name: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => name.test(each)))

/** The code of the refusal, or null without one; any other error is thrown on. */
function refusal(verification: unknown): string | null {
  try {
    verifyWebhook(verification as WebhookVerification)
    return null
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code
    throw error
  }
}

/** `whsec_` and base64 with padding, whose unused bits at the end are zero (RFC 4648, 3.5). */
const canonical = /^whsec_(?!$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$/

/** Whether the library of Standard Webhooks accepts it at a time, with the secret passed as our guide says. */
function libraryAccepts(key: string, headers: Record<string, string>, text: string, atSeconds: number): boolean {
  const isEncoded = canonical.test(key)
  const webhook = isEncoded ? new Webhook(key) : new Webhook(Buffer.from(key), { format: 'raw' })
  mock.timers.enable({ apis: ['Date'], now: atSeconds * 1000 })
  try {
    webhook.verify(text, headers)
    return true
  } catch (error) {
    if (error instanceof LibraryError) return false
    throw error
  } finally {
    mock.timers.reset()
  }
}

test('there are enough vectors with different names: valid ones, and at least one for each refusal', () => {
  assert.ok(vectors.length >= 12)
  assert.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length)
  const codes = new Set(vectors.map(({ code }) => code))
  for (const code of [null, 'missing_header', 'bad_timestamp', 'too_old', 'too_new', 'no_match', 'bad_secret']) {
    assert.ok(codes.has(code), `${code}`)
  }
})

for (const vector of vectors) {
  const { headers, secrets, now: at, tolerance_seconds: toleranceSeconds, signed_with: signedWith } = vector
  const verification = { headers, body: vector.body, secrets, now: at, toleranceSeconds }

  test(`vector: ${vector.name}`, () => {
    assert.equal(refusal(verification), vector.code)
    assert.equal(vector.valid, vector.code === null)
    assert.equal(vector.valid, vector.x_service || vector.standard_webhooks)
    const by = (name: RegExp) => refusal({ ...verification, headers: headersNamed(headers, name) }) === null
    assert.equal(by(/^X-Service-/), vector.x_service, 'by X-Service-*')
    assert.equal(by(/^webhook-/), vector.standard_webhooks, 'by webhook-*')
    if (vector.valid) assert.deepEqual(verifyWebhook(verification), JSON.parse(vector.body))
  })

  if (signedWith) {
    test(`vector is what we send: ${vector.name}`, () => {
      const sent = signatureHeaders({
        eventId: headers['X-Service-Event-Id'] ?? '',
        attempt: Number(headers['X-Service-Attempt']),
        sequence: headers['X-Service-Sequence'] ?? '',
        body: Buffer.from(vector.body),
        secrets: signedWith,
        at: Number(headers['X-Service-Timestamp']) * 1000 + 999,
      })
      assert.deepEqual(sent, headers)
    })
  }

  // The library has a fixed tolerance, refuses an empty secret in its constructor, and parses timestamps leniently.
  if (toleranceSeconds === 300 && !['bad_secret', 'bad_timestamp'].includes(vector.code ?? '')) {
    test(`vector by the library of Standard Webhooks: ${vector.name}`, () => {
      const accepts = secrets.some((key) => libraryAccepts(key, headers, vector.body, at))
      assert.equal(accepts, vector.standard_webhooks)
    })
  }
}

const anySecret = fc.oneof(
  fc.string({ minLength: 8, maxLength: 64, unit: 'binary' }),
  fc.uint8Array({ minLength: 6, maxLength: 43 }).map((key) => `whsec_${Buffer.from(key).toString('base64')}`),
  fc.string({ minLength: 2, maxLength: 58 }).map((rest) => `whsec_${rest}`),
)
const anyEvent = fc.dictionary(fc.string(), fc.jsonValue()).map((data) => ({ ...event, data }))

test('every delivery of ours is accepted, as text and as bytes, and by either pair of headers alone', () => {
  fc.assert(
    fc.property(anySecret, anyEvent, fc.nat(300), (key, sent, age) => {
      const text = JSON.stringify(sent)
      const headers = sign([key], Buffer.from(text))
      for (const raw of [text, Buffer.from(text)]) {
        for (const name of [/./, /^X-Service-/, /^webhook-/]) {
          const verification = { headers: headersNamed(headers, name), body: raw, secrets: key, now: now + age }
          assert.deepEqual(verifyWebhook(verification), JSON.parse(text))
        }
      }
    }),
  )
})

test('a body with any bit flipped is refused', () => {
  fc.assert(
    fc.property(anySecret, anyEvent, fc.nat(), fc.nat(7), (key, sent, place, bit) => {
      const bytes = Buffer.from(JSON.stringify(sent))
      const headers = sign([key], bytes)
      const at = place % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      assert.equal(refusal({ headers, body: bytes, secrets: key, now }), 'no_match')
    }),
  )
})

test('the library of Standard Webhooks accepts our deliveries, and not with another secret', () => {
  const other = 'an-unrelated-secret'
  fc.assert(
    fc.property(anySecret, anyEvent, (key, sent) => {
      const text = JSON.stringify(sent)
      const headers = sign([key], Buffer.from(text))
      assert.ok(libraryAccepts(key, headers, text, now))
      assert.ok(!libraryAccepts(other, headers, text, now))
      const inGrace = sign([other, key], Buffer.from(text))
      assert.ok(libraryAccepts(key, inGrace, text, now) && libraryAccepts(other, inGrace, text, now))
    }),
  )
})

test('headers may come as in Node, in Fetch or in a plain object, in upper or lower case', () => {
  const sent = sign([secret])
  const recased = (change: (name: string) => string) =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [change(name), value]))
  const forms = {
    sent,
    lowercase: recased((name) => name.toLowerCase()),
    uppercase: recased((name) => name.toUpperCase()),
    'lists of one': Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]])),
    'a Fetch Headers': new Headers(sent),
    'a Map': new Map(Object.entries(sent)),
    pairs: Object.entries(sent),
    'without a prototype': Object.assign(Object.create(null), sent),
  }
  for (const [form, headers] of Object.entries(forms)) {
    assert.deepEqual(verifyWebhook({ headers, body, secrets: secret, now }), event, form)
  }
})

test('the event has its four fields', () => {
  const { id, type, created_at, data } = verifyWebhook({ headers: sign([secret]), body, secrets: secret, now })
  assert.deepEqual({ id, type, created_at, data }, event)
})

test('a header that comes twice is refused', () => {
  const sent = headersNamed(sign([secret]), /^X-Service-/)
  const { 'X-Service-Signature': signature = '' } = sent
  const both = [...Object.entries(sent), ['x-service-signature', signature]]
  assert.equal(refusal({ headers: both, body, secrets: secret, now }), 'no_match')
  const list = { ...sent, 'X-Service-Signature': [signature, signature] }
  assert.equal(refusal({ headers: list, body, secrets: secret, now }), 'no_match')
})

test('junk is always refused with a WebhookVerificationError', () => {
  const names = [...Object.keys(sign([secret])), '__proto__', 'get', 'constructor']
  const junk = fc.oneof(
    fc.anything({ withSparseArray: true, withTypedArray: true, withMap: true, withNullPrototype: true }),
    fc.constantFrom(Symbol('junk'), 1n, () => 'x', NaN, '', ' ', '\n', '1790000000'),
  )
  const headers = fc.oneof(
    junk,
    fc.dictionary(fc.constantFrom(...names), junk),
    fc.array(fc.tuple(fc.constantFrom(...names), junk)),
    fc.tuple(fc.constantFrom(...names), junk).map(([name, value]) => ({ ...sign([secret]), [name]: value })),
  )
  const given = fc.record({
    headers,
    body: fc.oneof(fc.constant(`${body} `), junk),
    secrets: fc.oneof(junk, anySecret),
  })
  const times = fc.record({ now: fc.oneof(fc.constant(now), junk), toleranceSeconds: fc.oneof(fc.constant(300), junk) })
  fc.assert(
    fc.property(given, times, (verification, time) => {
      assert.notEqual(refusal({ ...verification, ...time }), null)
    }),
    { numRuns: 2000 },
  )
  for (const none of [undefined, null, 7, 'x', []]) assert.equal(refusal(none), 'bad_body')
})

test('headers that throw when they are read count as missing', () => {
  const throwing = Object.defineProperty({}, 'x-service-timestamp', {
    enumerable: true,
    get: () => assert.fail('read'),
  })
  assert.equal(refusal({ headers: throwing, body, secrets: secret, now }), 'missing_header')
})

test('a parsed body is refused with the reason', () => {
  const verification = { headers: sign([secret]), secrets: secret, now, body: event as unknown as string }
  assert.throws(() => verifyWebhook(verification), { code: 'bad_body', message: /raw bytes of the request/ })
})

test('a signed body that is not an event is refused', () => {
  const { data: _data, ...withoutData } = event
  const bodies = ['', 'null', '[]', '"evt_1"', '{}', '{"id":', JSON.stringify(withoutData)]
  const notUtf8 = Buffer.from(JSON.stringify({ ...event, id: 'evt_é' }), 'latin1')
  for (const raw of [...bodies, notUtf8]) {
    const headers = sign([secret], Buffer.from(raw))
    assert.equal(refusal({ headers, body: raw, secrets: secret, now }), 'bad_body', String(raw))
  }
})

test('empty secrets are ignored, and without any other one the verification is refused', () => {
  const headers = sign([secret])
  assert.equal(refusal({ headers, body, secrets: ['', undefined, secret, null], now }), null)
  const byNobody = sign([''])
  for (const secrets of ['', [], [''], [undefined, null], undefined, 5, [secret, 5], [Buffer.from(secret)]]) {
    assert.equal(refusal({ headers: byNobody, body, secrets, now }), 'bad_secret')
  }
})

test('a tolerance or time that is no number is refused, and does not switch the check off', () => {
  const verification = { headers: sign([secret]), body, secrets: secret, now }
  for (const wrong of [NaN, -1, '300', null, {}]) {
    assert.equal(refusal({ ...verification, toleranceSeconds: wrong }), 'bad_option')
  }
  for (const wrong of [NaN, Infinity, `${now}`, null, new Date()]) {
    assert.equal(refusal({ ...verification, now: wrong }), 'bad_option')
  }
})

test('without `now` the system clock counts', () => {
  assert.equal(refusal({ headers: sign([secret], Buffer.from(body), Date.now()), body, secrets: secret }), null)
  const old = sign([secret], Buffer.from(body), Date.now() - 400_000)
  assert.equal(refusal({ headers: old, body, secrets: secret }), 'too_old')
})

test('one valid pair of headers is enough, whatever the other pair says', () => {
  const sent = sign([secret])
  const stale = { ...sent, 'X-Service-Timestamp': String(now - 9999) }
  assert.equal(refusal({ headers: stale, body, secrets: secret, now }), null)
  assert.equal(refusal({ headers: { ...sent, 'webhook-signature': 'v1,' }, body, secrets: secret, now }), null)
})

test('a signed text cannot be split in another place', () => {
  // A customer's text inside a body is passed off as a timestamp and a body.
  const forged = JSON.stringify({ ...event, id: 'evt_forged' })
  const whole = `{"id":"evt_1","note":"x.${now}.${forged}`
  const { 'webhook-signature': signature = '' } = sign([secret], Buffer.from(whole), (now - 5000) * 1000)
  const id = `evt_1.${now - 5000}.{"id":"evt_1","note":"x`
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': signature }
  assert.ok(libraryAccepts(secret, headers, forged, now), 'the split keeps the signed bytes')
  assert.equal(refusal({ headers, body: forged, secrets: secret, now }), 'missing_header')

  // A text signed in one form is passed off as the other: its timestamp would be an id.
  const decoded = Buffer.from(sign([secret])['webhook-signature']?.slice(3) ?? '', 'base64').toString('hex')
  const crossed = { 'X-Service-Timestamp': 'evt_1', 'X-Service-Signature': decoded }
  assert.equal(refusal({ headers: crossed, body: `${now}.${body}`, secrets: secret, now }), 'bad_timestamp')
})

test('the package exports the helper under its name, and its tarball contains it', () => {
  const helper = 'client/verify-webhook.js'
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
  for (const file of [helper, helper.replace(/js$/, 'd.ts')]) {
    assert.ok(stdout.toString().includes(`"path": "${file}"`), file)
  }
  assert.equal(import.meta.resolve('steadypay/webhooks'), import.meta.resolve(`../../${helper}`))
})
