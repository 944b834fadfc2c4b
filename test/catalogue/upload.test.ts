import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { withFormRoom } from '../../api/http/form-room.ts'
import { sentKilobytesMax, unattachedBytesMax } from '../../domain/catalogue/upload.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { createAccount } from '../support/connected-account.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import {
  addImage,
  form,
  formType,
  jpeg,
  pdf,
  png,
  pngOf,
  sendBytes,
  sendFile,
  showPublicly,
  webp,
} from '../support/upload.ts'

const stack = await useStack({ workers: false, invariants: 'at the end' })
const api = await useApi(stack)

const mb = 1024 * 1024
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const remove = (id: string) => stack.merchant.call('DELETE', `/v1/utilities/uploads/${id}`)
const count = async () => (await stack.sql<{ n: number }>('select count(*)::int as n from uploads'))[0]?.n
const serve = (id: string, init: RequestInit = {}) => fetch(`${stack.baseUrl}/uploads/${id}`, init)

/** Asserts that a call stores nothing. */
async function storesNothing(work: () => Promise<void>): Promise<void> {
  const found = await count()
  await work()
  assert.equal(await count(), found)
}

for (const [type, bytes] of Object.entries({
  'image/png': png,
  'image/jpeg': jpeg,
  'image/webp': webp,
  'application/pdf': pdf,
})) {
  test(`${type} is recognized by its content, whatever type is declared, and stored unchanged`, async () => {
    const startedAt = Date.now()
    const { status, text, body } = await sendBytes(
      stack.merchant,
      form([{ bytes, name: 'a file.exe', type: 'text/html' }]),
    )
    assert.equal(status, 201, text)
    const { upload_id, created_at, ...rest } = body
    assert.match(String(upload_id), /^upl_[0-9a-z]{34}$/)
    assert.ok(Date.parse(String(created_at)) >= startedAt - 1)
    assert.deepEqual(rest, {
      file_name: 'a file.exe',
      content_type: type,
      size: bytes.length,
      sha256: sha256(bytes),
    })
    await showPublicly(stack, String(upload_id))
    const served = await serve(String(upload_id))
    assert.equal(served.headers.get('content-type'), type)
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), bytes)
  })
}

