import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Scope } from '../../domain/access/scope.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { disputing, type ShownDispute } from '../support/dispute.ts'
import { assertReplay } from '../support/idempotency.ts'
import { type Merchant, sale, transferSale } from '../support/merchant.ts'
import { addPlatform } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The operations of disputes over real HTTP, with real processes.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack
const disputes = disputing(merchant)
const foreign = await api.addMerchant()
const live = (await api.addKey({ environment: 'live' })).merchant
const raise = async (body: object = {}, by: Merchant = merchant) => disputing(by).raise(await by.chargeByCard(), body)

const one = await raise({ reason: 'product_not_received' })
const path = (id: string, more = '') => `/v1/disputes/${id}${more}`

/** Every operation on one dispute, as it is called. */
const onDispute = (id: string) =>
  [
    ['GET', path(id)],
    ['PATCH', path(id, '/evidence'), { uncategorized_text: 'x' }],
    ['PATCH', path(id, '/evidence'), { uncategorized_text: 'x', submit: true }],
    ['POST', path(id, '/accept')],
    ['POST', path(id, '/documents'), { file: newId('upl', 1), purpose: 'receipt' }],
    ['GET', path(id, '/documents')],
    ['GET', path(id, `/documents/${newId('doc', 1)}`)],
    ['POST', `/v1/test-helpers/disputes/${id}/settle`, { outcome: 'withdrawn' }],
  ] as const

test('a payment is disputed also after its card was deleted from the vault, a month later', async () => {
  const charge = await merchant.chargeByCard()
  const deleted = await stack.sql(
    `delete from simulated_cards where token = (select card_token from simulated_charges where payment_id = ?)
     returning token`,
    [charge],
  )
  assert.equal(deleted.length, 1)
  const dispute = await disputes.raise(charge)
  assert.equal(dispute.status, 'needs_response')
  const { payment_method_details: details } = await merchant.getPayment(charge)
  assert.equal((details as { last4: string }).last4, '4242')
})

test('a dispute has every field, and the list shows it without its evidence', async () => {
  const shown = await disputes.read(one.dispute_id)
  const { evidence, ...listed } = shown
  assert.deepEqual(shown, one)
  assert.deepEqual(Object.keys(evidence as object).toSorted(), [
    'access_activity_log',
    'billing_address',
    'cancellation_policy_attachment_id',
    'cancellation_policy_disclosure',
    'cancellation_rebuttal',
    'customer_communication_attachment_id',
    'customer_email_address',
    'customer_name',
    'customer_purchase_ip',
    'customer_signature_attachment_id',
    'duplicate_charge_attachment_id',
    'duplicate_charge_explanation',
    'duplicate_charge_id',
    'product_description',
    'receipt_attachment_id',
    'refund_policy_attachment_id',
    'refund_policy_disclosure',
    'refund_refusal_explanation',
    'service_date',
    'service_documentation_attachment_id',
    'shipping_address',
    'shipping_carrier',
    'shipping_date',
    'shipping_documentation_attachment_id',
    'shipping_tracking_number',
    'uncategorized_attachment_id',
    'uncategorized_text',
  ])
  const { items } = pageOf(await merchant.call('GET', `/v1/disputes?payment_id=${String(shown['payment_id'])}`))
  assert.deepEqual(items, [listed])
  assert.match(one.dispute_id, /^dsp_[0-9a-z]{34}$/)
  assert.deepEqual(
    [shown['reason'], shown['network_reason_code'], shown['fee'], shown['warns_until'], shown['resolved_at']],
    ['product_not_received', '13.1', '15.00', null, null],
  )
  const days = (Date.parse(String(shown['evidence_due_at'])) - Date.parse(String(shown['created_at']))) / 86_400_000
  assert.ok(days > 13.9 && days <= 14, `${days} days for evidence`)
})

