import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { capabilities } from '../../domain/platform/capability.ts'
import { accountCountryCodes, businessTypes, isOffered, slotsOf } from '../../domain/platform/requirement-rule.ts'
import { Account } from '../../schemas/platform/account.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import {
  addDocument,
  addPerson,
  changeAccount,
  company,
  completeAccount,
  createAccount,
  forStaff,
  readAccount,
  representative,
  stated,
} from '../support/connected-account.ts'
import { addImage } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Connected accounts as their platform creates, reads and changes them.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = await api.addMerchant()
const live = await api.addMerchant('live')

test('a new account has what is usual in its country and says what it lacks', async () => {
  const account = await createAccount(merchant, { metadata: { seller: '7' } })
  assert.ok(Compile(Account).Check(account))
  assert.deepEqual(
    [account.status, account['type'], account['country'], account['default_currency'], account['metadata']],
    ['onboarding', 'connected', 'NG', 'NGN', { seller: '7' }],
  )
  const asked = capabilities.filter((each) => account.capabilities[each] === 'pending')
  assert.deepEqual(asked, ['card_payments', 'bank_transfer_payments', 'payouts', 'transfers'])
  assert.ok(account.requirements.currently_due.includes('company.certificate_of_incorporation'))
  assert.deepEqual(account.requirements.eventually_due, ['company.tax_id', 'company.proof_of_address'])
  assert.equal(account.requirements.disabled_reason, 'requirements.currently_due')
  assert.deepEqual([account.charges_enabled, account.payouts_enabled], [false, false])
  assert.deepEqual(await readAccount(merchant, account.account_id), account)
})

for (const country of accountCountryCodes) {
  test(`every code that ${country} asks for can be provided through the API, with every capability`, async () => {
    for (const type of businessTypes) {
      const offered = capabilities.filter((capability) => isOffered(country, capability))
      const requested = Object.fromEntries(offered.map((capability) => [capability, { requested: true }]))
      const sent = { country, business_type: type, capabilities: requested, company, ...stated }
      const { account_id: id } = await createAccount(merchant, sent)
      await addPerson(merchant, id, { ...representative, id_document: await addImage(merchant) })
      const { requirements: before } = await readAccount(merchant, id)
      const slots = slotsOf({ country, businessType: type })
      const isSlot = (code: string) => slots.some((slot) => slot === code)
      assert.ok([...before.currently_due, ...before.eventually_due].every(isSlot), `${type}: ${before.currently_due}`)
      for (const slot of slots) await addDocument(merchant, id, slot)
      const { requirements, status } = await readAccount(merchant, id)
      const { currently_due, eventually_due, past_due } = requirements
      assert.deepEqual([status, currently_due, eventually_due, past_due], ['under_review', [], [], []], type)
    }
  })
}

test('a change merges what it names, null clears it, and an address is replaced as a whole', async () => {
  const { account_id: id } = await createAccount(merchant, { ...stated, company })
  const merged = await changeAccount(merchant, id, {
    business_profile: { website: 'https://books.example.com', product_description: null },
    company: { phone_number: '+2348012345678', tax_id: null, address: { line1: 'Another Road 1', country: 'NG' } },
    email: 'Other@Example.com',
    metadata: { a: 'b' },
  })
  const profile = merged['business_profile'] as Record<string, unknown>
  assert.deepEqual(profile, {
    ...stated.business_profile,
    website: 'https://books.example.com',
    product_description: null,
  })
  const stored = merged['company'] as Record<string, unknown>
  assert.deepEqual(
    [stored['name'], stored['tax_id_provided'], merged['email']],
    [company.name, false, 'other@example.com'],
  )
  const address = { line1: 'Another Road 1', line2: null, city: null, state: null, postal_code: null, country: 'NG' }
  assert.deepEqual(stored['address'], address)
  assert.ok(merged.requirements.currently_due.includes('company.address.city'))
  // The website stands for the description.
  assert.ok(!merged.requirements.currently_due.includes('business_profile.product_description'))
  const cleared = await changeAccount(merchant, id, { company: null, terms_acceptance: null, metadata: '' })
  assert.deepEqual([cleared['terms_accepted_at'], cleared['metadata']], [null, {}])
  for (const code of ['company.name', 'company.registration_number', 'terms_acceptance', 'owners']) {
    assert.ok(cleared.requirements.currently_due.includes(code), code)
  }
})

test('a change that changes nothing tells nothing and is not reviewed anew', async () => {
  const { account_id: id } = await completeAccount(merchant, forStaff)
  const count = async (): Promise<unknown> =>
    (await stack.sql(`select count(*) from events where resource_id = ?`, [id]))[0]
  const before = [await readAccount(merchant, id), await count()]
  await changeAccount(merchant, id, { ...stated, company: { ...company, ...forStaff.company } })
  const { persons } = await readAccount(merchant, id)
  const path = `/v1/accounts/${id}/persons/${persons[0]?.person_id}`
  const { id_number, date_of_birth, first_name } = representative
  assert.equal((await merchant.call('PATCH', path, { id_number, date_of_birth, first_name })).status, 200)
  assert.deepEqual([await readAccount(merchant, id), await count()], before)
})

