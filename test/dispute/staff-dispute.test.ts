import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { disputing } from '../support/dispute.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { pdf, sendFile } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// A dispute as staff read it, and as the timeline of its payment tells of it.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = await api.addMerchant()
const disputes = disputing(merchant)
const staff = await addStaff(stack)
const path = (id: string) => `/api/v1/admin/disputes/${id}`

type Timeline = { items: Record<string, unknown>[]; waiting_on: string | null; wakes_at: string | null } & Record<
  string,
  unknown
>
const timelineOf = async (at: string): Promise<Timeline> =>
  (await merchant.call('GET', `${at}/timeline`)).body as unknown as Timeline

test('staff read a dispute of any account: its payment, its documents, and what it waits for', async () => {
  const paymentId = await merchant.chargeByCard()
  const raised = await disputes.raise(paymentId, { reason: 'duplicate' })
  const { upload_id: file } = (await sendFile(merchant, pdf, 'a.pdf')).body
  const sent = { file, purpose: 'receipt' }
  const { body: document } = await merchant.call('POST', `/v1/disputes/${raised.dispute_id}/documents`, sent)
  const { status, body } = await staff.call('GET', path(raised.dispute_id))
  assert.equal(status, 200)
  const dispute = await disputes.read(raised.dispute_id)
  assert.deepEqual(body['dispute'], dispute)
  assert.deepEqual(body['payment'], await merchant.getPayment(paymentId))
  assert.match(String(body['network_dispute_id']), /^dp_/)
  assert.partialDeepStrictEqual(body, {
    environment: 'sandbox',
    documents: [{ document_id: document['document_id'], file_name: 'a.pdf', purpose: 'receipt' }],
    timeline: {
      resource: 'dispute',
      status: 'needs_response',
      waiting_on: 'merchant',
      wake_reason: 'evidence_due_soon',
      expected_by: dispute['evidence_due_at'],
      actions: ['retry'],
      amount: '25.00',
    },
  })
  const [shown] = body['documents'] as unknown as { url: string }[]
  const opened = await fetch(String(shown?.url))
  assert.ok(Buffer.from(await opened.arrayBuffer()).equals(pdf))
  await disputes.accept(raised.dispute_id)
})

test('FORBIDDEN: people of an organization do not read it as staff, and a key is no access token', async () => {
  const { dispute_id: id } = await disputes.raise(await merchant.chargeByCard())
  const owner = await addUser(stack, { accountId: stack.organizationId, role: 'owner' })
  const headers = { ...fromAnywhere(), ...bearer(await owner.token()) }
  assertError(await stack.merchant.call('GET', path(id), undefined, headers), 403, 'FORBIDDEN')
  assert.equal((await merchant.call('GET', path(id))).status, 401)
  await disputes.accept(id)
})

test('NOT_FOUND: an id of nothing', async () => {
  assertError(await staff.call('GET', path(newId('dsp', 0))), 404, 'NOT_FOUND')
})

test('the timeline of a payment tells of its disputes, and waits for what they wait for', async () => {
  const paymentId = await merchant.chargeByCard()
  const payment = `/v1/payments/${paymentId}`
  const told = ({ items }: Timeline) => items.map(({ step, status }) => `${String(step)} ${String(status)}`)
  const paid = ['processing done', 'succeeded done']
  assert.deepEqual(told(await timelineOf(payment)), paid)
  const { dispute_id: id } = await disputes.raise(paymentId, { amount: '10.00' })
  const open = await timelineOf(payment)
  assert.deepEqual(told(open), [...paid, 'needs_response running'])
  assert.partialDeepStrictEqual(open.items.at(-1), { resource_id: id, details: { dispute_id: id } })
  const own = await timelineOf(`/v1/disputes/${id}`)
  for (const field of ['waiting_on', 'waiting_since', 'wakes_at', 'wake_reason', 'expected_by'])
    assert.equal(open[field], own[field], field)
  assert.equal(open.waiting_on, 'merchant')
  await disputes.change(id, { uncategorized_text: 'winning_evidence', submit: true })
  await until(async () => (await disputes.read(id)).status === 'won', 'it is won')
  const second = await disputes.raise(paymentId, { early_warning: true })
  await disputes.settle(second.dispute_id, 'withdrawn')
  const ended = await timelineOf(payment)
  const [first, other] = [
    ['needs_response', 'under_review', 'won'],
    ['early_warning', 'won'],
  ].map((steps) => steps.map((step) => `${step} done`))
  assert.deepEqual(told(ended), [...paid, ...(first ?? []), ...(other ?? [])])
  assert.deepEqual([ended.waiting_on, ended.wakes_at], [null, null])
})
