import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../api/operations.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { addDocument, addPerson, createAccount, representative } from '../support/connected-account.ts'
import { openLink, tokenOf } from '../support/onboarding.ts'
import { addImage, pdf, png, sendFile } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// What an onboarding link opens, how it ends early, and where the seller gets a new one.
const time = { now: Date.now() }
const stack = await useStack({ workers: false, clock: { now: () => time.now } })
await useApi(stack)
const { merchant } = stack
const hour = 3_600_000
const urls = { return_url: 'https://shop.example/done', refresh_url: 'https://shop.example/again' }

const call = (token: string, method: string, path: string, body?: object) =>
  merchant.call(method, path, body, { ...bearer(token), ...fromAnywhere() })
const opened = (token: string) => call(token, 'GET', '/v1/onboarding')
const refreshUrl = (token: string) => merchant.call('POST', '/v1/onboarding/refresh-url', { token }, fromAnywhere())

async function newLink(): Promise<{ id: string; token: string }> {
  const { account_id: id } = await createAccount(merchant)
  return { id, token: tokenOf(await openLink(merchant, id, urls)) }
}

test('a link tells the newest document of each slot by its name, and opens no file', async () => {
  const { id, token } = await newLink()
  await addDocument(merchant, id, 'company.memorandum')
  time.now += 1
  const { id: newest } = await addDocument(merchant, id, 'company.memorandum')
  const image = await addImage(merchant)
  await addPerson(merchant, id, { ...representative, id_document: image })
  const { documents, document_slots: slots } = (await opened(token)).body as unknown as {
    documents: Record<string, unknown>[]
    document_slots: string[]
  }
  assert.ok(slots.includes('company.memorandum'))
  assert.deepEqual(
    documents.map(({ id: each, document_type: slot, file_name: name }) => [each, slot, name]),
    [[newest, 'company.memorandum', 'paper.pdf']],
  )
  assert.doesNotMatch(JSON.stringify(documents), /signature|expires/)
  assertError(await call(token, 'GET', `/v1/accounts/${id}/documents`), 401, 'UNAUTHORIZED')
  const persons = await call(token, 'GET', `/v1/accounts/${id}/persons`)
  assert.doesNotMatch(persons.text, /22212345678|1990-04-12|signature/)
})

test('a link that is ended opens nothing, a second time too, and another link of the account goes on', async () => {
  const { id, token } = await newLink()
  const other = tokenOf(await openLink(merchant, id, urls))
  const ended = await call(token, 'POST', '/v1/onboarding/end')
  assert.equal(ended.status, 200, ended.text)
  assert.deepEqual(ended.body, { account_id: id, ended: true, return_url: urls.return_url })
  for (const reply of [await opened(token), await call(token, 'POST', '/v1/onboarding/end')]) {
    assertError(reply, 401, 'UNAUTHORIZED')
  }
  assert.equal((await opened(other)).status, 200)
  const [row] = await stack.sql('select action, target from audit_entries where action like ? and target = ?', [
    '%link_ended',
    id,
  ])
  assert.ok(row)
})

test('VALIDATION_ERROR: a seller does not say from where they accept the terms, nor any metadata', async () => {
  const { id, token } = await newLink()
  const path = `/v1/accounts/${id}`
  const given = { terms_acceptance: { accepted: true, ip: '8.8.8.8' }, metadata: { a: 'b' } }
  const refused = await call(token, 'PATCH', path, given)
  assertFieldErrors(refused, { metadata: 'value_error', 'terms_acceptance.ip': 'value_error' })
  const addressOf = async () => {
    const [row] = await stack.sql<{ address: string | null }>(
      'select terms_address as address from account_profiles where account_id = ?',
      [id],
    )
    return row?.address
  }
  assert.equal(await addressOf(), null)
  const headers = fromAnywhere()
  const accepted = { terms_acceptance: { accepted: true, ip: null } }
  assert.equal((await merchant.call('PATCH', path, accepted, { ...bearer(token), ...headers })).status, 200)
  assert.equal(await addressOf(), Object.values(headers)[0])
  await call(token, 'PATCH', path, { terms_acceptance: null })
  assert.equal((await merchant.call('PATCH', path, { terms_acceptance: given.terms_acceptance })).status, 200)
  assert.equal(await addressOf(), '8.8.8.8') // the platform tells what its seller has told it
})