test('the country stays (CONFLICT), and what it does not have cannot be asked for', async () => {
  const { account_id: id } = await createAccount(merchant, { country: 'GB' })
  const patch = (body: object) => merchant.call('PATCH', `/v1/accounts/${id}`, body)
  assertError(await patch({ country: 'US' }), 409, 'CONFLICT')
  assert.equal((await patch({ country: 'GB' })).status, 200)
  const asked = await patch({ capabilities: { virtual_accounts: { requested: true } } })
  assertFieldErrors(asked, { 'capabilities.virtual_accounts': 'value_error' })
  const path = `/v1/accounts/${id}/capabilities`
  assert.equal((await merchant.call('POST', `${path}/bank_transfer_payments`, { requested: true })).status, 400)
  assertError(await merchant.call('GET', `${path}/free_money`), 404, 'NOT_FOUND')
  assertError(await merchant.call('POST', `${path}/free_money`, { requested: true }), 404, 'NOT_FOUND')
  assertFieldErrors(await merchant.call('POST', '/v1/accounts', { country: 'FR' }), { country: 'value_error.enum' })
})

test('what was asked for before the country was stated, and the country lacks, becomes inactive', async () => {
  const asking = async (...asked: string[]) => {
    const { merchant: own, accountId } = await api.addMerchant('live')
    const path = `/v1/accounts/${accountId}`
    for (const capability of asked) {
      const { body } = await own.call('POST', `${path}/capabilities/${capability}`, { requested: true })
      assert.equal(body['status'], 'pending')
    }
    return { state: (body: object) => own.call('PATCH', path, body), accountId, own }
  }
  const { state, accountId, own } = await asking('virtual_accounts', 'payouts')
  const sent = await state({ country: 'GB', capabilities: { virtual_accounts: { requested: true } } })
  assertFieldErrors(sent, { 'capabilities.virtual_accounts': 'value_error' })
  assert.equal((await readAccount(own, accountId))['country'], null)
  const { status, body, text } = await state({ country: 'GB' })
  assert.equal(status, 200, text)
  const inactive = { card_payments: 'inactive', virtual_accounts: 'inactive' }
  assert.partialDeepStrictEqual(body, { country: 'GB', capabilities: { ...inactive, payouts: 'pending' } })
  // Where nothing is left, the account has what is usual in its country.
  const { body: usual } = await (await asking('virtual_accounts')).state({ country: 'GB' })
  const capabilitiesOfAll = { card_payments: 'pending', payouts: 'pending', virtual_accounts: 'inactive' }
  assert.partialDeepStrictEqual(usual, { country: 'GB', capabilities: capabilitiesOfAll })
})

test('a capability can be read before it is asked for, with what it needs', async () => {
  const { account_id: id } = await createAccount(merchant)
  const path = `/v1/accounts/${id}/capabilities/virtual_accounts`
  const before = (await merchant.call('GET', path)).body as Record<string, unknown>
  const needs = before['requirements'] as { currently_due: string[]; disabled_reason: string }
  assert.deepEqual([before['requested'], before['status'], needs.disabled_reason], [false, 'inactive', 'not_requested'])
  assert.ok(needs.currently_due.includes('company.memorandum'))
  const asked = await merchant.call('POST', path, { requested: true })
  assert.deepEqual([asked.body['requested'], asked.body['status']], [true, 'pending'])
  const list = async (query: string) => pageOf(await merchant.call('GET', `/v1/accounts/${id}/capabilities${query}`))
  const { items, pagination } = await list('')
  assert.deepEqual(
    items.map(({ capability }) => capability),
    capabilities,
  )
  assert.deepEqual([pagination.total, pagination.limit, pagination.has_more], [capabilities.length, 50, false])
  const first = await list('?limit=4')
  const rest = await list(`?limit=4&cursor=${first.pagination.next_cursor}`)
  assert.deepEqual([...first.items, ...rest.items], items)
  assert.deepEqual((await list(`?limit=4&cursor=${rest.pagination.prev_cursor}`)).items, first.items)
  assert.equal((await merchant.call('POST', path, { requested: false })).body['status'], 'inactive')
})

