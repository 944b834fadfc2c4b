import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unansweredReference } from '../../rails/sandbox/test-values.ts'
import { assertError, fromAnywhere } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { createLogins, type Person } from '../support/login.ts'
import { sale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { addDestination } from '../support/payout.ts'
import { endRefund } from '../support/rail-books.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The forms of staff on a resource's page, sent as a browser sends them: twice, too late, blank, or by somebody else.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const logins = createLogins(stack)
const { base } = await use(
  () => openPages(stack),
  ({ stop }) => stop(),
)

/** A person's browser, signed in at `/ops`. */
async function browse(person: Person) {
  const { access_token: access, refresh_token: refresh } = await logins.logIn(person)
  const headers = { cookie: `ops_access=${access}; ops_refresh=${refresh}` }
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${base}/ops/${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...fromAnywhere(), ...headers, ...(init.headers as Record<string, string>) },
    })
    return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() }
  }
  return {
    open: (path: string) => call(path),
    send: (path: string, form: Record<string, string>, site = 'same-origin') =>
      call(path, { method: 'POST', body: new URLSearchParams(form), headers: { 'sec-fetch-site': site } }),
  }
}

const ada = await browse(await logins.addPerson({ role: 'reviewer', accountId: null, fullName: 'Ada' }))
const reason = 'A <b>reason</b>'

/** A refund that its provider never answers; of a sale of this many US dollars. */
async function unanswered(amount = '25.00'): Promise<string> {
  const charge = await stack.merchant.chargeByCard({ ...sale, amount })
  const { refund_id: id } = await stack.merchant.refund(charge, { reference: unansweredReference })
  await until(async () => (await stack.merchant.getRefund(id))['status'] === 'processing', 'its provider has it')
  return id
}
const actionsOf = async (id: string) =>
  (
    await stack.sql<{ told: string }>(
      `select action || ' ' || state as told from operator_actions where resource_id = ? order by id`,
      [id],
    )
  ).map(({ told }) => told)

test('a form that is sent twice by a double click holds a refund once, and both answers say so', async () => {
  const id = await unanswered()
  const sent = await Promise.all([1, 2].map(() => ada.send(`timelines/${id}/hold`, { form: 'act', reason })))
  for (const { status, location } of sent) {
    assert.deepEqual([status, location], [303, `/ops/timelines/${id}?done=hold.executed`])
  }
  assert.deepEqual(await actionsOf(id), ['hold executed'])
  const { html } = await ada.open(`timelines/${id}?done=hold.executed`)
  assert.match(html, /Done\. It is on hold\./)
  assert.match(html, /On hold since <time[\s\S]*>Release<[\s\S]*<strong>The refund was not paid\.</)
  assert.doesNotMatch(html, />Hold</)
  assert.doesNotMatch(html, />Ask again</)
  assert.match(html, /Put on hold[\s\S]*by Ada/)
})

test('a form on a page that has become outdated is refused with what has changed, and keeps the reason', async () => {
  const id = await unanswered()
  const early = await ada.send(`timelines/${id}/release`, { form: 'act', reason })
  assert.equal(early.status, 409)
  assert.match(early.html, /Not saved: it is not on hold any more\.[\s\S]*>A &lt;b&gt;reason&lt;\/b&gt;<\/textarea>/)
  await ada.send(`timelines/${id}/hold`, { form: 'act', reason })
  const held = await ada.send(`timelines/${id}/retry`, { form: 'act', reason })
  assert.match(held.html, /Not saved: somebody has put it on hold meanwhile\./)
  await endRefund(stack, id, 'succeeded')
  const form = { form: 'act', reason, confirmed: '1' }
  const contradicted = await ada.send(`timelines/${id}/mark-failed`, form)
  assert.equal(contradicted.status, 409)
  assert.match(contradicted.html, /A &lt;b&gt;reason&lt;\/b&gt;(<\/textarea>|”)/)
  assert.match(contradicted.html, /Not saved: the provider reports a different outcome\./)
  await until(
    async () => (await stack.merchant.getRefund(id))['status'] === 'succeeded',
    'it ends as the provider says',
  )
  const late = await ada.send(`timelines/${id}/hold`, { form: 'act', reason })
  assert.match(late.html, /Not saved: the refund has ended meanwhile\. Its status is now “succeeded”\./)
  assert.doesNotMatch(late.html, /What you can do/)
  assert.deepEqual(await actionsOf(id), ['hold executed', 'mark_failed refused'])
})

test('a hold of a payout that waits for a reviewer meanwhile says so, and not that the payout has ended', async () => {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  await endow(stack, owner.accountId, '2000.00', 'NGN')
  const { id } = await stack.merchant.payOut(await addDestination(stack, owner), { reference: 'sandbox_hold' })
  await until(async () => (await stack.merchant.getPayout(id)).status === 'pending', 'it is held')
  const { status, html } = await ada.send(`payouts/${id}/hold`, { form: 'act', reason })
  assert.equal(status, 409)
  assert.match(html, /Not saved: the payout is held for a review meanwhile\. Approve or reject it\./)
  assert.doesNotMatch(html, /ended meanwhile/)
  const staff = await addStaff(stack)
  const refused = await staff.onPayout(id, 'hold', { reason })
  assertError(refused, 409, 'CONFLICT')
  assert.match(refused.text, /this payout is held for a review: approve or reject it/)
})