test('what is prefilled comes from the customer’s record, and is no evidence yet', async () => {
  const billing_address = { line1: '12 Marina Road', city: 'Lagos', postal_code: '101241', country: 'NG' }
  const { body } = await merchant.call('POST', '/v1/customers', {
    email: `${randomUUID()}@example.com`,
    name: 'Recorded Name',
    billing_address,
  })
  const customer = { id: body['customer_id'] }
  const dispute = await disputes.raise(await merchant.chargeByCard({ ...sale, customer }))
  const evidence = dispute['evidence'] as Record<string, string | null>
  assert.deepEqual(
    [evidence['customer_name'], evidence['customer_email_address'], evidence['billing_address']],
    ['Recorded Name', body['email'], '12 Marina Road, Lagos 101241, NG'],
  )
  assert.equal(dispute['has_evidence'], false)
  assert.partialDeepStrictEqual(dispute['customer'], customer)
  const listed = pageOf(await merchant.call('GET', `/v1/disputes?customer_id=${String(customer.id)}`))
  assert.deepEqual(
    listed.items.map(({ dispute_id: id }) => id),
    [dispute.dispute_id],
  )
  await disputes.accept(dispute.dispute_id)
})

test('a dispute of a payment in naira has its currency and its fee', async () => {
  const paymentId = await merchant.chargeByCard({ ...sale, amount: '40000.00', currency: 'NGN' }, 'NGN_CARD')
  const dispute = await disputes.raise(paymentId, { amount: '12345.67' })
  assert.deepEqual([dispute.amount, dispute['currency'], dispute['fee']], ['12345.67', 'NGN', '5000.00'])
  await disputes.accept(dispute.dispute_id)
})

test('the list filters by status, reason, payment, customer and time, and its cursor goes through all', async () => {
  const { merchant: other } = await api.addMerchant()
  const own = disputing(other)
  const made: ShownDispute[] = []
  for (const reason of ['fraudulent', 'duplicate', 'general', 'fraudulent', 'duplicate'])
    made.push(await raise({ reason }, other))
  await own.accept(made[1]?.dispute_id ?? '')
  const ids = async (query: string) =>
    pageOf(await other.call('GET', `/v1/disputes?${query}`)).items.map(({ dispute_id: id }) => id)
  const at = (...indexes: number[]) => indexes.map((index) => made[index]?.dispute_id)
  assert.deepEqual(await ids(''), at(4, 3, 2, 1, 0))
  assert.deepEqual(await ids('status=lost'), at(1))
  assert.deepEqual(await ids('status=needs_response'), at(4, 3, 2, 0))
  assert.deepEqual(await ids('reason=duplicate'), at(4, 1))
  assert.deepEqual(await ids('reason=duplicate&status=lost'), at(1))
  assert.deepEqual(await ids(`payment_id=${String(made[2]?.['payment_id'])}`), at(2))
  assert.deepEqual(await ids(`created_after=${String(made[2]?.['created_at'])}&reason=fraudulent`), at(3))
  assert.deepEqual(await ids(`created_before=${String(made[2]?.['created_at'])}`), at(1, 0))
  assert.deepEqual(await ids('customer_id=cust_of_nobody'), [])
  const found: unknown[] = []
  for (let cursor = ''; ;) {
    const page = pageOf(await other.call('GET', `/v1/disputes?limit=2${cursor}`))
    found.push(...page.items.map(({ dispute_id: id }) => id))
    assert.equal(page.pagination.total, 5)
    if (!page.pagination.next_cursor) break
    cursor = `&cursor=${page.pagination.next_cursor}`
  }
  assert.deepEqual(found, at(4, 3, 2, 1, 0))
})

test('VALIDATION_ERROR: filters and bodies with unknown values name their fields', async () => {
  for (const [query, field, type] of [
    ['status=closed', 'status', 'enum'],
    ['reason=bad', 'reason', 'enum'],
    ['limit=0', 'limit', 'range'],
    ['limit=101', 'limit', 'range'],
    ['created_after=yesterday', 'created_after', 'format'],
  ] as const)
    assertFieldErrors(await merchant.call('GET', `/v1/disputes?${query}`), { [field]: `value_error.${type}` })
  assertFieldErrors(await merchant.call('GET', '/v1/disputes?cursor=made-up'), { cursor: 'value_error.format' })
  assertFieldErrors(await merchant.call('POST', path(one.dispute_id, '/documents'), {}), {
    file: 'value_error.missing',
    purpose: 'value_error.missing',
  })
  const settled = await merchant.call('POST', `/v1/test-helpers/disputes/${one.dispute_id}/settle`, { outcome: 'lose' })
  assertFieldErrors(settled, { outcome: 'value_error.enum' })
  const paymentId = await merchant.chargeByCard()
  for (const [amount, type] of [
    ['25.01', 'range'],
    ['0.00', 'range'],
    ['1.001', 'format'],
    ['-1', 'format'],
    ['1e3', 'format'],
  ] as const) {
    const refused = await merchant.call('POST', `/v1/test-helpers/payments/${paymentId}/dispute`, { amount })
    assertFieldErrors(refused, { amount: `value_error.${type}` })
  }
})

