import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operations } from '../../api/operations.ts'
import { metadataKey } from '../../schemas/common.ts'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { type Reply, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Bodies that are too deep, too long, without an end, or not of the type that they claim.
const stack = await useStack({ workers: false })
await useApi(stack)

const create = (body: unknown, headers: Record<string, string> = {}) =>
  stack.merchant.call('POST', '/v1/checkout-sessions', body, headers)

test('a body that is nested too deeply is refused', async () => {
  const nest = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  assert.equal(
    (await create(JSON.stringify({ ...sale, deep: 0 }).replace('"deep":0', `"deep":${nest(15)}`))).status,
    201,
  )
  for (const depth of [30, 1_000, 15_000]) {
    const body = JSON.stringify({ ...sale, deep: 0 }).replace('"deep":0', `"deep":${nest(depth)}`)
    assertFieldErrors(await create(body), { deep: 'value_error.range' })
  }
  assertError(await create(`{"a":${'['.repeat(90_000)}`), 400, 'VALIDATION_ERROR')
})

test('depth is checked before anything else reads the body: 5,000 nested arrays are a range error', async () => {
  const nested = (depth: number) => `{"charge_id":${'['.repeat(depth)}${']'.repeat(depth)},"amount":1.5}`
  for (const depth of [21, 5_000, 40_000]) {
    const reply = await stack.merchant.call('POST', '/api/v1/payments/refunds', nested(depth))
    assertFieldErrors(reply, { charge_id: 'value_error.range' })
  }
})

test('a body of 15,000 fields and items is read, one with more is refused', async () => {
  const nameless = Object.keys(sale).length + 2
  const lists = (items: number) => ({ ...sale, deep: [[...Array(items - nameless).keys()]] })
  assert.equal((await create(lists(15_000))).status, 201)
  for (const more of [15_001, 200_000]) assertFieldErrors(await create(lists(more)), { body: 'value_error.range' })
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]))
  assertFieldErrors(await create({ ...sale, metadata: wide }), { body: 'value_error.range' })
})

test('a body that is no JSON object, or not declared as JSON, is refused', async () => {
  const broken = [
    '{',
    '{"amount"',
    '"text"',
    '5',
    'null',
    'true',
    '[]',
    '[{}]',
    '{"a":1}x',
    '{"a":NaN}',
    "{'a':1}",
    '\uFEFF\uFEFF{}',
  ]
  for (const body of broken) assertFieldErrors(await create(body), { body: 'value_error.format' })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    '',
  ]) {
    assertFieldErrors(await create(JSON.stringify(sale), { 'content-type': type }), { body: 'value_error.format' })
  }
  const utf8 = { 'content-type': 'Application/JSON; charset=utf-8' }
  assert.equal((await create(JSON.stringify(sale), utf8)).status, 201)
})

async function send(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(`${stack.baseUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: { ...bearer(stack.merchant.apiKey), 'content-type': 'application/json', ...headers },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

test('a compressed body, and bytes that are not UTF-8, are refused', async () => {
  const zipped = gzipSync(JSON.stringify(sale))
  assertFieldErrors(await send(zipped, { 'content-encoding': 'gzip' }), { body: 'value_error.format' })
  assertFieldErrors(await send(zipped), { body: 'value_error.format' })
  const bytes = Buffer.concat([Buffer.from('{"description":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')])
  assertFieldErrors(await send(bytes), { body: 'value_error.format' })
})

test('a body of 100 KB is read, and one of 1 MB where metadata may be in it; one byte more is refused', async () => {
  const padded = (body: object, size: number) => {
    const text = JSON.stringify({ ...body, padding: '' })
    return text.replace('"padding":""', `"padding":"${'x'.repeat(size - text.length)}"`)
  }
  const makeClock = (body: unknown) => stack.merchant.call('POST', '/v1/test-helpers/clocks', body)
  assert.equal((await makeClock(padded({ name: 'full' }, 100 * 1024))).status, 201)
  assertFieldErrors(await makeClock(padded({ name: 'full' }, 100 * 1024 + 1)), { body: 'value_error.range' })
  assert.equal((await create(padded(sale, 1024 * 1024))).status, 201)
  assertFieldErrors(await create(padded(sale, 1024 * 1024 + 1)), { body: 'value_error.range' })
})

/** JSON without a character beyond ASCII, as Python writes it. */
const escaped = (json: string) =>
  json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

test('metadata at all its limits is taken, as UTF-8 and with each character escaped', async () => {
  for (const character of ['é', '語', '😀']) {
    const keys = Array.from({ length: 50 }, (_, index) => `${character.repeat(38)}${index + 10}`)
    const metadata = Object.fromEntries(keys.map((key) => [key, character.repeat(500)]))
    const json = JSON.stringify({ ...sale, metadata })
    assert.deepEqual(JSON.parse(escaped(json)), JSON.parse(json))
    for (const body of [json, escaped(json)]) {
      const made = await create(body)
      assert.equal(made.status, 201, `${character}: ${body.length} characters, ${made.text.slice(0, 200)}`)
      assert.deepEqual(made.body['metadata'], metadata)
    }
  }
})

test('each call that takes metadata has room for two objects of it, in any spelling', () => {
  const most = 2 * 50 * ((40 + 500) * 12 + '"":"",'.length)
  const taking = operations.filter(({ body }) => JSON.stringify(body ?? {}).includes(JSON.stringify(metadataKey)))
  assert.ok(taking.length > 15)
  const less = taking.filter(({ bodyBytesMax }) => bodyBytesMax < most + 100 * 1024)
  assert.deepEqual(
    less.map(({ path }) => path),
    [],
  )
})

test('20 MB, with a length or in chunks, are refused at once, and the service goes on answering', async () => {
  const startedAt = performance.now()
  for (let times = 0; times < 3; times++) {
    assertFieldErrors(await send(Buffer.alloc(20 * 1024 * 1024, ' ')), { body: 'value_error.range' })
    const chunks = Array.from({ length: 320 }, () => new Uint8Array(64 * 1024).fill(32))
    assertFieldErrors(await send(ReadableStream.from(chunks)), { body: 'value_error.range' })
  }
  assert.ok(performance.now() - startedAt < 10_000)
  assert.equal((await create(sale)).status, 201)
})

/** Writes bytes to a connection and reads until the server closes it or has sent `untilText`. */
async function exchange(bytes: string, untilText: string): Promise<string> {
  const socket = connect(Number(new URL(stack.baseUrl).port), '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.on('error', () => undefined)
  socket.write(bytes)
  for await (const chunk of socket) {
    received += String(chunk)
    if (received.includes(untilText)) break
  }
  socket.destroy()
  return received
}

test('a body that never ends is answered while it is still arriving', async () => {
  const head = `POST /v1/checkout-sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.merchant.apiKey}\r\n`
  const chunk = `${(2 * 1024 * 1024).toString(16)}\r\n${' '.repeat(2 * 1024 * 1024)}\r\n`
  const chunked = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`
  assert.match(await exchange(chunked, 'VALIDATION_ERROR'), /^HTTP\/1\.1 400 [\s\S]*"field":"body"/)
  const long = `${head}Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{`
  assert.match(await exchange(long, 'VALIDATION_ERROR'), /^HTTP\/1\.1 400 [\s\S]*"field":"body"/)
  const withoutKey = long.replace(/Authorization.*\r\n/, '')
  assert.match(await exchange(withoutKey, 'UNAUTHORIZED'), /^HTTP\/1\.1 401 /)
})
