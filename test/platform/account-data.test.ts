import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import {
  addDocument,
  addPerson,
  changeAccount,
  completeAccount,
  createAccount,
  personPath,
  readAccount,
  representative,
} from '../support/connected-account.ts'
import { addImage, png, sendFile, showPublicly } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The persons, documents, secret numbers and onboarding links of accounts.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack

test('secret numbers are stored encrypted and answered as provided, an ID number with its last four', async () => {
  const secrets = { id_number: 'SECRET-ID-77781', date_of_birth: '1977-12-31', tax_id: 'SECRET-TAX-9912' }
  const { account_id: id } = await completeAccount(merchant, {
    company: { tax_id: secrets.tax_id },
    representative: { id_number: secrets.id_number, date_of_birth: secrets.date_of_birth },
  })
  const { persons } = await readAccount(merchant, id)
  const { body } = await merchant.call('GET', personPath(id, String(persons[0]?.person_id)))
  assert.deepEqual(
    [body['date_of_birth_provided'], body['id_number_provided'], body['id_number_last_four']],
    [true, true, '7781'],
  )
  await stack.dispatched()
  const tables = ['account_profiles', 'account_persons', 'events', 'outbox', 'audit_entries', 'reviews', 'documents']
  for (const table of [...tables, 'timeline_items', 'idempotency_records']) {
    const rows = JSON.stringify(await stack.sql(`select * from ${table}`))
    for (const secret of Object.values(secrets)) assert.ok(!rows.includes(secret), `${table} holds ${secret}`)
  }
  // What events say of an account is what reading it says: no names of persons, no numbers.
  const [event] = await stack.sql<{ body: string }>(
    `select body from events where resource_id = ? and type = 'account.updated' order by sequence desc limit 1`,
    [id],
  )
  const told = JSON.parse(event?.body ?? '{}') as { data: object }
  assert.deepEqual(told.data, await readAccount(merchant, id))
  for (const text of [representative.first_name, representative.last_name, '7781', representative.phone_number]) {
    assert.ok(!String(event?.body).includes(text), text)
  }
})

test('a person is changed field by field, and null clears', async () => {
  const { account_id: id } = await createAccount(merchant)
  const path = personPath(id, await addPerson(merchant, id, representative))
  const patch = async (body: object) => (await merchant.call('PATCH', path, body)).body as Record<string, unknown>
  const changed = await patch({ last_name: 'Okafor', id_number: null, date_of_birth: null, roles: ['owner'] })
  assert.deepEqual(
    ['first_name', 'last_name', 'roles', 'id_number_provided', 'id_number_last_four', 'percent_ownership'].map(
      (field) => changed[field],
    ),
    ['Ada', 'Okafor', ['owner'], false, null, 60],
  )
  assert.equal((await patch({ roles: ['director'] }))['percent_ownership'], null)
  assertFieldErrors(await merchant.call('PATCH', path, { percent_ownership: 5 }), { percent_ownership: 'value_error' })
  for (const day of ['1990-02-30', '2999-01-01', '1899-12-31']) {
    assertFieldErrors(await merchant.call('PATCH', path, { date_of_birth: day }), {
      date_of_birth: 'value_error.format',
    })
  }
})

test('an account has one representative (CONFLICT), and its owners have all of it at most', async () => {
  const { account_id: id } = await createAccount(merchant)
  const first = await addPerson(merchant, id, representative)
  const path = `/v1/accounts/${id}/persons`
  assertError(await merchant.call('POST', path, representative), 409, 'CONFLICT')
  const owner = { roles: ['owner'], first_name: 'B', last_name: 'C', date_of_birth: '1980-01-01' }
  const tooMuch = await merchant.call('POST', path, { ...owner, percent_ownership: 40.01 })
  assertFieldErrors(tooMuch, { percent_ownership: 'value_error.range' })
  assert.equal((await merchant.call('POST', path, { ...owner, percent_ownership: 40 })).status, 201)
  assert.deepEqual((await merchant.call('DELETE', personPath(id, first))).body, { person_id: first, deleted: true })
  assertError(await merchant.call('GET', personPath(id, first)), 404, 'NOT_FOUND')
  const { items } = pageOf(await merchant.call('GET', path))
  assert.deepEqual(
    items.map(({ roles }) => roles),
    [['owner']],
  )
  assert.equal((await merchant.call('POST', path, { roles: ['representative'] })).status, 201)
})

test('two representatives at once: one is added, the other is a CONFLICT', async () => {
  const { account_id: id } = await createAccount(merchant)
  const add = () => merchant.call('POST', `/v1/accounts/${id}/persons`, { roles: ['representative'] })
  const statuses = (await Promise.all([add(), add(), add()])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 409, 409])
})

