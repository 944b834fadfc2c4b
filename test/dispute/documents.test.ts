import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { documentPurposes } from '../../domain/dispute/evidence.ts'
import { documentLinkMs } from '../../domain/catalogue/document.ts'
import { newId } from '../../domain/id.ts'
import { systemClock } from '../../engine/clock.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { disputing } from '../support/dispute.ts'
import { assertReplay } from '../support/idempotency.ts'
import type { Merchant } from '../support/merchant.ts'
import { addImage, jpeg, pdf, png, pngOf, sendFile, webp } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Documents of disputes: what can be one, and who can read its bytes. The API's clock can be moved.
const ahead = { ms: 0 }
const clock = { now: async () => (await systemClock.now()) + ahead.ms }
const stack = await useStack({ clock, invariants: 'at the end' })
const api = await useApi(stack)
const { merchant, baseUrl } = stack
const disputes = disputing(merchant)
const foreign = (await api.addMerchant()).merchant
const dispute = (await disputes.raise(await merchant.chargeByCard())).dispute_id

const path = (id = dispute) => `/v1/disputes/${id}/documents`
const upload = async (bytes: Buffer, name = 'proof.pdf', by = merchant): Promise<string> => {
  const { status, text, body } = await sendFile(by, bytes, name)
  assert.equal(status, 201, text)
  return String(body['upload_id'])
}
const attach = (file: string, { purpose = 'receipt', to = dispute, by = merchant } = {}) =>
  by.call('POST', path(to), { file, purpose })
type Shown = Record<'document_id' | 'dispute_id' | 'purpose' | 'file_name' | 'url' | 'url_expires_at', string>
async function addDocument(bytes: Buffer = pdf, name = 'proof.pdf'): Promise<Shown> {
  const added = await attach(await upload(bytes, name))
  assert.equal(added.status, 201, added.text)
  return added.body as unknown as Shown
}
/** An upload of more bytes than anybody may send comes straight into the database. */
const pdfOf = (size: number) => Buffer.concat([pdf], size)
const fetchBytes = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url.startsWith('http') ? url : baseUrl + url, init)
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const mb = 1024 * 1024

test('an upload becomes a document of each purpose, is listed oldest first, and is read by its id', async () => {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  const made: string[] = []
  for (const purpose of documentPurposes) {
    const added = await attach(await upload(pdf, `${purpose}.pdf`), { purpose, to: id })
    const { document_id, uploaded_at, url, url_expires_at, ...rest } = added.body as unknown as Shown & {
      uploaded_at: string
    }
    assert.deepEqual([added.status, rest], [201, { dispute_id: id, purpose, file_name: `${purpose}.pdf` }])
    assert.match(document_id, /^doc_[0-9a-z]{34}$/)
    assert.ok(url.startsWith(`${baseUrl}/documents/${document_id}?`))
    assert.ok(Math.abs(Date.parse(url_expires_at) - Date.parse(uploaded_at) - documentLinkMs) < 5_000)
    made.push(document_id)
  }
  const { items: listed, pagination } = pageOf(await merchant.call('GET', `${path(id)}?offset=0`))
  assert.deepEqual([pagination.total, pagination.has_more], [made.length, false])
  const two = pageOf(await merchant.call('GET', `${path(id)}?limit=2`))
  const rest = await merchant.call('GET', `${path(id)}?cursor=${two.pagination.next_cursor}`)
  assert.deepEqual(
    [...two.items, ...pageOf(rest).items].map(({ document_id }) => document_id),
    made,
  )
  assert.deepEqual(
    listed.map(({ document_id }) => document_id),
    made,
  )
  const read = await merchant.call('GET', `${path(id)}/${made[0]}`)
  assert.equal((read.body as unknown as Shown).purpose, documentPurposes[0])
  await disputes.accept(id)
})

test('a file of 5 MB is taken, one byte more is not; PDF, JPEG and PNG are taken, WebP is not', async () => {
  for (const [bytes, name] of [
    [pdfOf(5 * mb), 'a.pdf'],
    [pngOf(5 * mb), 'a.png'],
    [jpeg, 'a.jpg'],
    [png, 'a.png'],
  ] as const)
    assert.equal((await attach(await upload(bytes, name))).status, 201, name)
  for (const bytes of [pdfOf(5 * mb + 1), pngOf(5 * mb + 1)]) {
    const big = await upload(bytes)
    assertFieldErrors(await attach(big), { file: 'value_error.range' })
    assert.equal((await merchant.call('DELETE', `/v1/utilities/uploads/${big}`)).status, 200) // nothing has used it
  }
  const image = await upload(webp, 'looks-like-a.pdf')
  assertFieldErrors(await attach(image), { file: 'value_error' })
  assert.equal((await merchant.call('DELETE', `/v1/utilities/uploads/${image}`)).status, 200)
})

