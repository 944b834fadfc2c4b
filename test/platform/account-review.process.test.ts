import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import {
  addDocument,
  addPerson,
  company,
  completeAccount,
  createAccount,
  forStaff,
  personPath,
  readAccount,
  representative,
  stated,
  withAccounts,
} from '../support/connected-account.ts'
import { addStaff } from '../support/staff.ts'
import { textIn } from '../support/texts.ts'
import { addImage } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What happens to an account that is reviewed, by the process's clock.
const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true, invariants: 'after each test', dormant: [] })
const api = await useApi(stack)
const { waiting, active, skip, rests, read, change, reviews, events } = withAccounts(stack)
const staff = await addStaff(stack)
const other = await addStaff(stack)

const decide = (id: string, body: object, by = staff) => by.call('POST', `/api/v1/admin/accounts/${id}/review`, body)
/** Which mails about an account's newest review have been sent. */
async function mailed(id: string): Promise<string[]> {
  const [row] = await stack.sql<Record<'reminded' | 'escalated', boolean>>(
    `select reminded_at is not null as reminded, escalated_at is not null as escalated from reviews
     where resource_id = ? order by revision desc limit 1`,
    [id],
  )
  return Object.entries(row ?? {}).flatMap(([what, is]) => (is ? [what] : []))
}
const mails = async () => (await stack.sql('select from kept_mails where account_id is null')).length

test('the sandbox decides after five seconds and not before: approve, reject, ask again or leave it open', async () => {
  const good = await waiting({ company: { registration_number: 'RC120001' } })
  const bad = await waiting({ company: { registration_number: 'RC120009' } })
  const unclear = await waiting({ company: {}, representative: { id_number: '22212340007' } })
  const open = await waiting()
  for (const { status } of [good, bad, unclear, open]) assert.equal(status, 'under_review')
  await skip(open.account_id, minute)
  const [approved, rejected, asked, left] = [
    await read(good.account_id),
    await read(bad.account_id),
    await read(unclear.account_id),
    await read(open.account_id),
  ]
  assert.deepEqual([approved.status, approved.charges_enabled, approved.payouts_enabled], ['active', true, true])
  assert.deepEqual([rejected.status, rejected.charges_enabled], ['rejected', false])
  assert.match(String(rejected.status_reason), /0009/)
  assert.equal(rejected.requirements.disabled_reason, 'rejected')
  assert.deepEqual(rejected.capabilities.payouts, 'restricted')
  assert.equal(asked.status, 'onboarding')
  assert.deepEqual(asked.requirements.currently_due, ['representative.id_number'])
  assert.equal(asked.requirements.errors[0]?.code, 'representative.id_number')
  assert.equal(left.status, 'under_review')
  const [review] = await stack.sql<{ waited: number }>(
    `select (extract(epoch from decided_at - created_at) * 1000)::float8 as waited from reviews where resource_id = ?`,
    [good.account_id],
  )
  assert.ok(review && review.waited >= 5_000 && review.waited < minute, `${review?.waited} ms`)
})

test('the sandbox does not ask again for a number that the account has not to provide', async () => {
  const { account_id: id } = await createAccount(stack.merchant, {
    ...stated,
    business_type: 'individual',
    company: { registration_number: 'BN120007' },
  })
  const document = await addImage(stack.merchant)
  const person = { ...representative, roles: ['representative'], percent_ownership: null, id_document: document }
  await addPerson(stack.merchant, id, person)
  await rests(id)
  await skip(id, minute)
  assert.equal((await read(id)).status, 'active')
})

