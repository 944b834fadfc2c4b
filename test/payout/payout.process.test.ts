import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { payoutActivities } from '../../activities/payout/payout.ts'
import { eventsAbout, postedBy } from '../support/resource-rows.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { detailsOf } from '../support/details.ts'
import { inActivity, keepWarnings } from '../support/in-activity.ts'
import { addDestination, lastFour, moveDestination } from '../support/payout.ts'
import { endPayout, sendRailNews } from '../support/rail-books.ts'
import { scriptPayouts } from '../support/scripted-payouts.ts'
import { refusalsOfOurs } from '../support/scripted-words.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useReceiver, useStack } from '../support/use-stack.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const stack = await useStack({ skipping: true })
await useApi(stack)
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url)
const rails = scriptPayouts(stack)
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '1000000.00', 'NGN')
await endow(stack, owner.accountId, '1000.00', 'USD')
const made = Object.entries(lastFour).map(async ([name, ends]) => [name, await addDestination(stack, owner, { ends })])
const at: Record<keyof typeof lastFour, string> = Object.fromEntries(await Promise.all(made))
afterEach(async () => {
  rails.answers([])
  await assertInvariants(stack)
})

const eventsOf = (id: string) => eventsAbout(stack, id)
const posted = (id: string) => postedBy(stack, id)

const finished = async (id: string) => {
  await stack.dispatched()
  return stack.finished('payout', id)
}
/** Waits until a payout's process has nothing to do but wait. */
const waits = async (id: string) => {
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
}
const attributesOf = async (id: string) =>
  JSON.stringify((await stack.client.workflow.getHandle(`payout/${id}`).describe()).typedSearchAttributes.getAll())

test('a payout is reserved, sent and posted, and what the merchant reads, gets as events and pays agrees', async () => {
  const created = await stack.merchant.payOut(at.completes, { reference: 'rent-7' })
  assert.deepEqual([created.status, created['fee'], created['total_debited']], ['requested', '25.00', '1025.00'])
  assert.equal(await finished(created.id), 'completed')
  const payout = await stack.merchant.getPayout(created.id)
  assert.equal(payout.status, 'completed')
  assert.match(String(payout['trace_id']), /^SIM[0-9a-f]{24}$/)
  assert.ok(payout['completed_at'])
  assert.deepEqual(await posted(created.id), {
    'payout_hold merchant': '-1025.00',
    'payout_hold reserved': '1025.00',
    'payout_paid reserved': '-1025.00',
    'payout_paid rail': '1000.00',
    'payout_paid fees': '25.00',
  })
  assert.deepEqual(await eventsOf(created.id), ['payout.created', 'payout.paid'])
  const length = await stack.historyLength('payout', created.id)
  assert.ok(length <= 14, `${length} events`)
})

test('a rail that answers late is asked as soon as it has news, within two seconds', async () => {
  const { id } = await stack.merchant.payOut(at.completesSoon)
  await waits(id)
  const underWay = await stack.merchant.getPayout(id)
  assert.deepEqual([underWay.status, typeof underWay['trace_id']], ['processing', 'string'])
  assert.equal(await finished(id), 'completed')
  const [row] = await stack.sql<{ took: string }>(
    'select extract(epoch from completed_at - created_at) as took from payouts where id = ?',
    [id],
  )
  assert.ok(Number(row?.took) <= 3, `took ${row?.took} s`)
  const length = await stack.historyLength('payout', id)
  assert.ok(length <= 25, `${length} events`)
})

test('a failed payout gives everything back, including the fee', async () => {
  const { id } = await stack.merchant.payOut(at.fails)
  assert.equal(await finished(id), 'failed')
  const payout = await stack.merchant.getPayout(id)
  assert.deepEqual(
    [payout.status, payout['failure_reason'], payout['completed_at']],
    ['failed', 'The receiving account does not take this payout.', null],
  )
  assert.deepEqual(await posted(id), {
    'payout_hold merchant': '-1025.00',
    'payout_hold reserved': '1025.00',
    'payout_released merchant': '1025.00',
    'payout_released reserved': '-1025.00',
  })
  assert.deepEqual(await eventsOf(id), ['payout.created', 'payout.failed'])
})

test('simulated_outcome wins over the destination', async () => {
  const failing = await stack.merchant.payOut(at.completes, { simulated_outcome: 'failed' })
  const arriving = await stack.merchant.payOut(at.neverAnswers, { simulated_outcome: 'success' })
  assert.equal(await finished(failing.id), 'failed')
  assert.equal(await finished(arriving.id), 'completed')
})