test('NOT_FOUND: only the token of a link that has ended leads to the address for a new one', async () => {
  const { token } = await newLink()
  assertError(await refreshUrl(token), 404, 'NOT_FOUND')
  const { token: ended } = await newLink()
  await call(ended, 'POST', '/v1/onboarding/end')
  time.now += hour - 1
  assert.equal((await opened(token)).status, 200)
  time.now += 1
  assertError(await opened(token), 401, 'UNAUTHORIZED')
  for (const each of [token, ended]) {
    const { status, body } = await refreshUrl(each)
    assert.deepEqual([status, body], [200, { refresh_url: urls.refresh_url }])
  }
  const [session = ''] = token.split('_secret_')
  for (const forged of [
    session,
    `${session}_secret_${'x'.repeat(32)}`,
    `${token}x`,
    `x${token}`,
    '\u00e9',
    '_secret_',
  ]) {
    assertError(await refreshUrl(forged), 404, 'NOT_FOUND')
  }
})

test('NOT_FOUND: a link of a platform’s own account opens none of its connected accounts', async () => {
  const { account_id: id } = await createAccount(merchant)
  const personId = await addPerson(merchant, id, representative)
  const file = String((await sendFile(merchant, pdf, 'paper.pdf')).body['upload_id'])
  const token = tokenOf(await openLink(merchant, stack.organizationId, urls))
  const own = await call(token, 'GET', '/v1/onboarding')
  assert.equal(own.body['account_id'], stack.organizationId, own.text)
  const bodies: Record<string, object> = {
    'PATCH /v1/accounts/{account_id}': { email: 'thief@example.com' },
    'POST /v1/accounts/{account_id}/persons': { ...representative, roles: ['director'] },
    'PATCH /v1/accounts/{account_id}/persons/{person_id}': { first_name: 'Eve' },
    'POST /v1/accounts/{account_id}/documents': { file, document: 'company.memorandum' },
  }
  const before = await merchant.call('GET', `/v1/accounts/${id}`)
  const taking = operations.filter(
    ({ auth, path }) => auth.includes('onboardingToken') && path.includes('{account_id}'),
  )
  assert.equal(taking.length, 10)
  for (const { method, path } of taking) {
    const name = `${method.toUpperCase()} ${path}`
    const pathTo = (account: string) =>
      path.replace('{account_id}', account).replace('{person_id}', personId).replace('{capability}', 'payouts')
    const sends = (account: string, headers = {}) =>
      merchant.call(method.toUpperCase(), pathTo(account), bodies[name], {
        ...bearer(token),
        ...fromAnywhere(),
        ...headers,
      })
    const answers = [await sends(id), await sends(id, { 'x-account-id': id })]
    for (const reply of answers) {
      assert.deepEqual([reply.status, reply.body['detail']], [404, 'no such account'], `${name}: ${reply.text}`)
    }
  }
  const upload = await sendFile({ ...merchant, apiKey: token }, png, 'image.png', { 'x-account-id': id })
  assertError(upload, 404, 'NOT_FOUND')
  assert.deepEqual((await merchant.call('GET', `/v1/accounts/${id}`)).body, before.body)
})

test('a person reads who they are and what their role allows', async () => {
  const person = await addUser(stack, { accountId: stack.organizationId, role: 'viewer' })
  const viewer = await person.token()
  const { status, body } = await merchant.call('GET', '/api/v1/auth/me', undefined, bearer(viewer))
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { role: 'viewer', account_id: stack.organizationId, environment: 'sandbox' })
  const { scopes } = body as unknown as { scopes: string[] }
  assert.ok(scopes.includes('accounts:read') && scopes.every((scope) => scope.endsWith(':read')))
})
