import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { evidenceKeys, evidenceTextKeys } from '../../domain/dispute/evidence.ts'
import { newId } from '../../domain/id.ts'
import { refusalIn } from '../../engine/refusals.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { disputing } from '../support/dispute.ts'
import { assertReplay } from '../support/idempotency.ts'
import { makePayment } from '../support/resource.ts'
import { beginOnClock, day, hour } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { addImage, pdf, sendFile } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Evidence: drafts, limits, attachments and submissions, over real HTTP with real processes.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack
const disputes = disputing(merchant)
const raise = async () => (await disputes.raise(await merchant.chargeByCard())).dispute_id
const evidenceOf = async (id: string) => (await disputes.read(id))['evidence'] as Record<string, string | null>
const eventsOf = async (id: string) =>
  (await stack.sql<{ body: string }>('select body from events where resource_id = ? order by sequence', [id])).map(
    ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
  )

const prefilled = { customer_email_address: 'ada@example.com', customer_name: 'Ada Buyer' }

/** Uploads a PDF and makes it a document of a dispute. */
async function addDocument(id: string, purpose: string): Promise<string> {
  const { body: upload } = await sendFile(merchant, pdf, 'proof.pdf')
  const added = await merchant.call('POST', `/v1/disputes/${id}/documents`, { file: upload['upload_id'], purpose })
  assert.equal(added.status, 201, added.text)
  return String(added.body['document_id'])
}

test('a draft merges: an empty text clears, null and what is left out change nothing', async () => {
  const id = await raise()
  const texts = Object.fromEntries(evidenceTextKeys.map((key) => [key, `about ${key}`]))
  const fill = { ...texts, duplicate_charge_id: await merchant.chargeByCard() }
  const filled = await disputes.change(id, fill)
  assert.equal(filled['has_evidence'], true)
  const expected = { ...Object.fromEntries(evidenceKeys.map((key) => [key, null])), ...fill }
  assert.deepEqual(filled['evidence'], expected)
  assert.deepEqual((await disputes.change(id, {}))['evidence'], expected)
  const changed = await disputes.change(id, {
    service_date: '',
    customer_name: '',
    shipping_date: null,
    shipping_carrier: 'Another carrier',
    unknown_field: 'x',
  })
  const after = { ...expected, service_date: null, customer_name: null, shipping_carrier: 'Another carrier' }
  assert.deepEqual(changed['evidence'], after)
  assert.deepEqual(await evidenceOf(id), after)
  const cleared = await disputes.change(id, Object.fromEntries(evidenceKeys.map((key) => [key, ''])))
  assert.deepEqual(Object.values(cleared['evidence'] as object).filter(Boolean), [])
  assert.equal(cleared['has_evidence'], false)
})

test('a change of a draft sends one event with the evidence, and a call without a change none', async () => {
  const id = await raise()
  await disputes.change(id, { uncategorized_text: 'They have it.' })
  for (const same of [{}, { uncategorized_text: 'They have it.' }, { service_date: '' }])
    await disputes.change(id, same)
  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['dispute.created', 'dispute.updated'],
  )
  assert.deepEqual(events[1]?.data, await disputes.read(id))
})