test('what was asked for again is provided, reviewed again and approved', async () => {
  const { account_id: id } = await waiting({ company: {}, representative: { id_number: '22212340007' } })
  await skip(id, minute)
  const { persons, requirements } = await read(id)
  assert.deepEqual(requirements.currently_due, ['representative.id_number'])
  // The same number again answers nothing.
  const path = `/v1/accounts/${id}/persons/${persons[0]?.person_id}`
  await stack.merchant.call('PATCH', path, { id_number: '22212340007' })
  assert.equal((await read(id)).status, 'onboarding')
  await stack.merchant.call('PATCH', path, { id_number: '22212340001' })
  assert.equal((await read(id)).status, 'under_review')
  await rests(id)
  await skip(id, minute)
  assert.equal((await read(id)).status, 'active')
  assert.deepEqual(
    (await reviews(id)).map(({ decision }) => decision),
    ['request_information', 'approve'],
  )
})

test('terms that staff ask for again are accepted anew, and accepting them unasked changes nothing', async () => {
  const { account_id: id, terms_accepted_at: first } = await waiting()
  const accept = { terms_acceptance: { accepted: true } }
  assert.equal((await change(id, accept))['terms_accepted_at'], first)
  const errors = [{ code: 'terms_acceptance', reason: 'Accepted by somebody else' }]
  const reason = 'Please accept them again.'
  assert.equal((await decide(id, { decision: 'request_information', reason, errors })).status, 200)
  const asked = await change(id, { metadata: { order: '7' } })
  assert.deepEqual([asked.status_reason, asked.requirements.currently_due], [reason, ['terms_acceptance']])
  const { status, status_reason: left, requirements, terms_accepted_at: second } = await change(id, accept)
  assert.deepEqual([status, left, requirements.errors], ['under_review', null, []], 'the reason goes with what it asks')
  assert.ok(String(second) > String(first))
  await rests(id)
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
  assert.equal((await read(id)).status, 'active')
})

test('owners and directors that were right, and are asked for again, are taken back and stated again', async () => {
  const { account_id: id, persons } = await waiting({ account: { country: 'GB' } }) // a country that asks for directors
  const errors = ['owners', 'directors'].map((code) => ({ code, reason: 'Is this list complete?' }))
  assert.equal((await decide(id, { decision: 'request_information', reason: 'The list', errors })).status, 200)
  const confirm = (isComplete: boolean) => change(id, { company: { owners_provided: isComplete } })
  assert.deepEqual((await confirm(true)).requirements.currently_due, ['owners', 'directors'], 'the same again')
  await confirm(false)
  assert.deepEqual((await confirm(true)).requirements.currently_due, ['directors'])
  const path = personPath(id, String(persons[0]?.person_id))
  for (const roles of [['representative', 'owner'], representative.roles]) {
    assert.equal((await stack.merchant.call('PATCH', path, { roles })).status, 200)
  }
  const { status, requirements } = await read(id)
  assert.deepEqual([status, requirements.errors], ['under_review', []])
})

test('somebody who is only a director, and was right, has the name changed and changed back', async () => {
  const { account_id: id } = await waiting({ account: { country: 'GB' } })
  const director = { roles: ['director'], first_name: 'Ngozi', last_name: 'Eze', date_of_birth: '1980-05-06' }
  const path = personPath(id, await addPerson(stack.merchant, id, director))
  await rests(id)
  const errors = [{ code: 'directors', reason: 'Is this list complete?' }]
  assert.equal((await decide(id, { decision: 'request_information', reason: 'The list', errors })).status, 200)
  const edit = async (body: object) => (await stack.merchant.call('PATCH', path, body)).status
  assert.equal(await edit({ roles: [] }), 400, 'every person has a role')
  assert.deepEqual([await edit({ first_name: 'N.' }), await edit({ first_name: 'Ngozi' })], [200, 200])
  const { status, requirements } = await read(id)
  assert.deepEqual([status, requirements.errors], ['under_review', []])
})

test('staff get one reminder after 24 hours and an escalation after 72, and decide after that', async () => {
  const { account_id: id } = await waiting()
  await skip(id, 24 * hour - minute)
  assert.deepEqual(await mailed(id), [])
  await skip(id, 2 * minute)
  assert.deepEqual(await mailed(id), ['reminded'])
  await skip(id, 48 * hour - 3 * minute)
  assert.deepEqual(await mailed(id), ['reminded'])
  await skip(id, 3 * minute)
  assert.deepEqual(await mailed(id), ['reminded', 'escalated'])
  const sent = await mails()
  await skip(id, 300 * hour)
  assert.equal(await mails(), sent, 'no more mails')
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
  assert.equal((await read(id)).status, 'active')
})