test('an owner of whom something is missing makes the list of owners incomplete', async () => {
  const { account_id: id } = await createAccount(merchant, { company: { owners_provided: true } })
  const owed = async () => (await readAccount(merchant, id)).requirements.currently_due.includes('owners')
  assert.equal(await owed(), false, 'nobody owns 25 % or more')
  const person = await addPerson(merchant, id, { roles: ['owner'], first_name: 'B', last_name: 'C' })
  assert.equal(await owed(), true)
  await merchant.call('PATCH', personPath(id, person), { percent_ownership: 30, date_of_birth: '1980-01-01' })
  assert.equal(await owed(), false)
})

test('a person of another account is NOT_FOUND', async () => {
  const [mine, other] = [await createAccount(merchant), await createAccount(merchant)]
  const person = await addPerson(merchant, other.account_id, representative)
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const reply = await merchant.call(method, personPath(mine.account_id, person), method === 'PATCH' ? {} : undefined)
    assertError(reply, 404, 'NOT_FOUND')
  }
  assert.equal((await merchant.call('GET', personPath(other.account_id, person))).status, 200)
})

test('a document becomes private, is listed with a link for a while, and is nobody else’s', async () => {
  const { account_id: id } = await createAccount(merchant)
  const uploadId = await addImage(merchant)
  const body = { file: uploadId, document: 'company.certificate_of_incorporation' }
  const added = await merchant.call('POST', `/v1/accounts/${id}/documents`, body)
  assert.equal(added.status, 201, added.text)
  assert.deepEqual(Object.keys(added.body), ['id', 'document_type', 'file_name', 'uploaded_at'])
  assert.match(String(added.body['id']), /^doc_/)
  assert.equal((await fetch(`${merchant.baseUrl}/uploads/${uploadId}`)).status, 404)
  const { items } = pageOf(await merchant.call('GET', `/v1/accounts/${id}/documents`))
  const [listed] = items
  assert.equal(listed?.['id'], added.body['id'])
  const link = new URL(String(listed?.['url']))
  const open = (search: string) => fetch(`${merchant.baseUrl}${link.pathname}${search}`)
  assert.deepEqual(Buffer.from(await (await open(link.search)).arrayBuffer()), png)
  assert.equal((await open('')).status, 404)
  assert.equal((await open(link.search.replace('expires=', 'expires=1'))).status, 404)
  const { merchant: stranger } = await api.addMerchant()
  assertError(await stranger.call('GET', `/v1/accounts/${id}/documents`), 404, 'NOT_FOUND')
  // Nothing that is private becomes public, and what is shown publicly becomes no document.
  assert.equal((await merchant.call('PATCH', '/v1/account', { logo: uploadId })).status, 400)
  const shown = await addImage(merchant)
  await showPublicly(stack, shown)
  const refused = await merchant.call('POST', `/v1/accounts/${id}/documents`, { ...body, file: shown })
  assertFieldErrors(refused, { file: 'value_error' })
})

test('a document needs a slot of the account and an upload of the account or its platform', async () => {
  const { account_id: id } = await createAccount(merchant, { business_type: 'non_profit' })
  const add = (file: string, slot: string) =>
    merchant.call('POST', `/v1/accounts/${id}/documents`, { file, document: slot })
  const own = await addImage(merchant)
  assertFieldErrors(await add(own, 'company.certificate_of_incorporation'), { document: 'value_error' })
  assertFieldErrors(await add(own, 'company.menu'), { document: 'value_error.enum' })
  const { merchant: stranger } = await api.addMerchant()
  assertFieldErrors(await add(await addImage(stranger), 'company.registration_of_charity'), { file: 'value_error' })
  assertFieldErrors(await add('upl_nothing', 'company.registration_of_charity'), { file: 'value_error' })
  assert.equal((await add(own, 'company.registration_of_charity')).status, 201)
  const ofSeller = await sendFile(merchant, png, 'seller.png', { 'x-account-id': id })
  assert.equal((await add(String(ofSeller.body['upload_id']), 'company.proof_of_address')).status, 201)
})