test('TOO_MANY_REQUESTS: a draft, and no submission, is refused once drafts have taken 200 MB in a day', async () => {
  const { merchant: other, accountId } = await api.addMerchant()
  const own = disputing(other)
  const { dispute_id: id } = await own.raise(await other.chargeByCard())
  const path = `/v1/disputes/${id}/evidence`
  const draft = (text: string) => other.call('PATCH', path, { uncategorized_text: text })
  await own.change(id, { uncategorized_text: 'x'.repeat(20_000) })
  const subject = `drafts:${accountId}:sandbox`
  const [first] = await stack.sql<{ hits: number }>('select hits from rate_windows where subject = ?', [subject])
  assert.ok(first && first.hits > 20 && first.hits < 30, `${first?.hits} kB`)
  await stack.sql('update rate_windows set hits = 199999 where subject = ?', [subject])
  assert.equal((await draft('They have it.')).status, 200)
  const refused = await draft('They have it all.')
  assertError(refused, 429, 'TOO_MANY_REQUESTS')
  assert.equal(refused.headers.get('retry-after'), '3600')
  // A day ends by the real time, and the next one begins with nothing.
  await stack.sql('update rate_windows set window_start = now() where subject = ?', [subject])
  assert.equal((await draft('They have it all.')).status, 200)
  await stack.sql('update rate_windows set hits = 200000 where subject = ?', [subject])
  assertError(await draft('All of it.'), 429, 'TOO_MANY_REQUESTS')
  // An account that belongs to another one has no drafts of its own beside.
  await stack.sql('update accounts set owner_id = ? where id = ?', [stack.organizationId, accountId])
  assert.equal((await draft('All of it.')).status, 200)
  const ownerSubject = `drafts:${stack.organizationId}:sandbox`
  await stack.sql('update rate_windows set hits = 200000 where subject = ?', [ownerSubject])
  assertError(await draft('All of it, and more.'), 429, 'TOO_MANY_REQUESTS')
  await stack.sql('delete from rate_windows where subject = ?', [ownerSubject])
  await stack.sql('update rate_windows set hits = 200000 where subject = ?', [subject])
  await stack.sql('update accounts set owner_id = null where id = ?', [accountId])
  const submitted = await other.call('PATCH', path, { uncategorized_text: 'All of it.', submit: true })
  assert.equal(submitted.status, 200, submitted.text)
})

test('drafts on a test clock that is ahead are counted for a day of real time', async () => {
  const { merchant: other, accountId, attach, advance } = await beginOnClock(api)
  const charge = await other.chargeByCard()
  await attach({ payment_id: charge })
  await advance({ by: 'P30D' })
  const own = disputing(other)
  const { dispute_id: id } = await own.raise(charge)
  const before = await stack.clock.now()
  await own.change(id, { uncategorized_text: 'They have it.' })
  const [counted] = await stack.sql<{ window_start: Date }>('select window_start from rate_windows where subject = ?', [
    `drafts:${accountId}:sandbox`,
  ])
  const ends = new Date(counted?.window_start ?? 0).getTime() - before
  assert.ok(ends >= day && ends < day + hour, `the count ends in ${ends} ms`)
})

test('a text of 20,000 characters is kept whole, of any script, and one more is refused', async () => {
  const id = await raise()
  for (const character of ['a', 'é', '語', '😀', '\n']) {
    const text = character.repeat(20_000)
    await disputes.change(id, { access_activity_log: text })
    assert.equal((await evidenceOf(id))['access_activity_log'], text)
    const refused = await disputes.tryToChange(id, { access_activity_log: `${text}${character}` })
    assertFieldErrors(refused, { access_activity_log: 'value_error.range' })
    assert.equal((await evidenceOf(id))['access_activity_log'], text)
  }
})

test('150,000 characters are taken together, in one call or in several, and one more is refused', async () => {
  const isFree = (key: string) => !(key in prefilled) && key !== 'duplicate_charge_id'
  const keys = evidenceTextKeys.filter(isFree).slice(0, 8)
  const taken = prefilled.customer_email_address.length + prefilled.customer_name.length
  const texts = (more: number, character: string) =>
    Object.fromEntries(
      keys.map((key, index) => [key, character.repeat(index === 7 ? 150_000 - 140_000 - taken + more : 20_000)]),
    )
  // A JSON text may write any character with six bytes.
  const escaped = (body: object) =>
    JSON.stringify(body).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const inOne = await raise()
  for (const character of ['a', '語']) {
    const kept = await merchant.call('PATCH', `/v1/disputes/${inOne}/evidence`, escaped(texts(0, character)))
    assert.equal(kept.status, 200, kept.text.slice(0, 300))
    const above = await merchant.call('PATCH', `/v1/disputes/${inOne}/evidence`, escaped(texts(1, character)))
    assertFieldErrors(above, { body: 'value_error.range' })
  }
  const inSeveral = await raise()
  for (const [key, text] of Object.entries(texts(0, 'a'))) await disputes.change(inSeveral, { [key]: text })
  assertFieldErrors(await disputes.tryToChange(inSeveral, { service_date: 'x' }), { body: 'value_error.range' })
  const submitted = await disputes.change(inSeveral, { customer_name: '', service_date: 'x', submit: true })
  assert.equal(submitted.status, 'under_review')
})