test('staff decide while the sandbox would: the first decision counts, and the sandbox changes nothing', async () => {
  const { account_id: id } = await waiting({ company: { registration_number: 'RC120001' } })
  const reply = await decide(id, { decision: 'reject', reason: 'No such company' })
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual([reply.body['status'], reply.body['status_reason']], ['rejected', 'No such company'])
  await stack.skip(minute)
  assert.equal((await read(id)).status, 'rejected')
  assert.deepEqual(await reviews(id), [{ revision: 2, state: 'decided', decision: 'reject' }])
  // The same decision again changes nothing; another one is refused; and nothing can be stated any more.
  assert.equal((await decide(id, { decision: 'reject', reason: 'No such company' })).status, 200)
  assertError(await decide(id, { decision: 'approve' }), 409, 'CONFLICT')
  assertError(await stack.merchant.call('PATCH', `/v1/accounts/${id}`, { email: 'new@example.com' }), 409, 'CONFLICT')
  assertError(
    await stack.merchant.call('POST', `/v1/accounts/${id}/capabilities/crypto_payments`, { requested: true }),
    409,
    'CONFLICT',
  )
  const link = { return_url: 'https://example.com', refresh_url: 'https://example.com' }
  assertError(await stack.merchant.call('POST', `/v1/accounts/${id}/onboarding-link`, link), 409, 'CONFLICT')
})

test('a decision about an earlier revision changes nothing: CONFLICT', async () => {
  const { account_id: id } = await waiting()
  const [first] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [id])
  await change(id, { company: { name: 'Another Company Ltd' } })
  await rests(id)
  assert.deepEqual(
    (await reviews(id)).map(({ state }) => state),
    ['withdrawn', 'open'],
  )
  assertError(await decide(id, { decision: 'approve', review_id: first?.id }), 409, 'CONFLICT')
  assert.equal((await read(id)).status, 'under_review')
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
  assert.equal((await read(id)).status, 'active')
})

test('CONFLICT: a decision about a company that has become an individual, of which less is asked', async () => {
  // The sandbox leaves an individual to staff by the number of the person.
  const { account_id: id } = await waiting({ ...forStaff, representative: { id_number: '22212340008' } })
  const [first] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [id])
  const { status } = await change(id, { business_type: 'individual' })
  assert.equal(status, 'under_review')
  await rests(id)
  assert.deepEqual(
    (await reviews(id)).map(({ state }) => state),
    ['withdrawn', 'open'],
  )
  assertError(await decide(id, { decision: 'approve', review_id: first?.id }), 409, 'CONFLICT')
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
  assert.equal((await read(id)).status, 'active')
})

test('any part of an address that changes is reviewed: line2 with its street, the others with its city', async () => {
  const { account_id: id } = await active()
  const address: Record<string, string> = { ...company.address }
  for (const part of [{ country: 'DE' }, { state: 'Kano' }, { postal_code: '700001' }, { line2: '4th floor' }]) {
    Object.assign(address, part)
    const { requirements, payouts_enabled } = await change(id, { company: { address } })
    const code = `company.address.${'line2' in part ? 'line1' : 'city'}`
    assert.deepEqual([requirements.pending_verification, payouts_enabled], [[code], false], JSON.stringify(part))
    await rests(id)
    await skip(id, 6_000) // the sandbox approves it
    assert.equal((await read(id)).payouts_enabled, true)
  }
})