test('the list is of the own accounts in this environment, by status, country and time', async () => {
  const { merchant: platform } = await api.addMerchant()
  const ids: string[] = []
  for (const country of ['NG', 'GH', 'NG']) ids.unshift((await createAccount(platform, { country })).account_id)
  const list = async (query = '') => {
    const page = pageOf(await platform.call('GET', `/v1/accounts?${query}`))
    if (!/limit/.test(query)) assert.equal(page.pagination.total, page.items.length, query)
    return { ...page, ids: page.items.map((item) => item['account_id']) }
  }
  assert.deepEqual((await list()).ids, ids)
  assert.deepEqual((await list('country=GH')).ids, [ids[1]])
  assert.deepEqual((await list('status=onboarding')).ids, ids)
  assert.deepEqual((await list('status=active&country=NG')).ids, [])
  const first = await list('limit=1')
  assert.deepEqual([first.ids, first.pagination.has_more, first.pagination.total], [[ids[0]], true, 3])
  assert.deepEqual((await list(`limit=1&cursor=${first.pagination.next_cursor}`)).ids, [ids[1]])
  const at = first.items[0]?.['created_at']
  assert.deepEqual((await list(`created_before=${at}`)).ids, ids.slice(1))
  assert.deepEqual((await list(`created_after=${at}`)).ids, [])
  assert.equal((await platform.call('GET', '/v1/accounts?status=closed')).status, 400)
})

test('an account belongs to the environment of the key that made it; one made before is in both', async () => {
  const platformId = live.accountId
  const sandbox = (await api.addKey({ accountId: platformId })).merchant
  const made = await createAccount(live.merchant)
  assert.equal(made.status, 'onboarding')
  assertError(await sandbox.call('GET', `/v1/accounts/${made.account_id}`), 404, 'NOT_FOUND')
  assertError(
    await sandbox.call('GET', '/v1/payments', undefined, { 'x-account-id': made.account_id }),
    404,
    'NOT_FOUND',
  )
  assert.equal(
    (await live.merchant.call('GET', '/v1/payments', undefined, { 'x-account-id': made.account_id })).status,
    200,
  )
  const older = await api.addConnected(platformId)
  const inSandbox = await readAccount(sandbox, older)
  assert.deepEqual(
    [inSandbox.status, inSandbox.charges_enabled, inSandbox.payouts_enabled, inSandbox.requirements.currently_due],
    ['active', true, true, []],
  )
  const inLive = await readAccount(live.merchant, older)
  assert.deepEqual([inLive.status, inLive.charges_enabled], ['onboarding', false])
  assert.ok(inLive.requirements.currently_due.includes('country'))
  const listed = async (by: typeof sandbox, query = '') => {
    const { items, pagination } = pageOf(await by.call('GET', `/v1/accounts?${query}`))
    assert.equal(pagination.total, items.length, query)
    return items.map((item) => item['account_id'])
  }
  assert.deepEqual(await listed(sandbox), [older])
  assert.deepEqual(await listed(sandbox, 'status=active'), [older])
  assert.deepEqual(await listed(live.merchant, 'status=onboarding'), [older, made.account_id])
  // What it states in one environment is not known in the other.
  await changeAccount(sandbox, older, { email: 'sandbox@example.com' })
  assert.equal((await readAccount(live.merchant, older))['email'], null)
  assert.equal((await readAccount(sandbox, older)).status, 'active')
  assert.deepEqual(await listed(sandbox, 'status=active'), [older])
  assert.deepEqual(await listed(live.merchant, 'status=onboarding'), [older, made.account_id])
})

test('the totals go along when an account gets another status, country or owner', async () => {
  const [from, to] = [await api.addMerchant(), await api.addMerchant()]
  const totals = async (platform: typeof from, query = '') => {
    const { items, pagination } = pageOf(await platform.merchant.call('GET', `/v1/accounts?${query}`))
    assert.equal(pagination.total, items.length, query)
    return pagination.total
  }
  const [first, second] = [await createAccount(from.merchant), await createAccount(from.merchant)]
  await stack.sql(`update account_profiles set country = 'GH' where account_id = ?`, [first.account_id])
  await stack.sql(`update account_profiles set status = 'rejected' where account_id = ?`, [second.account_id])
  assert.deepEqual(
    [await totals(from), await totals(from, 'country=GH'), await totals(from, 'status=rejected')],
    [2, 1, 1],
  )
  await stack.sql(`update account_profiles set status = 'onboarding' where account_id = ?`, [second.account_id])
  assert.deepEqual([await totals(from, 'status=rejected'), await totals(from, 'status=onboarding')], [0, 2])
  await stack.sql('update accounts set owner_id = ? where id = ?', [to.accountId, first.account_id])
  assert.deepEqual([await totals(from), await totals(from, 'country=GH')], [1, 0])
  assert.deepEqual([await totals(to), await totals(to, 'country=GH&status=onboarding')], [1, 1])
})

