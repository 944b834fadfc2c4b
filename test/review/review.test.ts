import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { newId } from '../../domain/id.ts'
import type { Role } from '../../domain/access/role.ts'
import { ListedReview } from '../../schemas/review.ts'
import { assertError, assertFieldErrors, bearer, pageOf } from '../support/api.ts'
import { approve, requestReview, callAs, type Destination, leftOpen, read, register } from '../support/destination.ts'
import type { Merchant } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser, type TestUser } from '../support/user.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const addPerson = (role: Role) => addUser(stack, { accountId: stack.organizationId, role })
const ada = await addPerson('reviewer')
const ben = await addPerson('reviewer')

const call = (user: TestUser, method: string, path: string, body?: Record<string, unknown>) =>
  callAs(stack.merchant, user, method, path, body)
const list = async (query = '', user = ada) => pageOf(await call(user, 'GET', `/api/v1/admin/reviews${query}`))
const claim = (user: TestUser, id: unknown) => call(user, 'POST', `/api/v1/admin/reviews/${String(id)}/claim`)

/** A destination that waits for staff, with its review as the list shows it. */
async function waiting(merchant: Merchant = stack.merchant): Promise<{ destination: Destination; id: string }> {
  const destination = await register(merchant, 'NGN', leftOpen)
  const { items } = await list('?state=open')
  const review = items.find(({ resource_id: id }) => id === destination.id)
  assert.ok(review)
  return { destination, id: String(review['review_id']) }
}

test('a new destination is in the queue, with its deadlines, its holder and only the last four digits', async () => {
  const { destination, id } = await waiting()
  const { items } = await list()
  const review = items.find((item) => item['review_id'] === id)
  assert.ok(Compile(ListedReview).Check(review), JSON.stringify(review))
  const { created_at, reminds_at, escalates_at, ...rest } = review
  assert.deepEqual(rest, {
    review_id: id,
    type: 'payout_destination',
    resource_id: destination.id,
    account_id: stack.organizationId,
    environment: 'sandbox',
    state: 'open',
    reason: 'a new payout destination',
    reminded_at: null,
    escalated_at: null,
    claimed_by: null,
    claimed_at: null,
    decision: null,
    decision_reason: null,
    decided_by: null,
    decided_at: null,
    claimed_by_name: null,
    account_name: 'Demo Organization',
    subject: {
      amount: null,
      currency: 'NGN',
      destination: destination.id,
      destination_name: 'Main account',
      account_holder: destination['account_name'],
      holder_at_bank: destination['account_name'],
      last_four: '0008',
    },
  })
  assert.ok(!JSON.stringify(review).includes('0123450008'))
  const hours = [reminds_at, escalates_at].map((at) => (Date.parse(at) - Date.parse(created_at)) / 3_600_000)
  assert.deepEqual(hours, [24, 72])
})

test('the queue shows every organization’s reviews, pages, and filters by type and state', async () => {
  const other = await api.addMerchant()
  const [own, theirs] = [await waiting(), await waiting(other.merchant)]
  const first = await list('?limit=1')
  assert.equal(first.items[0]?.['review_id'], theirs.id)
  const second = await list(`?limit=1&cursor=${first.pagination.next_cursor}`)
  assert.equal(second.items[0]?.['review_id'], own.id)
  await approve(stack.merchant, ada, own.destination)
  const decided = await list('?state=decided&type=payout_destination')
  const [newest] = decided.items
  assert.deepEqual([newest?.['review_id'], newest?.['decision'], newest?.['decided_by']], [own.id, 'approve', ada.id])
  assert.ok((await list('?state=open')).items.every(({ state }) => state === 'open'))
  assert.deepEqual((await list('?type=payout')).items, [])
  assert.equal((await call(ada, 'GET', '/api/v1/admin/reviews?state=closed')).status, 400)
})

test('FORBIDDEN for people of an organization, also its owner and admins, and nothing changes', async () => {
  const { destination, id } = await waiting()
  const calls: [string, string, Record<string, unknown>?][] = [
    ['GET', '/api/v1/admin/reviews'],
    ['POST', `/api/v1/admin/reviews/${id}/claim`],
    ['GET', `/api/v1/admin/payout-destinations/${destination.id}`],
    ['POST', `/api/v1/admin/payout-destinations/${destination.id}/review`, { decision: 'approve' }],
    ['POST', `/api/v1/admin/payout-destinations/${newId('pd', 0)}/review`, { decision: 'nonsense' }],
  ]
  for (const role of ['owner', 'admin', 'developer', 'viewer'] as const) {
    const person = await addPerson(role)
    for (const [method, path, body] of calls) assertError(await call(person, method, path, body), 403, 'FORBIDDEN')
  }
  for (const [method, path, body] of calls) {
    assertError(await stack.merchant.call(method, path, body), 401, 'UNAUTHORIZED')
  }
  assert.equal((await read(stack.merchant, destination)).status, 'pending_review')
  const [row] = await stack.sql('select state, claimed_by from reviews where id = ?', [id])
  assert.deepEqual(row, { state: 'open', claimed_by: null })
})