test('an account that changes after its escalation is shown as waiting for a reviewer again', async () => {
  const { account_id: id } = await waiting()
  const process = stack.client.workflow.getHandle(`account/${id}`)
  const shown = async () => JSON.stringify((await process.describe()).typedSearchAttributes.getAll())
  await skip(id, 73 * hour)
  assert.match(await shown(), /"escalated".*"lead reviewer"/)
  await change(id, { company: { name: 'Another Company Ltd' } })
  await rests(id)
  assert.match(await shown(), /"under_review".*"reviewer"/)
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
})

test('of two reviewers who decide at once one succeeds, and a claim keeps the others out', async () => {
  const { account_id: id } = await waiting()
  const both = await Promise.all([
    decide(id, { decision: 'approve' }),
    decide(id, { decision: 'reject', reason: 'Not plausible' }, other),
  ])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
  const { status } = await read(id)
  assert.equal(status, both[0].status === 200 ? 'active' : 'rejected')
  const { account_id: claimed } = await waiting()
  const [review] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [claimed])
  await staff.call('POST', `/api/v1/admin/reviews/${review?.id}/claim`)
  assertError(await decide(claimed, { decision: 'approve' }, other), 409, 'CONFLICT')
  assert.equal((await decide(claimed, { decision: 'approve' })).status, 200)
})

test('CONFLICT: somebody else has asked for something else; asking for the same changes nothing', async () => {
  const { account_id: id } = await waiting()
  const [review] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [id])
  const asking = (...errors: object[]) => ({ decision: 'request_information', review_id: review?.id, errors })
  const name = { code: 'company.name', reason: 'Not in the register' }
  const document = { code: 'representative.id_document', reason: 'Unreadable' }
  assert.equal((await decide(id, asking(name))).status, 200)
  assertError(await decide(id, asking(document), other), 409, 'CONFLICT')
  assertError(await decide(id, asking(name, document)), 409, 'CONFLICT')
  assertError(await decide(id, asking({ ...name, reason: 'Misspelt' }), other), 409, 'CONFLICT')
  for (const by of [staff, other]) assert.equal((await decide(id, asking(name), by)).status, 200)
  assert.deepEqual((await read(id)).requirements.errors, [name])
})

test('what is taken back under review ends the review; what is withdrawn of the requests does not', async () => {
  const { account_id: id } = await waiting()
  await change(id, { capabilities: { card_payments: { requested: false } } })
  await rests(id)
  assert.deepEqual(await reviews(id), [{ revision: 2, state: 'open', decision: null }])
  await change(id, { capabilities: { virtual_accounts: { requested: true } } })
  await rests(id)
  const account = await read(id)
  assert.equal(account.status, 'onboarding')
  assert.deepEqual(account.requirements.currently_due, ['company.memorandum'])
  assertError(await decide(id, { decision: 'approve' }), 409, 'CONFLICT')
  await change(id, { capabilities: { virtual_accounts: { requested: false } } })
  await rests(id)
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
  const { status, capabilities } = await read(id)
  assert.deepEqual([status, capabilities.card_payments, capabilities.payouts], ['active', 'inactive', 'active'])
})

test('an active account that changes what was verified goes on selling, and its payouts wait', async () => {
  const { account_id: id } = await active()
  const changed = await change(id, {
    company: { name: 'Renamed Books Ltd', registration_number: 'RC130008' },
    business_profile: { website: 'https://books.example.com' },
  })
  assert.deepEqual(
    [changed.status, changed.charges_enabled, changed.payouts_enabled, changed.capabilities.payouts],
    ['active', true, false, 'pending'],
  )
  const described = 'business_profile.product_description'
  const changes = ['company.name', 'company.registration_number', described]
  assert.deepEqual(changed.requirements.pending_verification, changes)
  const cards = `/v1/accounts/${id}/capabilities/card_payments`
  const { body: selling } = await stack.merchant.call('GET', cards)
  assert.partialDeepStrictEqual(selling, {
    status: 'active',
    requirements: { disabled_reason: null, pending_verification: changes },
  })
  await rests(id)
  const ask = { decision: 'request_information', errors: [{ code: 'company.name', reason: 'Not in the register' }] }
  const asked = await decide(id, ask)
  assert.equal(asked.status, 200, asked.text)
  const { requirements, status } = await read(id)
  assert.equal(status, 'active')
  assert.deepEqual(requirements.currently_due, ['company.name'])
  assert.deepEqual(requirements.errors, [{ code: 'company.name', reason: 'Not in the register' }])
  assert.ok(Date.parse(String(requirements.current_deadline)) > Date.now())
  await change(id, { company: { name: company.name } })
  await rests(id)
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
  assert.deepEqual((await read(id)).payouts_enabled, true)
})