test('VALIDATION_ERROR: texts of other types or that cannot be stored are refused, all at once', async () => {
  const id = await raise()
  const refused = await disputes.tryToChange(id, {
    uncategorized_text: 7,
    service_date: { year: 2027 },
    shipping_carrier: 'a\u0000b',
    submit: 'yes',
  })
  assertFieldErrors(refused, {
    uncategorized_text: 'value_error.type',
    service_date: 'value_error.type',
    shipping_carrier: 'value_error.format',
    submit: 'value_error.type',
  })
})

test('VALIDATION_ERROR: only a document of this dispute and purpose can be attached', async () => {
  const [id, other] = [await raise(), await raise()]
  const receipt = await addDocument(id, 'receipt')
  const attempts: Record<string, string> = {
    'another purpose': receipt,
    'another dispute': await addDocument(other, 'refund_policy'),
    'no document': newId('doc', Date.now()),
    'an upload': await addImage(merchant),
    'no id': 'x',
  }
  for (const [what, document] of Object.entries(attempts)) {
    const refused = await disputes.tryToChange(id, { refund_policy_attachment_id: document, service_date: 'today' })
    assertFieldErrors(refused, { refund_policy_attachment_id: 'value_error' })
    assert.equal((await evidenceOf(id))['service_date'], null, what)
  }
  const { merchant: foreign } = await api.addMerchant()
  const theirs = await disputing(foreign).raise(await foreign.chargeByCard())
  const stolen = await disputing(foreign).tryToChange(theirs.dispute_id, { receipt_attachment_id: receipt })
  assertFieldErrors(stolen, { receipt_attachment_id: 'value_error' })
  const kept = await disputes.change(id, { receipt_attachment_id: receipt })
  assert.equal((kept['evidence'] as Record<string, string>)['receipt_attachment_id'], receipt)
  await disputes.change(id, { receipt_attachment_id: '' })
  assert.equal((await evidenceOf(id))['receipt_attachment_id'], null)
})

test('VALIDATION_ERROR: the duplicate of a payment is a payment of the same account and environment', async () => {
  const id = await raise()
  const { merchant: foreign } = await api.addMerchant()
  const inLive = await makePayment(stack, { accountId: stack.organizationId }, 'live')
  const attempts = {
    'another account': await foreign.chargeByCard(),
    'another environment': inLive,
    'no payment': newId('pay', Date.now()),
    'no id': 'x',
    'the disputed payment': String((await disputes.read(id)).payment_id),
  }
  for (const [whose, duplicate_charge_id] of Object.entries(attempts)) {
    const refused = await disputes.tryToChange(id, { duplicate_charge_id, service_date: 'today' })
    assertFieldErrors(refused, { duplicate_charge_id: 'value_error' })
    assert.equal((await evidenceOf(id))['service_date'], null, whose)
  }
  await stack.sql('delete from payments where id = ?', [inLive])
  const own = await merchant.chargeByCard()
  await disputes.change(id, { duplicate_charge_id: own })
  assert.equal((await evidenceOf(id))['duplicate_charge_id'], own)
})

test('a text that is no payment, from an older draft, stops its submission only, until it is left out', async () => {
  const id = await raise()
  await stack.sql(
    `update disputes set evidence = evidence || '{"duplicate_charge_id": "their order 7"}' where id = ?`,
    [id],
  )
  await disputes.change(id, { service_date: 'today' })
  assertFieldErrors(await disputes.tryToChange(id, { submit: true }), { duplicate_charge_id: 'value_error' })
  await disputes.change(id, { duplicate_charge_id: '', submit: true })
  assert.equal((await evidenceOf(id))['service_date'], 'today')
})

test('VALIDATION_ERROR: nothing is submitted that says no more than what was prefilled', async () => {
  const id = await raise()
  for (const body of [{ submit: true }, { submit: true, ...prefilled }, { submit: true, customer_name: '' }])
    assertFieldErrors(await disputes.tryToChange(id, body), { submit: 'value_error.missing' })
  assert.deepEqual(await evidenceOf(id), { ...(await evidenceOf(id)), ...prefilled }) // a refused call stores nothing
  const submitted = await disputes.change(id, { customer_name: 'Another Name', submit: true })
  assert.equal(submitted.status, 'under_review')
})