test('VALIDATION_ERROR: no upload of somebody else, of nobody, or of a public image becomes a document', async () => {
  const theirs = await upload(pdf, 'theirs.pdf', foreign)
  const shown = await addImage(merchant)
  const product = { name: 'A', price_type: 'free', currency: 'USD', images: [shown] }
  assert.equal((await merchant.call('POST', '/v1/products', product)).status, 201)
  for (const file of [theirs, shown, newId('upl', Date.now()), 'x', ''])
    assertFieldErrors(await attach(file), { file: 'value_error' })
  assertFieldErrors(await merchant.call('POST', path(), { file: theirs, purpose: 'other' }), {
    purpose: 'value_error.enum',
  })
  assert.equal((await foreign.call('DELETE', `/v1/utilities/uploads/${theirs}`)).status, 200)
})

test('a private document is no product image and no logo, and its upload cannot be deleted', async () => {
  const file = await addImage(merchant)
  assert.equal((await attach(file)).status, 201)
  const product = await merchant.call('POST', '/v1/products', {
    name: 'A',
    price_type: 'free',
    currency: 'USD',
    images: [file],
  })
  assertError(product, 400, 'VALIDATION_ERROR')
  assertError(await merchant.call('PATCH', '/v1/account', { logo: file }), 400, 'VALIDATION_ERROR')
  assertError(await merchant.call('DELETE', `/v1/utilities/uploads/${file}`), 409, 'CONFLICT')
  // The same upload may be private a second time.
  assert.equal((await attach(file, { purpose: 'uncategorized' })).status, 201)
})

test('CONFLICT: a dispute has at most fifty documents, also when the last two come at once', async () => {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  const file = await upload(pdf)
  for (let made = 0; made < 49; made++) assert.equal((await attach(file, { to: id })).status, 201)
  const last = await Promise.all([attach(file, { to: id }), attach(file, { to: id })])
  assert.deepEqual(last.map(({ status }) => status).toSorted(), [201, 409])
  assertError(await attach(file, { to: id }), 409, 'CONFLICT')
  assert.equal(((await merchant.call('GET', path(id))).body['items'] as unknown as Shown[]).length, 50)
  await disputes.accept(id)
  assertError(await attach(file, { to: id }), 409, 'CONFLICT')
})

test('a document of one dispute is none of another, and of nobody else', async () => {
  const { document_id } = await addDocument()
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  assertError(await merchant.call('GET', `${path(id)}/${document_id}`), 404, 'NOT_FOUND')
  assertError(await foreign.call('GET', `${path()}/${document_id}`), 404, 'NOT_FOUND')
  const theirs = await disputing(foreign).raise(await foreign.chargeByCard())
  assertError(await foreign.call('GET', `${path(theirs.dispute_id)}/${document_id}`), 404, 'NOT_FOUND')
  assertError(await attach(await upload(pdf), { to: theirs.dispute_id }), 404, 'NOT_FOUND')
  await disputes.accept(id)
})

test('the same call twice by one key makes one document', async () => {
  const key = { 'idempotency-key': 'one-document' }
  const body = { file: await upload(pdf), purpose: 'customer_signature' }
  const first = await merchant.call('POST', path(), body, key)
  assertReplay(first, await merchant.call('POST', path(), body, key))
  const items = (await merchant.call('GET', path())).body['items'] as unknown as Shown[]
  assert.equal(items.filter(({ purpose }) => purpose === 'customer_signature').length, 1)
})

/** The parts of a link. */
function partsOf(url: string) {
  const { pathname, searchParams } = new URL(url)
  return { pathname, expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' }
}
const linkOf = ({ pathname, expires, signature }: ReturnType<typeof partsOf>) =>
  `${pathname}?${new URLSearchParams({ expires, signature })}`
/** Another character of the alphabet of base64url, where the first one is. */
const changed = (text: string, at = 0) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

const secret = Buffer.concat([pdf, Buffer.from('the marked secret of a document')])

test('bytes of a private upload cannot be had by its public address, before or after it is a document', async () => {
  const file = await upload(secret, 'secret.pdf')
  const isHidden = async (address: string, headers: Record<string, string> = {}) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, bytes } = await fetchBytes(address, { method, headers })
      assert.equal(status, 404, `${method} ${address}`)
      assert.ok(!bytes.includes('marked secret'))
    }
  }
  const key = { authorization: `Bearer ${merchant.apiKey}` }
  for (const headers of [{}, key]) await isHidden(`/uploads/${file}`, headers)
  const added = (await attach(file)).body as unknown as Shown
  for (const headers of [{}, key, { authorization: `Bearer ${foreign.apiKey}` }]) {
    for (const id of [file, added.document_id]) {
      await isHidden(`/uploads/${id}`, headers)
      await isHidden(`/documents/${id}`, headers)
    }
    await isHidden(`/documents/${file}${new URL(added.url).search}`, headers)
  }
  assert.ok((await fetchBytes(added.url)).bytes.equals(secret))
})