test('information can be asked for only if the account has to provide it, and with a reason', async () => {
  const { account_id: id } = await waiting()
  const request = (errors?: object[]) => decide(id, { decision: 'request_information', errors })
  assertError(await request(), 400, 'VALIDATION_ERROR')
  assertError(await request([]), 400, 'VALIDATION_ERROR')
  assertError(await request([{ code: 'company.registration_of_charity', reason: 'x' }]), 400, 'VALIDATION_ERROR')
  assertError(await decide(id, { decision: 'reject' }), 400, 'VALIDATION_ERROR')
  const errors = [{ code: 'email', reason: 'x' }]
  assertError(await decide(id, { decision: 'approve', errors }), 400, 'VALIDATION_ERROR')
  assert.equal((await read(id)).status, 'under_review')
})

test('a new capability of an active account is pending until what it needs is provided and accepted', async () => {
  const { account_id: id } = await active({ company: { registration_number: 'RC120001' } })
  const path = `/v1/accounts/${id}/capabilities/virtual_accounts`
  const asked = await stack.merchant.call('POST', path, { requested: true })
  assert.deepEqual([asked.body['status'], (await read(id)).status], ['pending', 'active'])
  assert.deepEqual((await read(id)).requirements.currently_due, ['company.memorandum'])
  await addDocument(stack.merchant, id, 'company.memorandum')
  await rests(id)
  await skip(id, minute)
  assert.equal((await stack.merchant.call('GET', path)).body['status'], 'active')
  const told = await events(id)
  assert.ok(told.filter((type) => type === 'capability.updated').length >= 3)
})

test('in live only staff decide, and an approved account may take payments from then on', async () => {
  const { merchant } = await api.addMerchant('live')
  const { account_id: id } = await completeAccount(merchant, { company: { registration_number: 'RC120001' } })
  await rests(id)
  await skip(id, 20 * hour)
  assert.equal((await readAccount(merchant, id)).status, 'under_review')
  const isEnabled = async () => (await stack.sql('select from accounts where id = ? and payments_enabled', [id])).length
  assert.equal(await isEnabled(), 0)
  assert.equal((await decide(id, { decision: 'approve' })).status, 200)
  const { status, capabilities } = await readAccount(merchant, id)
  assert.deepEqual([status, capabilities.card_payments, capabilities.payouts], ['active', 'active', 'active'])
  assert.equal(await isEnabled(), 1)
})

test('an account under review gets a director more: the open review is about that, too', async () => {
  const { account_id: id } = await waiting()
  await addPerson(stack.merchant, id, { ...representative, roles: ['owner'], percent_ownership: 40 })
  await rests(id)
  assert.deepEqual(
    (await reviews(id)).map(({ state }) => state),
    ['withdrawn', 'open'],
  )
})

test('a review costs at most 40 events of history, which hold no personal data', async () => {
  const { account_id: id } = await waiting({ company: { registration_number: 'RC120001' } })
  await skip(id, minute)
  assert.equal((await read(id)).status, 'active')
  const length = await stack.historyLength('account-review', id)
  assert.ok(length <= 40, `${length} events`)
  const history = await stack.client.workflow.getHandle(`account/${id}`).fetchHistory()
  const text = textIn(history)
  for (const secret of [
    'Ada',
    'Obi',
    '22212345678',
    '1990-04-12',
    'books@example.com',
    'Example Books',
    '12345678-0001',
  ]) {
    assert.ok(!text.includes(secret), secret)
  }
})