test('a blank reason is asked for again, with the proof as it was typed', async () => {
  const id = await unanswered()
  const form = { form: 'act', reason: '  ', proof_ref: '"><i>letter 7' }
  const { status, html } = await ada.send(`timelines/${id}/mark-settled`, form)
  assert.equal(status, 400)
  assert.match(html, /value="&quot;&gt;&lt;i&gt;letter 7"/)
  assert.match(html, /id="act-reason"[^>]*aria-invalid="true" autofocus/)
  assert.equal(html.match(/autofocus/g)?.length, 1, 'one input has the focus')
  const both = await ada.send(`timelines/${id}/mark-settled`, { ...form, proof_ref: '' })
  assert.match(both.html, /id="proof_ref"[^>]*autofocus/)
  assert.equal(both.html.match(/autofocus/g)?.length, 1, 'the first of two wrong inputs has the focus')
  const unsure = await ada.send(`timelines/${id}/mark-failed`, { form: 'act', reason: ' ' })
  assert.deepEqual([unsure.status, /Yes, mark as failed/.test(unsure.html)], [400, false])
  assert.deepEqual(await actionsOf(id), [])
})

test('whoever has proposed a mark corrects the proof by the same form; others have the approval', async () => {
  const ben = await browse(await logins.addPerson({ role: 'reviewer', accountId: null, fullName: 'Ben' }))
  const id = await unanswered('2000.00')
  for (const proof_ref of ['TYPO-1', 'TRUE-1']) {
    const { status, location } = await ada.send(`timelines/${id}/mark-settled`, { form: 'act', reason, proof_ref })
    assert.deepEqual([status, location?.split('?')[1]], [303, 'done=mark-settled.awaiting_second_approval'])
    const { html } = await ada.open(`timelines/${id}`)
    assert.match(html, new RegExp(`<dd>${proof_ref}</dd>[\\s\\S]*To correct it, send it again below\\.`))
    assert.match(html, />Mark as paid</)
    const seen = (await ben.open(`timelines/${id}`)).html
    assert.match(seen, new RegExp(`name="proof_ref" value="${proof_ref}"[\\s\\S]*>Approve: it was paid<`))
    assert.doesNotMatch(seen, />Mark as paid<|To correct it/)
  }
  const approval = { form: 'approve-mark-settled', reason, proof_ref: 'TRUE-1' }
  assert.equal((await ben.send(`timelines/${id}/mark-settled`, approval)).status, 303)
  assert.deepEqual(await actionsOf(id), ['mark_settled executed'])
})

test('people of organizations, their own or another, neither see the actions nor send one', async () => {
  const id = await unanswered()
  for (const accountId of [stack.organizationId, await api.addAccount()]) {
    const stranger = await browse(await logins.addPerson({ role: 'owner', accountId }))
    const seen = await stranger.open(`timelines/${id}`)
    const sent = await stranger.send(`timelines/${id}/hold`, { form: 'act', reason })
    for (const { status, html } of [seen, sent]) {
      assert.equal(status, 403)
      assert.doesNotMatch(html, /Put it on hold/)
    }
  }
  assert.equal((await ada.send(`timelines/${id}/hold`, { reason }, 'cross-site')).status, 403)
  for (const action of ['explode', 'mark_failed', 'constructor']) {
    const { status, location } = await ada.send(`timelines/${id}/${action}`, { reason, confirmed: '1' })
    assert.deepEqual([status, location], [303, `/ops/timelines/${id}`])
  }
  const charge = await stack.merchant.chargeByCard()
  assert.equal((await ada.send(`timelines/${charge}/hold`, { reason })).location, `/ops/timelines/${charge}`)
  assert.equal((await ada.send('timelines/ref_x/hold', { reason })).status, 404)
  assert.deepEqual([await actionsOf(id), await actionsOf(charge)], [[], []])
})

test('staff read what is possible, held and proposed; the merchant reads only that staff are awaited', async () => {
  const [ben, cleo] = [await addStaff(stack), await addStaff(stack)]
  const id = await unanswered('2000.00')
  const read = async () => (await cleo.call('GET', `/api/v1/admin/timelines/${id}`)).body
  const before = await read()
  assert.deepEqual(before['actions'], ['retry', 'hold', 'mark_settled', 'mark_failed'])
  assert.deepEqual([before['currency'], before['on_hold_since'], before['proposals']], ['USD', null, []])
  assert.match(String(before['amount']), /^1\d{3}\.\d\d$/)
  const path = `/api/v1/admin/refunds/${id}`
  assert.equal((await ben.call('POST', `${path}/hold`, { reason: 'A secret reason' })).status, 200)
  const proposed = await ben.call('POST', `${path}/mark-failed`, { reason: 'A secret reason' })
  assert.equal(proposed.body['state'], 'awaiting_second_approval')
  const after = await read()
  assert.deepEqual(after['actions'], ['release', 'mark_settled', 'mark_failed'])
  assert.match(String(after['on_hold_since']), /^20/)
  const [proposal] = after['proposals'] as unknown as Record<string, unknown>[]
  assert.deepEqual(
    [proposal?.['action'], proposal?.['user'], proposal?.['is_own'], proposal?.['reason']],
    ['mark_failed', { id: ben.id, name: 'A Test User' }, false, 'A secret reason'],
  )
  const own = await stack.merchant.call('GET', `/v1/refunds/${id}/timeline`)
  assert.deepEqual([own.body['waiting_on'], own.body['waiting_since']], ['operator', after['on_hold_since']])
  for (const hidden of ['actions', 'proposals', 'on_hold_since', 'A secret reason', ben.id, 'hold.executed']) {
    assert.ok(!own.text.includes(hidden), `a merchant reads ${hidden}`)
  }
  await endRefund(stack, id, 'succeeded')
  assert.equal((await cleo.call('POST', `${path}/release`, { reason: 'It was paid' })).status, 200)
  await until(async () => (await stack.merchant.getRefund(id))['status'] === 'succeeded', 'it is paid')
  const ended = await read()
  assert.deepEqual([ended['actions'], ended['proposals'], ended['on_hold_since']], [[], [], null])
})