test('an image in use is served to anybody, can be cached for ever, and browsers use it as nothing else', async () => {
  const id = await addImage(stack.merchant)
  await showPublicly(stack, id)
  const served = await serve(id)
  assert.equal(served.status, 200)
  const header = (name: string) => served.headers.get(name)
  assert.equal(header('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(header('x-content-type-options'), 'nosniff')
  assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(header('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(header('content-disposition'), "inline; filename*=UTF-8''image.png")
  assert.equal(header('content-length'), String(png.length))
  const etag = header('etag') ?? ''
  // Not by fetch: with this header it always asks for a fresh answer.
  const known = get(`${stack.baseUrl}/uploads/${id}`, { headers: { 'if-none-match': etag }, agent: false })
  const [answer] = (await once(known, 'response')) as [IncomingMessage]
  answer.resume()
  assert.equal(answer.statusCode, 304)
  const head = await serve(id, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(png.length)])
})

test('a PDF is downloaded under its own name, whatever characters that has', async () => {
  const name = `Vertrag "№ 1" (neu)'; x=y.pdf`
  const { body } = await sendFile(stack.merchant, pdf, name)
  assert.equal(body['file_name'], name.replaceAll('"', '%22')) // as the client of this test writes it
  await showPublicly(stack, String(body['upload_id']))
  const served = await serve(String(body['upload_id']))
  const disposition = served.headers.get('content-disposition') ?? ''
  assert.match(disposition, /^attachment; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/)
  assert.equal(decodeURIComponent(disposition.split("''")[1] ?? ''), body['file_name'])
})

test('a file name has at most 255 characters, also where each is written as two', async () => {
  const name = `${'😀'.repeat(251)}.png`
  const { status, body } = await sendBytes(stack.merchant, form([{ bytes: png, name }]))
  assert.deepEqual([status, body['file_name']], [201, name])
  assertFieldErrors(await sendBytes(stack.merchant, form([{ bytes: png, name: `😀${name}` }])), {
    file: 'value_error.format',
  })
})

test('a path in a file name is dropped', async () => {
  for (const name of ['/etc/images/a.png', '..\\..\\a.png', 'C:\\fakepath\\a.png']) {
    const { body } = await sendBytes(stack.merchant, form([{ bytes: png, name }]))
    assert.equal(body['file_name'], 'a.png')
  }
})

test('10 MB are accepted and served whole; one byte more is refused', async () => {
  const whole = Buffer.concat([png, randomBytes(10 * mb - png.length)])
  const { status, text, body } = await sendFile(stack.merchant, whole)
  assert.equal(status, 201, text)
  assert.equal(body['size'], 10 * mb)
  await showPublicly(stack, String(body['upload_id']))
  const served = Buffer.from(await (await serve(String(body['upload_id']))).arrayBuffer())
  assert.ok(served.equals(whole))
  await storesNothing(async () => {
    assertFieldErrors(await sendFile(stack.merchant, pngOf(10 * mb + 1)), { file: 'value_error.range' })
  })
})

test('uploads that nothing uses take at most 1 GB of an organization in each environment', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const large = await addImage(merchant)
  const sized = (bytes: number) => stack.sql('update uploads set size = ? where id = ?', [bytes, large])
  await sized(unattachedBytesMax - png.length) // as if a file of that size had been sent
  const last = await addImage(merchant)
  const refused = (seller: Record<string, string> = {}) =>
    storesNothing(async () => void assertError(await sendFile(merchant, png, 'a.png', seller), 409, 'CONFLICT'))
  await refused()
  const { account_id: connected } = await createAccount(merchant)
  await refused({ 'x-account-id': connected })
  await addImage(stack.merchant)
  await addImage((await api.addKey({ accountId, environment: 'live' })).merchant)
  assert.equal((await merchant.call('DELETE', `/v1/utilities/uploads/${last}`)).status, 200)
  assert.equal((await sendFile(merchant, png, 'a.png', { 'x-account-id': connected })).status, 201)
  await refused()
  await showPublicly({ ...stack, merchant }, large) // what is used does not count
  await addImage(merchant)
  await sized(png.length)
})

test('TOO_MANY_REQUESTS: an organization sends at most 10 GB in a day in each environment, used or not', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const { account_id: connected } = await createAccount(merchant)
  await showPublicly({ ...stack, merchant }, await addImage(merchant, pngOf(1_500)))
  assert.equal((await sendFile(merchant, png, 'a.png', { 'x-account-id': connected })).status, 201)
  const subject = `uploads:${accountId}:sandbox`
  const [counted] = await stack.sql('select hits from rate_windows where subject = ?', [subject])
  assert.deepEqual(counted, { hits: 3 }) // kilobytes
  await stack.sql('update rate_windows set hits = ? where subject = ?', [sentKilobytesMax - 1, subject])
  await addImage(merchant)
  await storesNothing(async () => {
    const refused = await sendFile(merchant, png, 'a.png', { 'x-account-id': connected })
    assertError(refused, 429, 'TOO_MANY_REQUESTS')
    assert.equal(refused.headers.get('retry-after'), '3600')
  })
  await addImage((await api.addKey({ accountId, environment: 'live' })).merchant)
  await stack.sql('update rate_windows set window_start = now() where subject = ?', [subject])
  await addImage(merchant) // the next day begins
})

test('11 MB, with a length or in chunks, are refused at once and block nothing', async () => {
  const startedAt = performance.now()
  await storesNothing(async () => {
    const body = form([{ bytes: pngOf(11 * mb) }])
    assertFieldErrors(await sendBytes(stack.merchant, body), { file: 'value_error.range' })
    const pieces = Array.from({ length: 200 }, (_, index) => body.subarray(index * 57_672, (index + 1) * 57_672))
    assertFieldErrors(await sendBytes(stack.merchant, ReadableStream.from(pieces)), { file: 'value_error.range' })
    const besides = form([{ part: 'other', bytes: pngOf(11 * mb) }, { bytes: png }])
    assertFieldErrors(await sendBytes(stack.merchant, besides), { file: 'value_error.range' })
  })
  assert.ok(performance.now() - startedAt < 60_000)
})

test('a body that is too long is answered before all of it has arrived', async () => {
  const socket = open('Transfer-Encoding: chunked\r\n')
  const text = form([{ bytes: pngOf(11 * mb) }]).subarray(0, 11 * mb)
  socket.write(Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), text, Buffer.from('\r\n')]))
  assert.match(await received(socket), /^HTTP\/1\.1 400 [\s\S]*"field":"file"/)
  const long = open('Content-Length: 99999999999\r\n')
  assert.match(await received(long), /^HTTP\/1\.1 400 [\s\S]*"field":"file"/)
})