test('a payout by quote takes dollars, and the quoted amount arrives', async () => {
  const quote = await exchanging(stack.merchant).quote({ from_amount: '100.00', to_currency: 'NGN' })
  const created = await stack.merchant.payOut(at.completes, { amount: undefined, quote_id: quote.quote_id })
  assert.deepEqual(
    [created['amount'], created['currency'], created['source_currency'], created['fee'], created['total_debited']],
    [quote.to_amount, 'NGN', 'USD', '5.00', '105.00'],
  )
  assert.equal(await finished(created.id), 'completed')
  const lines = await posted(created.id)
  assert.equal(lines['payout_hold merchant'], '-105.00')
  assert.equal(Number(lines['payout_paid rail']), 100 - Number(quote.fee))
  assert.equal(Number(lines['payout_paid fees']), 5 + Number(quote.fee))
})

test('Crypto payouts have six decimal places and cost as many dollars, rounded half up to the cent', async () => {
  const wallet = await addDestination(stack, owner, { type: 'crypto_wallet', currency: 'USDT_TRC20' })
  const created = await stack.merchant.payOut(wallet, { amount: '20.496543' })
  assert.deepEqual(
    [created['amount'], created['currency'], created['source_currency'], created['fee'], created['total_debited']],
    ['20.496543', 'USDT_TRC20', 'USD', '1.00', '21.50'],
  )
  assert.equal(await finished(created.id), 'completed')
})