test('CONFLICT: evidence is locked once it is submitted, for every kind of change', async () => {
  const id = await raise()
  const document = await addDocument(id, 'receipt')
  const submitted = await disputes.change(id, { receipt_attachment_id: document, submit: true })
  assert.deepEqual([submitted['submission_count'], typeof submitted['submitted_at']], [1, 'string'])
  for (const body of [{}, { submit: true }, { service_date: 'x' }, { receipt_attachment_id: '' }])
    assertError(await disputes.tryToChange(id, body), 409, 'CONFLICT')
  assertError(await disputes.tryToAccept(id), 409, 'CONFLICT')
  const file = await addImage(merchant)
  const more = await merchant.call('POST', `/v1/disputes/${id}/documents`, { file, purpose: 'receipt' })
  assertError(more, 409, 'CONFLICT')
  assert.equal((await evidenceOf(id))['receipt_attachment_id'], document)
  assert.equal((await merchant.call('DELETE', `/v1/utilities/uploads/${file}`)).status, 200)
})

test('the same submission twice by one key is one; ten at once by one key are one', async () => {
  const id = await raise()
  const body = { uncategorized_text: 'They have it.', submit: true }
  const key = { 'idempotency-key': randomUUID() }
  const first = await disputes.tryToChange(id, body, key)
  assert.equal(first.status, 200, first.text)
  assertReplay(first, await disputes.tryToChange(id, body, key))
  const [reused] = assertError(await disputes.tryToChange(id, { ...body, submit: false }, key), 409, 'CONFLICT')
  assert.equal(reused?.code, 'idempotency_key_reused')
  const other = await raise()
  const shared = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(Array.from({ length: 10 }, () => disputes.tryToChange(other, body, shared)))
  const done = answers.filter(({ status }) => status === 200)
  assert.ok(done.length >= 1)
  for (const answer of answers) if (answer.status !== 200) assertError(answer, 409, 'CONFLICT')
  assert.equal((await disputes.read(other))['submission_count'], 1)
  assert.deepEqual(
    (await eventsOf(other)).map(({ type }) => type),
    ['dispute.created', 'dispute.updated'],
  )
})

test('two submissions at once: one is taken, the other is told that the evidence is locked', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await raise()
    const send = (text: string) => disputes.tryToChange(id, { uncategorized_text: text, submit: true })
    const answers = await Promise.all([send('the first'), send('the second')])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    const taken = answers.find(({ status }) => status === 200)
    assert.ok(taken)
    const shown = await disputes.read(id)
    assert.equal(shown['submission_count'], 1)
    assert.deepEqual(taken.body['evidence'], shown['evidence'])
  }
})

test('a submission whose evidence another call has cleared meanwhile sends nothing', async () => {
  const id = await raise()
  await disputes.change(id, { uncategorized_text: 'They have it.' })
  // What the API has checked may be gone when the process takes the submission.
  await stack.sql(`update disputes set evidence = prefilled where id = ?`, [id])
  const { engine } = stack.services
  const about = {
    accountId: stack.organizationId,
    environment: 'sandbox',
    status: '',
    waitingOn: '',
    summary: '',
  } as const
  const callId = newId('call', Date.now())
  const sent = engine.update({ process: 'dispute', resourceId: id, about }, 'submit', [callId], callId)
  await assert.rejects(sent, (error) => refusalIn(error)?.message === 'there is no evidence to submit')
  assert.equal((await disputes.read(id)).status, 'needs_response')
})

test('evidence is taken by the network with its documents, byte for byte', async () => {
  const id = await raise()
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  const received: { purpose: string; fileName: string; bytes: Buffer }[] = []
  rails.of = (corridor) => ({
    ...of(corridor),
    async submitEvidence(order, at) {
      for (const { purpose, fileName, read } of order.documents)
        received.push({ purpose, fileName, bytes: Buffer.concat(await Array.fromAsync(read())) })
      return of(corridor).submitEvidence(order, at)
    },
  })
  const document = await addDocument(id, 'receipt')
  await addDocument(id, 'uncategorized') // a document that the evidence does not name is not sent
  await disputes.change(id, { receipt_attachment_id: document, uncategorized_text: 'winning_evidence', submit: true })
  await until(async () => (await disputes.read(id)).status === 'won', 'the network has decided').finally(
    () => (rails.of = of),
  )
  assert.deepEqual(received, [{ purpose: 'receipt', fileName: 'proof.pdf', bytes: pdf }])
})