for (const [what, bytes] of Object.entries({
  'a text': Buffer.from('This is no image.'),
  'an HTML page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'an SVG image': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
  'a GIF image': Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'),
  'the first bytes of a PNG and no more': png.subarray(0, 8),
  'RIFF that is no WebP': Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt ', 'latin1'),
  'a page before its %PDF': Buffer.from('<html>%PDF-1.4'),
})) {
  test(`VALIDATION_ERROR: ${what} named .png is refused`, async () => {
    await storesNothing(async () => {
      assertFieldErrors(await sendFile(stack.merchant, bytes), { file: 'value_error.format' })
    })
  })
}

test('VALIDATION_ERROR: an empty file is refused', async () => {
  await storesNothing(async () => {
    assertFieldErrors(await sendFile(stack.merchant, Buffer.alloc(0)), { file: 'value_error.range' })
  })
})

test('VALIDATION_ERROR: a form without a part `file`, with two or with a text in it is refused', async () => {
  const sent = (...parts: Parameters<typeof form>[0]) => sendBytes(stack.merchant, form(parts))
  await storesNothing(async () => {
    assertFieldErrors(await sent({ part: 'image', bytes: png }), { file: 'value_error.missing' })
    assertFieldErrors(await sent(), { file: 'value_error.missing' })
    assertFieldErrors(await sent({ bytes: png }, { bytes: png }), { file: 'value_error' })
    assertFieldErrors(await sent({ bytes: 'a text', name: null }), { file: 'value_error.type' })
    assertFieldErrors(await sent({ bytes: png, name: `${'n'.repeat(252)}.png` }), { file: 'value_error.format' })
    assertFieldErrors(await sent({ bytes: png, name: 'nul\0.png' }), { body: 'value_error.format' })
    const many = Array.from({ length: 21 }, (_, index) => ({ part: `part${index}`, bytes: 'x', name: null }))
    assertFieldErrors(await sent(...many, { bytes: png }), { body: 'value_error.range' })
  })
})

test('parts of other names are ignored, before and after the file', async () => {
  const parts = [
    { part: 'purpose', bytes: 'product_image', name: null },
    { part: 'thumbnail', bytes: jpeg },
    { bytes: png },
    { part: 'after', bytes: 'x', name: null },
  ]
  const { status, body } = await sendBytes(stack.merchant, form(parts))
  assert.deepEqual([status, body['sha256']], [201, sha256(png)])
  assert.equal((await sendBytes(stack.merchant, form([{ bytes: png, name: `${'n'.repeat(251)}.png` }]))).status, 201)
})

test('a multipart body that breaks off anywhere is refused, and stores nothing', async () => {
  const whole = form([{ bytes: png }])
  const end = whole.length - 4 // with less than the last two dashes
  await storesNothing(async () => {
    for (let length = 0; length < end; length += 7) {
      assertFieldErrors(await sendBytes(stack.merchant, whole.subarray(0, length)), { body: 'value_error.format' })
    }
  })
})

test('a body that is not a multipart form is refused', async () => {
  const types = ['application/json', 'text/plain', 'multipart/form-data', 'multipart/mixed; boundary=x', 'image/png']
  for (const type of types) {
    const reply = await sendBytes(stack.merchant, Buffer.from('{}'), { 'content-type': type })
    assertFieldErrors(reply, { body: 'value_error.format' })
  }
  assertFieldErrors(await stack.merchant.call('POST', '/v1/utilities/uploads'), { body: 'value_error.format' })
})

test('random bytes in a form never cause an error of the service', async () => {
  const whole = form([{ part: 'a', bytes: 'b', name: null }, { bytes: png }])
  const change = fc.record({ at: fc.nat(whole.length), bytes: fc.uint8Array({ maxLength: 12 }), cut: fc.nat(40) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 3 }), async (changes) => {
      const bytes = changes.reduce(
        (body, { at, bytes: put, cut }) => Buffer.concat([body.subarray(0, at), put, body.subarray(at + cut)]),
        whole,
      )
      const reply = await sendBytes(stack.merchant, bytes)
      if (reply.status !== 201) assertError(reply, 400, 'VALIDATION_ERROR')
    }),
    { seed: 20_261_121, numRuns: 150 },
  )
})

test('the same file with the same idempotency key is one upload, though each try has another boundary', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const first = await sendFile(stack.merchant, png, 'one.png', key)
  const again = await sendFile(stack.merchant, png, 'one.png', key)
  assert.equal(first.status, 201)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  for (const other of [
    await sendFile(stack.merchant, jpeg, 'one.png', key),
    await sendFile(stack.merchant, png, 'two.png', key),
  ]) {
    const [error] = assertError(other, 409, 'CONFLICT')
    assert.equal(error?.code, 'idempotency_key_reused')
  }
})