test('a platform admin, who belongs to no organization, may decide', async () => {
  const lead = await addPerson('admin')
  await stack.sql('update users set account_id = null where id = ?', [lead.id])
  const { destination } = await waiting()
  assert.equal((await approve(stack.merchant, lead, destination)).status, 'approved')
})

test('staff can read the destination that they decide about, of any organization', async () => {
  const other = await api.addMerchant()
  const { destination, id } = await waiting(other.merchant)
  const { status, body } = await call(ada, 'GET', `/api/v1/admin/payout-destinations/${destination.id}`)
  assert.equal(status, 200)
  const { destination: shown, account, review } = body as unknown as Record<string, Record<string, unknown>>
  assert.deepEqual([shown, account?.['account_id'], review?.['review_id']], [destination, other.accountId, id])
  assertError(await call(ada, 'GET', `/api/v1/admin/payout-destinations/${newId('pd', 0)}`), 404, 'NOT_FOUND')
})

test('a claim lasts an hour: others get CONFLICT when they claim or decide', async () => {
  const { destination, id } = await waiting()
  const claimed = await claim(ada, id)
  assert.deepEqual([claimed.status, claimed.body['claimed_by']], [200, ada.id])
  assert.equal((await claim(ada, id)).status, 200)
  assertError(await claim(ben, id), 409, 'CONFLICT')
  assertError(await requestReview(stack.merchant, ben, destination, { decision: 'approve' }), 409, 'CONFLICT')
  assert.equal((await read(stack.merchant, destination)).status, 'pending_review')
  await stack.sql(`update reviews set claimed_at = claimed_at - interval '61 minutes' where id = ?`, [id])
  assert.equal((await claim(ben, id)).body['claimed_by'], ben.id)
  assertError(await claim(ada, id), 409, 'CONFLICT')
  await approve(stack.merchant, ben, destination)
  assertError(await claim(ben, id), 409, 'CONFLICT')
  assertError(await claim(ada, newId('rvw', 0)), 404, 'NOT_FOUND')
  const entries = await stack.sql(`select user_id from audit_entries where action = 'review.claimed' and target = ?`, [
    id,
  ])
  assert.deepEqual(entries, [{ user_id: ada.id }, { user_id: ada.id }, { user_id: ben.id }])
})

test('CONFLICT: a claim counts by the real time, also of a destination on a test clock that is far ahead', async () => {
  const { destination, id } = await waiting()
  const frozen_time = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const clock = await stack.merchant.call('POST', '/v1/test-helpers/clocks', { name: 'Far ahead', frozen_time })
  const attach = `/v1/test-helpers/clocks/${String(clock.body['clock_id'])}/attach`
  const attached = await stack.merchant.call('POST', attach, { destination_id: destination.id })
  assert.equal(attached.status, 200, attached.text)
  assert.equal((await claim(ada, id)).status, 200)
  assertError(await requestReview(stack.merchant, ben, destination, { decision: 'approve' }), 409, 'CONFLICT')
  assert.equal((await approve(stack.merchant, ada, destination)).status, 'approved')
})

test('of several claims at once one succeeds', async () => {
  const { id } = await waiting()
  const people = [ada, ben, await addPerson('reviewer'), await addPerson('reviewer')]
  const replies = await Promise.all(people.map((person) => claim(person, id)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
})

test('a decision is in the audit log, with the person and their address', async () => {
  const { destination } = await waiting()
  const path = `/api/v1/admin/payout-destinations/${destination.id}/review`
  const headers = { ...bearer(await ada.token()), 'x-forwarded-for': '10.1.2.3' }
  const body = { decision: 'reject', reason: 'Not the holder' }
  assert.equal((await stack.merchant.call('POST', path, body, headers)).status, 200)
  const [entry] = await stack.sql(
    `select account_id, user_id, address from audit_entries
     where action = 'payout_destination.rejected' and target = ?`,
    [destination.id],
  )
  assert.deepEqual(entry, { account_id: stack.organizationId, user_id: ada.id, address: '10.1.2.3' })
})

test('a rejection needs a reason, a decision is approve or reject, and all errors are listed at once', async () => {
  const { destination } = await waiting()
  const decide = (body: Record<string, unknown>) => requestReview(stack.merchant, ada, destination, body)
  assertFieldErrors(await decide({ decision: 'reject' }), { reason: 'value_error.missing' })
  assertFieldErrors(await decide({ decision: 'reject', reason: null }), { reason: 'value_error.missing' })
  assertFieldErrors(await decide({ decision: 'reject', reason: ' ' }), { reason: 'value_error.format' })
  assertFieldErrors(await decide({ decision: 'maybe', reason: 'x'.repeat(501) }), {
    decision: 'value_error.enum',
    reason: 'value_error.range',
  })
  assertFieldErrors(await decide({}), { decision: 'value_error.missing' })
  assertError(
    await requestReview(stack.merchant, ada, { id: newId('pd', 0) }, { decision: 'approve' }),
    404,
    'NOT_FOUND',
  )
  assertError(await decide({ decision: 'approve', review_id: newId('rvw', 0) }), 409, 'CONFLICT')
  assert.equal((await read(stack.merchant, destination)).status, 'pending_review')
})