test('NOT_FOUND: another organization’s dispute is answered like a missing one, by every operation', async () => {
  const none = newId('dsp', Date.now())
  for (const [index, [method, address, body]] of onDispute(one.dispute_id).entries()) {
    const [, missing = ''] = onDispute(none)[index] ?? []
    const answers = [
      await foreign.merchant.call(method, address, body),
      await merchant.call(method, missing, body),
      await live.call(method, address, body),
    ]
    for (const answer of answers) {
      // A live key may not use a test helper at all.
      if (address.includes('test-helpers') && answer === answers[2]) assertError(answer, 400, 'SIMULATION_NOT_ALLOWED')
      else assertError(answer, 404, 'NOT_FOUND')
    }
    assert.equal(answers[0]?.text, answers[1]?.text, address)
  }
  assert.deepEqual(pageOf(await live.call('GET', '/v1/disputes')).items, [])
  assert.deepEqual(pageOf(await foreign.merchant.call('GET', '/v1/disputes')).items, [])
  assert.deepEqual(await disputes.read(one.dispute_id), one)
})

test('NOT_FOUND: a payment of somebody else, or of nobody, cannot be disputed', async () => {
  const raised = (id: string, by = merchant) => by.call('POST', `/v1/test-helpers/payments/${id}/dispute`)
  const paymentId = await foreign.merchant.chargeByCard()
  assertError(await raised(paymentId), 404, 'NOT_FOUND')
  assertError(await raised(newId('pay', Date.now())), 404, 'NOT_FOUND')
})

test('SIMULATION_NOT_ALLOWED: a live key raises and settles no dispute', async () => {
  const helpers = [`payments/${String(one['payment_id'])}/dispute`, `disputes/${one.dispute_id}/settle`]
  for (const helper of helpers) {
    const refused = await live.call('POST', `/v1/test-helpers/${helper}`, { outcome: 'won' })
    assertError(refused, 400, 'SIMULATION_NOT_ALLOWED')
  }
})

test('FORBIDDEN: reading needs disputes:read, a change disputes:write, a helper test_helpers:write', async () => {
  const keyWith = async (scope: Scope) =>
    (await api.addKey({ accountId: await api.addAccount(), scopes: [scope] })).merchant
  const [reader, writer] = [await keyWith('disputes:read'), await keyWith('disputes:write')]
  // A call that the scope allows finds that the dispute is somebody else's.
  for (const [method, address, body] of onDispute(one.dispute_id)) {
    const isRead = method === 'GET'
    const isWrite = !isRead && !address.includes('test-helpers')
    for (const [caller, isAllowed] of [
      [reader, isRead],
      [writer, isWrite],
    ] as const) {
      const answer = await caller.call(method, address, body)
      if (isAllowed) assertError(answer, 404, 'NOT_FOUND')
      else assertError(answer, 403, 'FORBIDDEN')
    }
  }
  assert.equal((await reader.call('GET', '/v1/disputes')).status, 200)
  assertError(await writer.call('GET', '/v1/disputes'), 403, 'FORBIDDEN')
})

test('CONFLICT: only a succeeded card payment can be disputed, and only while something is left of it', async () => {
  const tryTo = (id: string, body = {}) => merchant.call('POST', `/v1/test-helpers/payments/${id}/dispute`, body)
  assertError(await tryTo(await merchant.chargeByTransfer(transferSale)), 409, 'CONFLICT')
  const failed = await merchant.payByCard(await merchant.createCheckout(), '4000000000000002')
  assertError(await tryTo(String(failed['payment_id'])), 409, 'CONFLICT')
  const paymentId = await merchant.chargeByCard()
  // Two at once: one takes all of it, and the other finds nothing left.
  const both = await Promise.all([tryTo(paymentId), tryTo(paymentId)])
  const [opened, refused] = both.toSorted((left, right) => left.status - right.status)
  assert.deepEqual([opened?.status, refused?.status], [201, 409], both.map(({ text }) => text).join())
  await disputes.accept(String(opened?.body['dispute_id']))
})

