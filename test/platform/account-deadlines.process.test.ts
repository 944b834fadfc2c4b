import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountActivities } from '../../activities/platform/account.ts'
import { assertError } from '../support/api.ts'
import { addDocument, type ConnectedAccount, personPath, withAccounts } from '../support/connected-account.ts'
import { endow } from '../support/conversion.ts'
import { register } from '../support/destination.ts'
import { createLogins } from '../support/login.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { addImage } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What an active account has to provide later, by the process's clock.
const minute = 60_000
const day = 24 * 60 * minute
const later = 'company.proof_of_address'

const stack = await useStack({ skipping: true, invariants: 'after each test' })
await useApi(stack)
const { active, skip, rests, read, change, events } = withAccounts(stack)
const staff = await addStaff(stack)

const approve = (id: string) => staff.call('POST', `/api/v1/admin/accounts/${id}/review`, { decision: 'approve' })

/** How many milliseconds are left until the earliest deadline. */
const left = async ({ requirements }: ConnectedAccount): Promise<number> =>
  Date.parse(String(requirements.current_deadline)) - (await stack.clock.now())

type KeptMail = { to: string; subject: string; text: string }
async function mailsTo(address: string): Promise<KeptMail[]> {
  const { body } = await stack.merchant.call('GET', '/v1/test-helpers/emails?limit=100')
  const items = (body['items'] ?? []) as unknown as KeptMail[]
  return items.filter(({ to }) => to.includes(address))
}

/** An account whose later information is due by now, `before` milliseconds before the deadline. */
async function due(before: number, email: string): Promise<string> {
  const { account_id: id } = await active({ account: { email } })
  await skip(id, 30 * day)
  await skip(id, 14 * day - before)
  return id
}

test('what is due later is due after 30 days, is mailed a week ahead, and restricts in the end', async () => {
  const email = 'late@example.com'
  const { account_id: id, requirements } = await active({ account: { email } })
  assert.deepEqual([requirements.eventually_due, requirements.current_deadline], [[later], null])
  const told = (await events(id)).length
  await skip(id, 30 * day - minute)
  assert.deepEqual((await read(id)).requirements.currently_due, [])
  assert.equal((await events(id)).length, told)
  await skip(id, 2 * minute)
  const now = await read(id)
  assert.deepEqual(now.requirements.currently_due, [later])
  assert.ok(Math.abs((await left(now)) - 14 * day) < 5 * minute)
  assert.deepEqual((await events(id)).slice(told), ['account.updated'])
  await skip(id, 7 * day - 5 * minute)
  assert.equal((await mailsTo(email)).length, 0)
  await skip(id, 10 * minute)
  const [mail, ...more] = await mailsTo(email)
  assert.deepEqual(more, [])
  assert.match(String(mail?.text), new RegExp(`${id}.*sandbox[^]*${later}`))
  await skip(id, (await left(await read(id))) - minute)
  assert.equal((await read(id)).status, 'active')
  await skip(id, 2 * minute)
  const restricted = await read(id)
  assert.deepEqual(
    [restricted.status, restricted.charges_enabled, restricted.payouts_enabled],
    ['restricted', false, false],
  )
  assert.deepEqual(restricted.requirements.past_due, [later])
  assert.equal(restricted.requirements.disabled_reason, 'requirements.past_due')
  for (const status of Object.values(restricted.capabilities)) assert.ok(['restricted', 'inactive'].includes(status))
  assert.equal((await mailsTo(email)).length, 1)
  // Provided, it is reviewed again; it stays restricted for payments until it is accepted.
  await addDocument(stack.merchant, id, later)
  const back = await read(id)
  assert.deepEqual([back.status, back.charges_enabled, back.capabilities.payouts], ['under_review', false, 'pending'])
  await rests(id)
  assert.equal((await approve(id)).status, 200)
  const again = await read(id)
  assert.deepEqual([again.status, again.charges_enabled, again.payouts_enabled], ['active', true, true])
  assert.deepEqual(again.requirements.past_due, [])
  await skip(id, 400 * day)
  assert.equal((await read(id)).status, 'active')
})