test('an identity document goes to its person, is private, and goes with the person', async () => {
  const { account_id: id } = await createAccount(merchant)
  const [first, second] = [await addImage(merchant), await addImage(merchant)]
  const person = await addPerson(merchant, id, { ...representative, id_document: first })
  const path = personPath(id, person)
  const document = (reply: { body: object }) => (reply.body as Record<string, { id: string } | null>)['id_document']
  const known = document(await merchant.call('GET', path))
  assert.deepEqual(document(await merchant.call('PATCH', path, { id_document: first })), known)
  assert.notDeepEqual(document(await merchant.call('PATCH', path, { id_document: second })), known)
  const { items } = pageOf(await merchant.call('GET', `/v1/accounts/${id}/documents`))
  assert.deepEqual(
    items.map((item) => [item['document_type'], item['person_id']]),
    [
      ['person.id_document', person],
      ['person.id_document', person],
    ],
  )
  assert.equal(document(await merchant.call('PATCH', path, { id_document: null })), null)
  assert.deepEqual(pageOf(await merchant.call('GET', `/v1/accounts/${id}/documents`)).items, [])
  assertFieldErrors(await merchant.call('PATCH', path, { id_document: 'upl_x' }), { id_document: 'value_error' })
  const again = await addPerson(merchant, id, { roles: ['director'], id_document: await addImage(merchant) })
  await merchant.call('DELETE', personPath(id, again))
  assert.deepEqual(await stack.sql('select from documents where subject_id = ?', [again]), [])
})

const urls = { return_url: 'https://shop.example/done', refresh_url: 'https://shop.example/again' }

test('an onboarding link opens one account for an hour, and nothing of the platform', async () => {
  const { account_id: id } = await createAccount(merchant, { metadata: { rank: 'secret' } })
  const link = await merchant.call('POST', `/v1/accounts/${id}/onboarding-link`, urls)
  assert.equal(link.status, 201, link.text)
  const url = new URL(String(link.body['url']))
  assert.match(url.pathname, /^\/onboarding\/os_[0-9a-z]+_secret_/)
  const left = Date.parse(String(link.body['expires_at'])) - (await stack.clock.now())
  assert.ok(left > 3_500_000 && left <= 3_600_000)
  const token = url.pathname.split('/').at(-1) ?? ''
  const call = (method: string, path: string, body?: object) =>
    merchant.call(method, path, body, { ...bearer(token), ...fromAnywhere() })
  const opened = (await call('GET', '/v1/onboarding')).body as Record<string, unknown>
  assert.deepEqual(
    [opened['account_id'], opened['return_url'], opened['refresh_url']],
    [id, urls.return_url, urls.refresh_url],
  )
  assert.deepEqual((await call('GET', `/v1/accounts/${id}`)).body['metadata'], {})
  assert.equal((await call('PATCH', `/v1/accounts/${id}`, { email: 'seller@example.com' })).status, 200)
  assertFieldErrors(await call('PATCH', `/v1/accounts/${id}`, { metadata: { rank: '1' } }), { metadata: 'value_error' })
  assert.equal((await call('POST', `/v1/accounts/${id}/persons`, { roles: ['director'] })).status, 201)
  const file = await sendFile({ ...merchant, apiKey: token }, png)
  assert.equal(file.status, 201, file.text)
  const document = { file: file.body['upload_id'], document: 'company.memorandum' }
  assert.equal((await call('POST', `/v1/accounts/${id}/documents`, document)).status, 201)
  const other = await createAccount(merchant)
  assertError(await call('GET', `/v1/accounts/${other.account_id}`), 404, 'NOT_FOUND')
  for (const [method, path, body] of [
    ['GET', '/v1/accounts', undefined],
    ['GET', '/v1/payments', undefined],
    ['POST', `/v1/accounts/${id}/capabilities/payouts`, { requested: false }],
    ['POST', `/v1/accounts/${id}/onboarding-link`, urls],
  ] as const) {
    assertError(await call(method, path, body), 401, 'UNAUTHORIZED')
  }
  await stack.sql(`update onboarding_sessions set expires_at = now() - interval '1 second' where account_id = ?`, [id])
  assertError(await call('GET', `/v1/accounts/${id}`), 401, 'UNAUTHORIZED')
})

test('a link is shown by its call and by the replay of its key, and is stored nowhere', async () => {
  const { account_id: id } = await createAccount(merchant)
  const send = () => merchant.call('POST', `/v1/accounts/${id}/onboarding-link`, urls, { 'idempotency-key': 'a-link' })
  const [first, again] = [await send(), await send()]
  assert.equal(again.text, first.text)
  const token = String(first.body['url']).split('_secret_')[1] ?? ''
  for (const table of ['onboarding_sessions', 'idempotency_records', 'audit_entries']) {
    const rows = JSON.stringify(await stack.sql(`select * from ${table}`))
    assert.ok(!rows.includes(token), table)
  }
  assertError(await merchant.call('POST', `/v1/accounts/acct_x/onboarding-link`, urls), 404, 'NOT_FOUND')
  await changeAccount(merchant, id, {})
  await addDocument(merchant, id, 'company.memorandum')
})