test('a platform acts for its connected account by X-Account-Id, and for no other', async () => {
  const { platform, seller } = await addPlatform(api)
  const dispute = await raise({}, seller.merchant)
  const as = (accountId: string) => ({ 'x-account-id': accountId })
  const call = (method: string, address: string, body?: unknown, accountId = seller.accountId) =>
    platform.merchant.call(method, address, body, as(accountId))
  const { dispute_id: id } = dispute
  assertError(await platform.merchant.call('GET', path(id)), 404, 'NOT_FOUND')
  assertError(await call('GET', path(id), undefined, foreign.accountId), 404, 'NOT_FOUND')
  assert.deepEqual((await call('GET', path(id))).body, dispute)
  assert.deepEqual(pageOf(await call('GET', '/v1/disputes')).items.length, 1)
  const drafted = await call('PATCH', path(id, '/evidence'), { uncategorized_text: 'By the platform' })
  assert.equal(drafted.status, 200, drafted.text)
  assert.equal((await call('POST', path(id, '/accept'))).body['status'], 'lost')
})

test('CONFLICT: an acceptance ends a dispute once; the same key is answered the same, another is refused', async () => {
  const { dispute_id: id } = await raise()
  const key = { 'idempotency-key': `accept-${id}` }
  const first = await disputes.tryToAccept(id, key)
  assert.deepEqual([first.status, first.body['status'], first.body['resolution']], [200, 'lost', 'accepted'])
  assertReplay(first, await disputes.tryToAccept(id, key))
  assertError(await disputes.tryToAccept(id), 409, 'CONFLICT')
  assertError(await disputes.tryToChange(id, { uncategorized_text: 'late' }), 409, 'CONFLICT')
  const settled = await merchant.call('POST', `/v1/test-helpers/disputes/${id}/settle`, { outcome: 'withdrawn' })
  assertError(settled, 409, 'CONFLICT')
})

test('CONFLICT: the network decides only what was submitted, once, and keeps its word', async () => {
  const { dispute_id: id } = await raise()
  const settle = (outcome: string) => merchant.call('POST', `/v1/test-helpers/disputes/${id}/settle`, { outcome })
  assertError(await settle('won'), 409, 'CONFLICT')
  await disputes.change(id, { uncategorized_text: 'They have it.', submit: true })
  await until(async () => (await settle('lost')).status === 200, 'the network has the evidence and decides')
  assert.equal((await settle('lost')).body['status'], 'lost')
  for (const other of ['won', 'withdrawn']) assertError(await settle(other), 409, 'CONFLICT')
})

test('the network decides right after a submission, however late the process gives it the evidence', async () => {
  const { dispute_id: id } = await raise()
  const deciding = await stack.database.orm.em.fork().transactional(async (holding) => {
    // The network cannot note the evidence meanwhile.
    await holding.execute(
      'select from simulated_disputes where network_id = (select network_id from disputes where id = ?) for update',
      [id],
    )
    await disputes.change(id, { uncategorized_text: 'They have it.', submit: true })
    const answer = settleWon(id)
    await setTimeout(300)
    return { answer }
  })
  const { status, body, text } = await deciding.answer
  assert.deepEqual([status, body['status']], [200, 'won'], text)
})

test('ten acceptances and ten submissions at once: one of them counts, and the others are told so', async () => {
  const { dispute_id: id } = await raise()
  await disputes.change(id, { uncategorized_text: 'They have it.' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? disputes.tryToAccept(id) : disputes.tryToChange(id, { submit: true }),
    ),
  )
  const counted = answers.filter(({ status }) => status === 200)
  assert.equal(counted.length, 1)
  for (const answer of answers.filter((each) => !counted.includes(each))) assertError(answer, 409, 'CONFLICT')
  const now = await disputes.read(id)
  const isAccepted = counted[0] === answers.find(({ status }, index) => status === 200 && index % 2 === 0)
  assert.equal(now.status, isAccepted ? 'lost' : 'under_review')
  assert.equal(now['submission_count'], isAccepted ? 0 : 1)
  if (!isAccepted) await until(async () => (await settleWon(id)).status === 200, 'the network decides')
})

const settleWon = (id: string) => merchant.call('POST', `/v1/test-helpers/disputes/${id}/settle`, { outcome: 'won' })