test('an account and the owners of its platform get a mail each, and no address of the other', async () => {
  const logins = createLogins(stack)
  const [owner, unverified] = [await logins.addPerson(), await logins.addPerson({ emailVerified: false })]
  const email = 'apart@example.com'
  const id = await due(7 * day - minute, email)
  assert.deepEqual(
    (await mailsTo(email)).map(({ to }) => to),
    [email],
  )
  const [told, ...more] = (await mailsTo(owner.email)).filter(({ text }) => text.includes(id))
  assert.deepEqual(more, [])
  assert.match(String(told?.text), new RegExp(later))
  const to = String(told?.to)
  assert.ok(!to.includes(email) && !to.includes(unverified.email), to)
})

test('a mail that the owners of a platform cannot get does not have that of the account sent twice', async () => {
  const email = 'once@example.com'
  const { deliver } = stack.deps.mailer
  let sent = 0
  stack.deps.mailer.deliver = async (mail) => {
    if (mail.to !== email) throw Object.assign(new Error('refused'), { responseCode: 550, command: 'RCPT TO' })
    sent += 1
    await deliver(mail)
  }
  try {
    const id = await due(7 * day - minute, email)
    await skip(id, day)
    assert.equal(sent, 1)
    assert.equal((await mailsTo(email)).length, 1)
  } finally {
    stack.deps.mailer.deliver = deliver
  }
})

test('a mail to the owners that fails in passing is sent again, and that of the account is not', async () => {
  const email = 'passing@example.com'
  const owner = await createLogins(stack).addPerson()
  const { deliver } = stack.deps.mailer
  const tries = { account: 0, owners: 0 }
  stack.deps.mailer.deliver = async (mail) => {
    const reader = mail.to === email ? 'account' : 'owners'
    tries[reader] += 1
    if (reader === 'owners' && tries.owners === 1) throw Object.assign(new Error('busy'), { responseCode: 451 })
    await deliver(mail)
  }
  try {
    const id = await due(7 * day - minute, email)
    const sent = (await mailsTo(owner.email)).filter(({ text }) => text.includes(id))
    assert.deepEqual([tries, sent.length], [{ account: 1, owners: 2 }, 1])
    assert.equal((await mailsTo(email)).length, 1)
  } finally {
    stack.deps.mailer.deliver = deliver
  }
})

test('a mail of a worker that stood still for days does not have the next deadline mailed twice', async () => {
  const email = 'frozen@example.com'
  const id = await due(7 * day + minute, email)
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { mailer } = stack.deps
  const deliver: typeof mailer.deliver = async (mail) => {
    begun.resolve()
    await goesOn.promise
    return mailer.deliver(mail)
  }
  const warnedAt = Date.parse(String((await read(id)).requirements.current_deadline)) - 7 * day
  const late = accountActivities({ ...stack.deps, mailer: { ...mailer, deliver } }).warnAccount(id, warnedAt)
  await Promise.race([begun.promise, late.then(() => assert.fail('no mail is sent'))])
  await skip(id, 2 * minute)
  await addDocument(stack.merchant, id, later)
  await skip(id, minute)
  assert.equal((await read(id)).requirements.current_deadline, null)
  await change(id, { company: { name: null } })
  await rests(id)
  await skip(id, 7 * day + minute)
  assert.equal((await mailsTo(email)).length, 2, 'one about each deadline')
  goesOn.resolve()
  await late
  await change(id, { company: { registration_number: 'RC123457' } })
  await skip(id, minute)
  assert.equal((await mailsTo(email)).length, 2)
})

test('provided one minute before the deadline it is never past due, however long staff take', async () => {
  const id = await due(minute, 'just@example.com')
  // From now on only staff decide.
  await change(id, { company: { registration_number: 'RC120008' } })
  await addDocument(stack.merchant, id, later)
  await rests(id)
  await skip(id, 10 * day)
  const { status, requirements, charges_enabled } = await read(id)
  assert.deepEqual([status, charges_enabled], ['active', true])
  assert.deepEqual(requirements.past_due, [])
  assert.ok(requirements.pending_verification.includes(later))
  // Asked for again after the deadline, it has two weeks more.
  const errors = [{ code: later, reason: 'Older than three months' }]
  const asked = await staff.call('POST', `/api/v1/admin/accounts/${id}/review`, {
    decision: 'request_information',
    errors,
  })
  assert.equal(asked.status, 200, asked.text)
  const after = await read(id)
  assert.deepEqual([after.status, after.requirements.currently_due], ['active', [later]])
  assert.ok(Math.abs((await left(after)) - 14 * day) < 5 * minute)
  await rests(id)
  await skip(id, 14 * day + minute)
  assert.equal((await read(id)).status, 'restricted')
})