test('the own account is read and documented in the same way, also for a connected one by X-Account-Id', async () => {
  const own = await readAccount(live.merchant, live.accountId)
  assert.deepEqual([own['type'], own.status, own['country']], ['platform', 'onboarding', null])
  const changed = await changeAccount(live.merchant, live.accountId, {
    country: 'NG',
    business_type: 'company',
    ...stated,
  })
  assert.deepEqual([changed['country'], changed.capabilities.payouts], ['NG', 'pending'])
  const { account_id: id } = await createAccount(merchant)
  const acting = { 'x-account-id': id }
  assert.equal((await merchant.call('GET', `/v1/accounts/${id}`, undefined, acting)).status, 200)
  assertError(await merchant.call('POST', '/v1/accounts', { country: 'NG' }, acting), 403, 'FORBIDDEN')
})

test('a document beyond 200 of an account and its persons replaces the oldest that no longer counts', async () => {
  const { account_id: id } = await createAccount(merchant)
  const personId = await addPerson(merchant, id, { ...representative, id_document: await addImage(merchant) })
  const slot = 'company.memorandum'
  const document = await addDocument(merchant, id, slot)
  // As if it had been sent 197 times more.
  await stack.sql(
    `insert into documents (id, account_id, environment, subject, subject_id, slot, upload_id, file_name, created_at)
     select 'doc_' || lpad(n::text, 34, '0'), account_id, environment, subject, subject_id, slot, upload_id, file_name,
       created_at from documents, generate_series(1, 197) n where id = ?`,
    [document['id']],
  )
  await stack.sql(
    `update uploads set attachments = attachments + 197 where id = (select upload_id from documents where id = ?)`,
    [document['id']],
  )
  const uses = async () => {
    const text = `select attachments from uploads where id = (select upload_id from documents where id = ?)`
    return (await stack.sql<{ attachments: number }>(text, [document['id']]))[0]?.attachments
  }
  const documents = () =>
    stack.sql<{ id: string }>(
      `select id from documents where subject_id in (?, ?) order by (subject = 'person') desc, created_at, id`,
      [id, personId],
    )
  await addDocument(merchant, id, slot)
  const [ofPerson, oldest, ...others] = await documents()
  assert.deepEqual([others.length, await uses()], [198, 198])
  const added = await addDocument(merchant, id, slot)
  assert.deepEqual(await documents(), [ofPerson, ...others, { id: added['id'] }])
  assert.equal(await uses(), 197)
  const path = `/v1/accounts/${id}/persons/${personId}`
  const changed = await merchant.call('PATCH', path, { id_document: await addImage(merchant) })
  assert.equal(changed.status, 200, changed.text)
  const left = (await documents()).map((row) => row.id)
  assert.deepEqual([left.length, left.includes(String(oldest?.id)), await uses()], [200, false, 196])
})

test('accounts of somebody else, of nobody and of another seller are NOT_FOUND', async () => {
  const mine = await createAccount(merchant)
  const other = await createAccount(merchant)
  const { merchant: stranger, accountId } = await api.addMerchant()
  for (const [by, id, headers] of [
    [stranger, mine.account_id, {}],
    [merchant, accountId, {}],
    [merchant, other.account_id, { 'x-account-id': mine.account_id }],
  ] as const) {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['GET', '/persons', undefined],
      ['POST', '/persons', { roles: ['director'] }],
      ['GET', '/documents', undefined],
      ['GET', '/timeline', undefined],
      ['GET', '/agenda', undefined],
      ['POST', '/onboarding-link', { return_url: 'https://example.com', refresh_url: 'https://example.com' }],
    ] as const) {
      assertError(await by.call(method, `/v1/accounts/${id}${path}`, body, headers), 404, 'NOT_FOUND')
    }
  }
})

test('the same key makes the account once', async () => {
  const send = () => merchant.call('POST', '/v1/accounts', { country: 'KE' }, { 'idempotency-key': 'one-seller' })
  const [first, second] = await Promise.all([send(), send()])
  const again = await send()
  const ids = [first, second, again].filter(({ status }) => status === 201).map(({ body }) => body['account_id'])
  assert.equal(new Set(ids).size, 1)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('the timeline and the agenda of an account tell what has happened and what it waits for', async () => {
  const { account_id: id } = await completeAccount(merchant, forStaff)
  const timeline = (await merchant.call('GET', `/v1/accounts/${id}/timeline`)).body as Record<string, unknown>
  const steps = (timeline['items'] as { step: string }[]).map(({ step }) => step)
  assert.deepEqual(steps, ['onboarding', 'under_review'])
  const agenda = (await merchant.call('GET', `/v1/accounts/${id}/agenda`)).body as Record<string, unknown>
  const [wait] = agenda['items'] as Record<string, unknown>[]
  assert.deepEqual([wait?.['waiting_on'], wait?.['reason']], ['reviewer', 'review_reminder'])
})