test('equal uploads at once with one idempotency key are one upload', async () => {
  const found = (await count()) ?? 0
  const key = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all(Array.from({ length: 8 }, () => sendFile(stack.merchant, png, 'one.png', key)))
  const made = new Set(replies.filter(({ status }) => status === 201).map(({ text }) => text))
  assert.equal(made.size, 1)
  for (const reply of replies.filter(({ status }) => status !== 201)) assertError(reply, 409, 'CONFLICT')
  assert.equal(await count(), found + 1)
})

test('an upload is deleted once, with its content, and no longer served', async () => {
  const id = await addImage(stack.merchant)
  const { status, body } = await remove(id)
  assert.deepEqual([status, body], [200, { upload_id: id, deleted: true }])
  assertError(await remove(id), 404, 'NOT_FOUND')
  assert.equal((await serve(id)).status, 404)
  assert.deepEqual(await stack.sql('select from upload_contents where upload_id = ?', [id]), [])
})

test('CONFLICT: an upload can be deleted only when no product has it any more', async () => {
  const id = await addImage(stack.merchant)
  const product = { name: 'A poster', price_type: 'fixed', amount: '10.00', currency: 'USD', images: [id] }
  const made = await Promise.all([0, 1].map(() => stack.merchant.call('POST', '/v1/products', product)))
  const [one, other] = made.map(({ body }) => `/v1/products/${body['product_id']}`)
  assertError(await remove(id), 409, 'CONFLICT')
  await stack.merchant.call('PATCH', one ?? '', { images: [] })
  await stack.merchant.call('DELETE', other ?? '')
  assertError(await remove(id), 409, 'CONFLICT') // an archived product still shows it
  await stack.merchant.call('PATCH', other ?? '', { images: [] })
  assert.equal((await remove(id)).status, 200)
})

test('NOT_FOUND: another account’s upload is not deleted, and is answered like a missing one', async () => {
  const { merchant } = await api.addMerchant()
  const id = await addImage(merchant)
  const foreign = await remove(id)
  const none = await remove(id.replace(/.$/, (last) => (last === '0' ? '1' : '0')))
  assertError(foreign, 404, 'NOT_FOUND')
  assert.equal(foreign.text, none.text)
  await showPublicly(stack, id)
  assert.equal((await serve(id)).status, 200)
  for (const wrong of ['upl_', 'nonsense', '%00', "'"]) assert.ok((await serve(wrong)).status < 500, wrong)
})

const head = 'POST /v1/utilities/uploads HTTP/1.1\r\nHost: x\r\n'
/** Opens a connection and sends the head of an upload and the beginning of its body. */
function open(headers: string, body = ''): Socket {
  const { port } = new URL(stack.baseUrl)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  const credential = `Authorization: Bearer ${stack.merchant.apiKey}\r\nContent-Type: ${formType}\r\n`
  socket.write(`${head}${credential}${headers}\r\n${body}`)
  return socket
}

/** All that the server sends until it closes the connection. */
async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(socket, 'close')
  return text
}

test('SERVICE_UNAVAILABLE: files are refused while the memory for them is used up', async () => {
  const full = 160 * mb
  const send = () => sendBytes(stack.merchant, form([{ bytes: png }]))
  await withFormRoom('acct_of_somebody', async ({ hold }) => {
    hold(full)
    const refused = await send()
    assertError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.throws(() => hold(1), { code: 'SERVICE_UNAVAILABLE' })
  })
  assert.equal((await send()).status, 201)
  await assert.rejects(
    withFormRoom('acct_of_somebody', async ({ hold }) => {
      hold(full)
      throw new Error('a handler fails')
    }),
  )
  assert.equal((await send()).status, 201)
})

test('attaching and deleting an image at once never leave a product without its image', async () => {
  for (let round = 0; round < 15; round++) {
    const id = await addImage(stack.merchant)
    const product = { name: 'Raced', price_type: 'free', currency: 'USD', images: [id] }
    const [made, deleted] = await Promise.all([stack.merchant.call('POST', '/v1/products', product), remove(id)])
    if (made.status === 201) assertError(deleted, 409, 'CONFLICT')
    else assertFieldErrors(made, { 'images.0': 'value_error' })
    assert.equal(deleted.status === 200, made.status === 400, `${made.text} ${deleted.text}`)
  }
})