test('a link opens its document and no other, until it expires, and an altered one opens nothing', async () => {
  const [one, two] = [await addDocument(secret), await addDocument(secret)]
  const [link, foreignLink] = [partsOf(one.url), partsOf(two.url)]
  assert.equal((await fetchBytes(linkOf(link))).status, 200)
  const { pathname, expires, signature } = link
  const altered: Record<string, string> = {
    'no parameters': pathname,
    'no signature': `${pathname}?expires=${expires}`,
    'no end': `${pathname}?signature=${signature}`,
    'a later end': linkOf({ ...link, expires: String(Number(expires) + 1) }),
    'an end without end': linkOf({ ...link, expires: 'Infinity' }),
    'the same end, written otherwise': linkOf({ ...link, expires: `0${expires}` }),
    'another signature': linkOf({ ...link, signature: changed(signature) }),
    'another last character': linkOf({ ...link, signature: changed(signature, signature.length - 1) }),
    'a shorter signature': linkOf({ ...link, signature: signature.slice(0, -1) }),
    'a longer signature': linkOf({ ...link, signature: `${signature}A` }),
    'an empty signature': linkOf({ ...link, signature: '' }),
    'a signature of other characters': linkOf({ ...link, signature: 'é'.repeat(signature.length) }),
    'the signature of another document': linkOf({ ...link, signature: foreignLink.signature }),
    'the link of another document': linkOf({ ...foreignLink, pathname }),
    'two signatures': `${linkOf(link)}&signature=${signature}`,
    'two ends': `${linkOf(link)}&expires=${expires}`,
    'another id': linkOf({ ...link, pathname: `/documents/${newId('doc', 1)}` }),
    'a broken id': linkOf({ ...link, pathname: '/documents/%00' }),
  }
  for (const [what, address] of Object.entries(altered)) {
    const { status, bytes, headers } = await fetchBytes(address)
    assert.equal(status, 404, what)
    assert.ok(!bytes.includes('marked secret'), what)
    assert.doesNotMatch(headers.get('cache-control') ?? '', /public|max-age=[1-9]/, what)
  }
  ahead.ms = documentLinkMs - 30_000
  assert.equal((await fetchBytes(linkOf(link))).status, 200)
  ahead.ms = documentLinkMs + 1
  const late = await fetchBytes(linkOf(link))
  ahead.ms = 0
  assert.equal(late.status, 404)
})

test('a link is only as good as its document: of a deleted row it opens nothing', async () => {
  const { document_id: id, url } = await addDocument(secret)
  await stack.sql('update documents set id = ? where id = ?', [newId('doc', 2), id])
  assert.equal((await fetchBytes(url)).status, 404)
})

test('the bytes are for no cache, no other site and no browser that would run them', async () => {
  const { url } = await addDocument(secret, 'a "name"; of Ädä.pdf')
  const { headers, bytes } = await fetchBytes(url)
  assert.ok(bytes.equals(secret))
  const seen = [
    'cache-control',
    'content-type',
    'content-length',
    'cross-origin-resource-policy',
    'x-content-type-options',
    'etag',
    'last-modified',
    'access-control-allow-origin',
  ].map((name) => headers.get(name))
  const [length] = [String(secret.length)]
  assert.deepEqual(seen, ['private, no-store', 'application/pdf', length, 'same-origin', 'nosniff', null, null, null])
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/)
  const other = await fetchBytes(url, { headers: { origin: 'https://evil.example', 'if-none-match': '*' } })
  assert.deepEqual([other.status, other.headers.get('access-control-allow-origin')], [200, null])
})

test('HEAD tells the same without the bytes, and a range gets the whole document or nothing', async () => {
  const { url } = await addDocument(secret)
  const head = await fetchBytes(url, { method: 'HEAD' })
  assert.deepEqual(
    [head.status, head.bytes.length, head.headers.get('content-length')],
    [200, 0, String(secret.length)],
  )
  assert.equal(head.headers.get('cache-control'), 'private, no-store')
  for (const range of ['bytes=0-3', 'bytes=-5', 'bytes=0-0,4-6', 'bytes=99999999-', 'bytes=x']) {
    const { status, bytes } = await fetchBytes(url, { headers: { range } })
    assert.ok(status === 200 && bytes.equals(secret), `${range}: ${status}`)
    const closed = await fetchBytes(new URL(url).pathname, { headers: { range } })
    assert.equal(closed.status, 404)
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.ok((await fetchBytes(url, { method })).status >= 400, method)
})

test('a path that is written in other ways leads to no document without its link', async () => {
  const { document_id: id } = await addDocument(secret)
  const plain = (raw: string) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(baseUrl)
      get({ hostname, port, path: raw }, (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject)
    })
  for (const raw of [
    `//documents/${id}`,
    `/documents/${id}/`,
    `/documents/../documents/${id}`,
    `/uploads/../documents/${id}`,
    `/documents/${id}%00`,
    `/documents/${id.toUpperCase()}`,
    `/Documents/${id}`,
    `/documents/${encodeURIComponent(id).replace('_', '%5f')}`,
  ])
    assert.ok([400, 404].includes(await plain(raw)), raw)
})

test('a live key of the same organization sees no document, and cannot use an upload of the sandbox', async () => {
  const live: Merchant = (await api.addKey({ environment: 'live' })).merchant
  const { document_id: id } = await addDocument(secret)
  assertError(await live.call('GET', `${path()}/${id}`), 404, 'NOT_FOUND')
  assertError(await live.call('GET', path()), 404, 'NOT_FOUND')
  assertError(await attach(await upload(pdf), { by: live }), 404, 'NOT_FOUND')
})