test('the deadline does not wait for a decision about something else, nor for the mail server', async () => {
  const id = await due(3 * day, 'other@example.com')
  await change(id, { company: { name: 'Renamed Ltd', registration_number: 'RC120008' } })
  await rests(id)
  const { deliver } = stack.deps.mailer
  stack.deps.mailer.deliver = () => Promise.reject(new Error('no mail server'))
  try {
    await skip(id, 3 * day + 30 * minute)
    const { status, requirements } = await read(id)
    assert.deepEqual([status, requirements.past_due], ['restricted', [later]])
  } finally {
    stack.deps.mailer.deliver = deliver
  }
  await addDocument(stack.merchant, id, later)
  await rests(id)
  assert.equal((await approve(id)).status, 200)
  assert.equal((await read(id)).status, 'active')
})

test('a deadline of what only payouts ask for is mailed a week ahead and restricts payouts alone', async () => {
  const email = 'only-payouts@example.com'
  const { account_id: id, persons } = await active({ account: { email } })
  await change(id, { company: { registration_number: 'RC120008' } })
  await rests(id)
  const errors = [{ code: 'representative.id_document', reason: 'Unreadable' }]
  const ask = { decision: 'request_information', errors }
  assert.equal((await staff.call('POST', `/api/v1/admin/accounts/${id}/review`, ask)).status, 200)
  await rests(id)
  await skip(id, 7 * day - minute)
  assert.deepEqual(await mailsTo(email), [])
  await skip(id, 2 * minute)
  const [mail, ...more] = await mailsTo(email)
  assert.deepEqual(more, [])
  assert.match(String(mail?.text), /representative\.id_document[^]*capabilities are restricted.*: payouts\./)
  const told = (await events(id)).length
  await skip(id, 7 * day)
  const restricted = await read(id)
  assert.deepEqual([restricted.status, restricted.charges_enabled], ['active', true])
  assert.deepEqual([restricted.capabilities.payouts, restricted.capabilities.transfers], ['restricted', 'active'])
  assert.deepEqual(restricted.requirements.past_due, ['representative.id_document'])
  assert.deepEqual((await events(id)).slice(told).toSorted(), ['account.updated', 'capability.updated'])
  assert.equal((await mailsTo(email)).length, 1)
  const image = await addImage(stack.merchant)
  const person = personPath(id, String(persons[0]?.person_id))
  assert.equal((await stack.merchant.call('PATCH', person, { id_document: image })).status, 200)
  assert.equal((await read(id)).capabilities.payouts, 'pending')
  await rests(id)
  assert.equal((await approve(id)).status, 200)
  assert.equal((await read(id)).capabilities.payouts, 'active')
})

test('an active account that clears what was verified has two weeks, and no longer by clearing it again', async () => {
  const { account_id: id } = await active({ account: { email: 'cleared@example.com' } })
  await change(id, { company: { name: null } })
  await rests(id)
  const first = await read(id)
  assert.deepEqual(
    [first.status, first.requirements.currently_due, first.payouts_enabled],
    ['active', ['company.name'], false],
  )
  const deadline = first.requirements.current_deadline
  assert.ok(Math.abs((await left(first)) - 14 * day) < 5 * minute)
  await skip(id, 10 * day)
  await change(id, { company: { name: 'Back for a moment', registration_number: 'RC120008' } })
  await change(id, { company: { name: null } })
  assert.equal((await read(id)).requirements.current_deadline, deadline)
  await rests(id)
  await skip(id, 4 * day + minute)
  assert.equal((await read(id)).status, 'restricted')
})

