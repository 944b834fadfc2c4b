import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { test } from 'node:test'
import { signatureHeaders } from '../../activities/webhook/signature.ts'

const body = Buffer.from('{"id":"evt_1","type":"collection.succeeded","data":{"name":"Zoë ✓"}}')
const delivery = { eventId: 'evt_1', attempt: 2, sequence: 77, body, secrets: ['correct horse'], at: 1_700_000_000_999 }

/** Verifies as standardwebhooks.com says, to the letter. */
function verifyStandard(key: Buffer, headers: Record<string, string>, received: Buffer): boolean {
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), received])
  const expected = createHmac('sha256', key).update(signed).digest()
  return (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, signature] = entry.split(',')
    const given = Buffer.from(signature ?? '', 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

test('the signature is lowercase hex of HMAC-SHA256 over the timestamp in seconds, a dot and the raw body', () => {
  const headers = signatureHeaders(delivery)
  const signed = Buffer.concat([Buffer.from('1700000000.'), body])
  assert.equal(headers['X-Service-Timestamp'], '1700000000')
  assert.equal(headers['X-Service-Signature'], createHmac('sha256', 'correct horse').update(signed).digest('hex'))
  assert.match(headers['X-Service-Signature'] ?? '', /^[0-9a-f]{64}$/)
})

test('a signature is the same as in an earlier release', () => {
  // Computed with: printf '1700000000.{}' | openssl dgst -sha256 -hmac 'sixteen-letters!'
  const headers = signatureHeaders({ ...delivery, body: Buffer.from('{}'), secrets: ['sixteen-letters!'] })
  assert.equal(headers['X-Service-Signature'], '3e424cd54797e0279074f6ee060ce23dd5f18df32d974fd7e537d9f09a5ac229')
})

test('every delivery has the identifying headers, and without a secret it has no others', () => {
  const identity = { 'X-Service-Event-Id': 'evt_1', 'X-Service-Attempt': '2', 'X-Service-Sequence': '77' }
  assert.deepEqual(signatureHeaders({ ...delivery, secrets: [] }), identity)
  assert.partialDeepStrictEqual(signatureHeaders(delivery), identity)
})

test('a receiver that follows Standard Webhooks accepts a whsec_ secret by its decoded bytes', () => {
  const key = Buffer.from('a key of twenty-four byt')
  const headers = signatureHeaders({ ...delivery, secrets: [`whsec_${key.toString('base64')}`] })
  assert.equal(headers['webhook-id'], 'evt_1')
  assert.equal(headers['webhook-timestamp'], '1700000000')
  assert.ok(verifyStandard(key, headers, body))
  assert.ok(!verifyStandard(key, headers, Buffer.from(`${body} `)))
  assert.ok(!verifyStandard(key, { ...headers, 'webhook-id': 'evt_2' }, body))
  assert.ok(!verifyStandard(key, { ...headers, 'webhook-timestamp': '1700000001' }, body))
})

test('X-Service-Signature uses a whsec_ secret as it is written', () => {
  const secret = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`
  const expected = createHmac('sha256', secret).update('1700000000.').update(body).digest('hex')
  assert.equal(signatureHeaders({ ...delivery, secrets: [secret] })['X-Service-Signature'], expected)
})

test('any other secret signs with its UTF-8 bytes', () => {
  const headers = signatureHeaders({ ...delivery, secrets: ['geheim-Zoë'] })
  assert.ok(verifyStandard(Buffer.from('geheim-Zoë'), headers, body))
})

test('a secret that only looks like whsec_ never becomes an empty or shortened key', () => {
  for (const secret of ['whsec_', 'whsec_!!', 'whsec_!!!!AAAA', 'whsec_AAAAA', 'whsec_AB==']) {
    const headers = signatureHeaders({ ...delivery, secrets: [secret] })
    assert.ok(verifyStandard(Buffer.from(secret), headers, body), secret)
  }
})

test('during the grace period both secrets verify, and X-Service-Signature is by the newest one', () => {
  const headers = signatureHeaders({ ...delivery, secrets: ['the new one', 'the old one'] })
  assert.equal(headers['webhook-signature']?.split(' ').length, 2)
  assert.ok(verifyStandard(Buffer.from('the new one'), headers, body))
  assert.ok(verifyStandard(Buffer.from('the old one'), headers, body))
  assert.ok(!verifyStandard(Buffer.from('an older one'), headers, body))
  const newest = createHmac('sha256', 'the new one').update('1700000000.').update(body).digest('hex')
  assert.equal(headers['X-Service-Signature'], newest)
})

test('every attempt has a new signature over the same bytes', () => {
  const first = signatureHeaders(delivery)
  const second = signatureHeaders({ ...delivery, attempt: 3, at: delivery.at + 60_000 })
  assert.notEqual(second['X-Service-Signature'], first['X-Service-Signature'])
  assert.equal(second['webhook-id'], first['webhook-id'])
})

test('bytes that are not text are signed as they are', () => {
  const bytes = Uint8Array.from([0xff, 0x00, 0xfe])
  const expected = createHmac('sha256', 'correct horse').update('1700000000.').update(bytes).digest('hex')
  assert.equal(signatureHeaders({ ...delivery, body: bytes })['X-Service-Signature'], expected)
})