test('a rail that never answers is asked after 5 minutes, 1 hour and daily; after the hour it is stuck', async () => {
  rails.answers(['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'completed'])
  const { id } = await stack.merchant.payOut(at.neverAnswers)
  await waits(id)
  assert.equal((await stack.merchant.getPayout(id)).status, 'processing')
  await stack.skip(6 * minute)
  await settled(stack.client, 'payout', id)
  assert.match(await attributesOf(id), /"processing".*"rail"/)
  await stack.skip(hour)
  await settled(stack.client, 'payout', id)
  assert.match(await attributesOf(id), /"stuck".*"operator"/)
  assert.equal(await finished(id), 'completed')
  const [first = 0, ...later] = rails.asked
  const expected = [5 * minute, hour, hour + day, hour + 2 * day, hour + 3 * day]
  assert.equal(later.length, expected.length)
  for (const [index, moment] of later.entries()) {
    const lateMs = moment - first - (expected[index] ?? 0)
    assert.ok(Math.abs(lateMs) < minute, `question ${index + 1} came ${lateMs} ms after its time`)
  }
  assert.deepEqual(await eventsOf(id), ['payout.created', 'payout.paid'])
})

test('an unavailable rail gets the same order until it answers, and a rail’s refusal fails the payout', async () => {
  rails.answers(['no answer', 'no answer', 'no answer', 'completed'])
  const { id } = await stack.merchant.payOut(at.completesSoon)
  assert.equal(await finished(id), 'completed')
  const [row] = await stack.sql('select executions from simulated_payouts where payout_id = ?', [id])
  assert.deepEqual(row, { executions: 1 })
  rails.answers(['refuses'])
  const refused = await stack.merchant.payOut(at.completes)
  assert.equal(await finished(refused.id), 'failed')
  assert.equal(
    (await stack.merchant.getPayout(refused.id))['failure_reason'],
    'The payment provider did not accept the payout.',
  )
})

test('an order whose adapter throws a refusal of our own is asked again, and releases no money', async () => {
  for (const code of refusalsOfOurs) {
    rails.answers([code, code, 'completed'])
    const { id } = await stack.merchant.payOut(at.neverAnswers)
    assert.equal(await finished(id), 'completed', code)
    const [row] = await stack.sql('select executions from simulated_payouts where payout_id = ?', [id])
    assert.deepEqual(row, { executions: 1 })
    assert.deepEqual(await eventsOf(id), ['payout.created', 'payout.paid'])
  }
})

test('a database error while the order is given does not count as a refusal by the rail', async () => {
  const sandbox = stack.deps.rails.in('sandbox')
  const { paying } = sandbox
  let failures = 2
  sandbox.paying = (type, currency) => ({
    ...paying(type, currency),
    async payOut(order, moment) {
      const answer = await paying(type, currency).payOut(order, moment)
      if (failures-- > 0) await stack.sql('select from a_table_that_is_not_there')
      return answer
    },
  })
  const { id } = await stack.merchant.payOut(at.completes)
  assert.equal(await finished(id).finally(() => (sandbox.paying = paying)), 'completed')
  assert.deepEqual(await eventsOf(id), ['payout.created', 'payout.paid'])
})

test('a rail’s notice makes us ask the rail: one that comes twice, too early or late changes nothing', async () => {
  const { id } = await stack.merchant.payOut(at.neverAnswers)
  await waits(id)
  const handle = stack.client.workflow.getHandle(`payout/${id}`)
  for (let n = 0; n < 3; n++) await handle.signal('railAnswered')
  await settled(stack.client, 'payout', id)
  assert.equal((await stack.merchant.getPayout(id)).status, 'processing')
  assert.equal((await stack.merchant.settlePayout(id)).body['status'], 'completed')
  assert.equal(await finished(id), 'completed')
  const seen = await stack.merchant.getPayout(id)
  await sendNotice(id)
  assert.equal(await finished(id), 'completed')
  assert.deepEqual(await stack.merchant.getPayout(id), seen)
  assert.deepEqual(await eventsOf(id), ['payout.created', 'payout.paid'])
})

/** Sends what a rail's notice makes the service send. */
const sendNotice = (id: string) => sendRailNews(stack, 'payout', id)

test('a bank’s return credits the amount once, and the fee is kept', async () => {
  const { id } = await stack.merchant.payOut(at.completes)
  assert.equal(await finished(id), 'completed')
  const reply = await stack.merchant.settlePayout(id, 'returned')
  assert.deepEqual([reply.status, reply.body['status']], [200, 'completed'])
  assert.ok(reply.body['returned_at'])
  assert.equal(await finished(id), 'returned')
  await sendNotice(id)
  assert.equal(await finished(id), 'returned')
  const lines = await posted(id)
  assert.deepEqual([lines['payout_returned merchant'], lines['payout_returned rail']], ['1000.00', '-1000.00'])
  assert.deepEqual(await eventsOf(id), ['payout.created', 'payout.paid', 'payout.returned'])
})

test('a rail that contradicts its own result changes nothing, and staff see the contradiction', async () => {
  const { id } = await stack.merchant.payOut(at.completes)
  assert.equal(await finished(id), 'completed')
  await endPayout(stack, id, 'failed')
  await sendNotice(id)
  assert.equal(await finished(id), 'contradicted')
  assert.match(await attributesOf(id), /"contradicted".*"operator"/)
  assert.match(await detailsOf(stack.client, 'payout', id), /providers\.md, “What cannot be corrected here”/)
  assert.equal((await stack.merchant.getPayout(id)).status, 'completed')
  await endPayout(stack, id, 'completed')
})

test('the log warns where a rail contradicts our books about a payout, and not where it confirms them', async () => {
  const [paid, failed] = [await stack.merchant.payOut(at.completes), await stack.merchant.payOut(at.fails)]
  assert.equal(await finished(paid.id), 'completed')
  assert.equal(await finished(failed.id), 'failed')
  const { warned, logger } = keepWarnings()
  const { lookUpPayout } = inActivity(payoutActivities(stack.deps), logger)
  const ask = async (id: string) => lookUpPayout(id, await stack.clock.now())
  for (const id of [paid.id, failed.id]) await ask(id)
  assert.deepEqual(warned, [])
  await endPayout(stack, paid.id, 'failed')
  await endPayout(stack, failed.id, 'completed')
  for (const id of [paid.id, failed.id]) assert.ok((await ask(id)).isContradicted)
  const warning = 'the provider reports a different outcome of this payout than our books'
  assert.deepEqual(warned, [warning, warning])
  await endPayout(stack, paid.id, 'completed')
  await endPayout(stack, failed.id, 'failed')
})

test('a payout fails, and nothing is sent, if its destination is no longer usable when it should go out', async () => {
  const destination = await addDestination(stack, owner)
  const { id } = await stack.merchant.payOut(destination, { reference: 'sandbox_hold' })
  await waits(id)
  assert.equal((await stack.merchant.call('DELETE', `/v1/payouts/destinations/${destination}`)).status, 200)
  const approved = await (await addStaff(stack)).onPayout(id, 'review', { decision: 'approve' })
  assert.equal(approved.status, 200)
  assert.equal(await finished(id), 'failed')
  assert.match(String((await stack.merchant.getPayout(id))['failure_reason']), /could no longer be used/)
  assert.deepEqual(await stack.sql('select from simulated_payouts where payout_id = ?', [id]), [])
})

test('an order that may have been sent is never repeated to another account: it is cancelled', async () => {
  const destination = await addDestination(stack, owner, { ends: '5678' })
  rails.answers(['no answer', 'from its table'])
  const { id } = await stack.merchant.payOut(destination)
  await until(() => rails.asked.length > 0, 'the first order was lost')
  await moveDestination(stack, owner, destination, '9128340001')
  assert.equal(await finished(id), 'failed')
  const [row] = await stack.sql('select status, executions, orders from simulated_payouts where payout_id = ?', [id])
  assert.deepEqual(row, { status: 'cancelled', executions: 0, orders: 0 })
})