test('an active account that changes something and clears it before a decision has two weeks as well', async () => {
  const { account_id: id } = await active({ account: { email: 'changed@example.com' } })
  await addDocument(stack.merchant, id, later)
  await rests(id)
  // Active for so long that the deadline of what was due later would have passed.
  await skip(id, 50 * day)
  await change(id, { company: { name: 'Other Ltd', tax_id: 'B-123', registration_number: 'RC120008' } })
  await change(id, { company: { name: null } })
  const first = await read(id)
  assert.deepEqual([first.status, first.requirements.currently_due], ['active', ['company.name']])
  assert.ok(Math.abs((await left(first)) - 14 * day) < 5 * minute)
  await change(id, { company: { name: 'Third Ltd', tax_id: null } })
  await rests(id)
  const second = await read(id)
  assert.deepEqual([second.status, second.requirements.currently_due], ['active', ['company.tax_id']])
  assert.ok(Math.abs((await left(second)) - 14 * day) < 5 * minute)
  await skip(id, 14 * day + minute)
  const restricted = await read(id)
  assert.deepEqual([restricted.status, restricted.requirements.past_due], ['restricted', ['company.tax_id']])
  assert.equal((await mailsTo('changed@example.com')).length, 1)
})

test('what fell due while an account was restricted has two weeks once the account is accepted again', async () => {
  const email = 'again@example.com'
  const { account_id: id } = await active({ account: { email } })
  await change(id, { company: { name: null } })
  await rests(id)
  await skip(id, 15 * day)
  assert.equal((await read(id)).status, 'restricted')
  await change(id, { company: { name: 'Back Ltd', registration_number: 'RC120008' } })
  assert.equal((await read(id)).status, 'under_review')
  await rests(id)
  await skip(id, 30 * day)
  assert.equal((await read(id)).requirements.past_due.length, 1)
  const mails = (await mailsTo(email)).length
  assert.equal((await approve(id)).status, 200)
  await rests(id)
  const back = await read(id)
  assert.deepEqual([back.status, back.requirements.currently_due, back.requirements.past_due], ['active', [later], []])
  assert.ok(Math.abs((await left(back)) - 14 * day) < 5 * minute)
  await skip(id, 7 * day + minute)
  assert.equal((await mailsTo(email)).length, mails + 1)
  await skip(id, 7 * day)
  assert.deepEqual((await read(id)).requirements.past_due, [later])
  assert.equal((await read(id)).status, 'restricted')
})

test('a restricted account pays nothing out: CAPABILITY_NOT_ACTIVE, and account_restricted of schedules', async () => {
  const { account_id: id } = await active({ account: { email: 'paid-out@example.com' } })
  const acting = { 'x-account-id': id }
  await endow(stack, id, '5000.00', 'NGN')
  const seller = { ...stack.merchant, call: acted(acting) }
  const destination = (await register(seller as typeof stack.merchant, 'NGN', { is_default: true })).id
  const path = `/v1/payouts/destinations/${destination}`
  await stack.dispatched()
  await stack.skip(minute)
  const isUsable = async () => (await acted(acting)('GET', path)).body['is_usable'] === true
  await until(isUsable, 'the destination can be used')
  const pay = (amount: string) => acted(acting)('POST', '/v1/payouts', { destination, amount, source_currency: 'NGN' })
  const paid = await pay('100.00')
  assert.equal(paid.status, 201, paid.text)
  const settings = { schedule_by_currency: { NGN: { interval: 'daily', anchor_hour_utc: 8, minimum_amount: '1.00' } } }
  assert.equal((await acted(acting)('POST', '/v1/balance_settings', settings)).status, 200)
  await skip(id, 45 * day)
  assert.equal((await read(id)).status, 'restricted')
  assertError(await pay('100.00'), 403, 'CAPABILITY_NOT_ACTIVE')
  await endow(stack, id, '5000.00', 'NGN')
  const isStopped = async () => {
    const [row] = await stack.sql<{ reason: string | null }>(
      'select disabled_reason as reason from payout_schedules where account_id = ?',
      [id],
    )
    return row?.reason === 'account_restricted'
  }
  await stack.skip(2 * day)
  await until(isStopped, 'the schedule has stopped')
})

/** Calls for a connected account. */
const acted =
  (headers: Record<string, string>) =>
  (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    stack.merchant.call(method, path, body, { ...headers, ...more })
