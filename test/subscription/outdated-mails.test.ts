import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards, monthly } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// A mail that has waited for its server is not sent where what it says is over. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const payers = payersOf(stack, lives.plans)
const start = Date.parse('2027-03-31T08:00:00Z')
const dayMs = 86_400_000

const kinds = { trial: 'trial_ending', payment: 'payment_failed', receipt: 'receipt' }

/** The mails that a subscription's customer gets if their server has been away until now, sorted. */
async function sentLate(id: string, at: number): Promise<string[]> {
  await keepBack(id)
  return sentDuring(id, () => lives.settle(id, at))
}

/** As if the mail server had been away until now: none of the mails is sent yet. */
const keepBack = (id: string) =>
  stack.sql('update subscription_mails set sent_at = null where subscription_id = ?', [id])

/** The text of the mail that was sent last. */
let lastText = ''

/** The mails that are sent while this is done, sorted. */
async function sentDuring(id: string, act: () => Promise<unknown>): Promise<string[]> {
  const { mailer } = stack.deps
  const { deliver } = mailer
  const sent: string[] = []
  mailer.deliver = async ({ subject, text }) => {
    lastText = text
    const word = Object.keys(kinds).find((each) => subject.startsWith(`Your ${each} `)) as keyof typeof kinds
    sent.push(word ? kinds[word] : subject.endsWith('has ended') ? 'canceled' : 'invoice')
  }
  await act()
  mailer.deliver = deliver
  const unsent = 'select from subscription_mails where subscription_id = ? and sent_at is null'
  assert.deepEqual(await stack.sql(unsent, [id]), [], 'nothing waits any more')
  assert.deepEqual(await checkInvariants(stack.database), [])
  return sent.toSorted()
}

async function payNewest(id: string, at: number): Promise<void> {
  const { body } = await payers.tryToOpen(await payers.newest(id))
  await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.success, at)
  await lives.settle(id, at)
}

const statusOf = async (id: string) => (await lives.plans.read(id)).status

test('the end of a trial is not announced any more once the trial is over, or the subscription', async () => {
  const { product_id: product } = await lives.plans.createProduct({ recurring: { ...monthly, trial_days: 14 } })
  const [ended, begun] = [
    await lives.begin(product, cards.success, start),
    await lives.begin(product, cards.success, start),
  ]
  const at = start + 11.5 * dayMs
  for (const id of [ended, begun]) await lives.advance(id, start, at)
  assert.deepEqual(await sentLate(ended, at), ['trial_ending'])
  const cancel = { kind: 'cancel' as const, at_period_end: false, reason: null, comment: null }
  assert.equal(await lives.ask(ended, cancel, at), 'done')
  assert.deepEqual(await sentLate(ended, at), ['canceled'])
  await lives.advance(begun, at, start + 15 * dayMs)
  assert.deepEqual(await sentLate(begun, start + 15 * dayMs), ['receipt'])
})

test('the end of a trial is announced while it is paused, as it may go on, and not once it has passed', async () => {
  const { product_id: product } = await lives.plans.createProduct({ recurring: { ...monthly, trial_days: 14 } })
  const at = start + 11.5 * dayMs
  const paused = async (resumesAt: string | null) => {
    const id = await lives.begin(product, cards.success, start)
    await lives.advance(id, start, at)
    assert.equal(await lives.ask(id, { kind: 'pause', at_period_end: false, resumes_at: resumesAt }, at), 'done')
    assert.deepEqual(await sentLate(id, at), ['trial_ending'])
    return id
  }
  await paused(new Date(start + 13 * dayMs).toISOString())
  assert.match(lastText, /Then .+ is charged/, 'it goes on before its trial ends')
  const id = await paused(null)
  assert.match(lastText, /Nothing will be charged then, because the subscription is paused\./)
  assert.deepEqual(await sentLate(id, start + 14 * dayMs), [])
})

test('a trial whose end is moved is announced by its new end, and once', async () => {
  const { product_id: product } = await lives.plans.createProduct({ recurring: { ...monthly, trial_days: 14 } })
  const id = await lives.begin(product, cards.success, start)
  const moveTo = (end: number, at: number) => async () =>
    assert.equal(await lives.ask(id, { kind: 'edit', trial_end: new Date(end).toISOString() }, at), 'done')
  const [first, next] = [start + 11.5 * dayMs, start + 37.5 * dayMs]
  await lives.advance(id, start, first)
  await keepBack(id)
  assert.deepEqual(await sentDuring(id, moveTo(start + 40 * dayMs, first)), [], 'weeks ahead')
  assert.deepEqual(await sentDuring(id, () => lives.advance(id, first, next)), ['trial_ending'])
  await keepBack(id)
  assert.deepEqual(await sentDuring(id, moveTo(next + dayMs, next)), ['trial_ending'], 'less than three days ahead')
})

test('a failed payment is not told of once it was made, nor an end that late money has taken back', async () => {
  await lives.plans.ok('PATCH', '/v1/account', { late_payment_policy: 'accept' })
  const { product_id: product } = await lives.plans.createProduct()
  const [paid, revived] = [
    await lives.begin(product, laterCards.declines, start),
    await lives.begin(product, laterCards.declines, start),
  ]
  const renewed = start + 32 * dayMs
  for (const id of [paid, revived]) await lives.advance(id, start, renewed)
  assert.deepEqual(await sentLate(paid, renewed), ['payment_failed', 'receipt'])
  await payNewest(paid, renewed)
  assert.deepEqual(await sentLate(paid, renewed), ['receipt', 'receipt'])
  const late = start + 55 * dayMs
  await lives.advance(revived, renewed, late)
  assert.equal(await statusOf(revived), 'canceled')
  assert.ok((await sentLate(revived, late)).includes('canceled'))
  await payNewest(revived, late)
  assert.equal(await statusOf(revived), 'active')
  assert.deepEqual(await sentLate(revived, late), ['receipt', 'receipt'])
})

for (const end of ['paid', 'void'] as const) {
  test(`an invoice that is ${end} is not sent any more, nor reminded of`, async () => {
    const { product_id: product } = await lives.plans.createProduct()
    const id = await lives.begin(product, cards.success, start)
    await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
    assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'invoices' } }, start), 'done')
    const at = start + 31 * dayMs
    await lives.advance(id, start, at)
    assert.deepEqual(await sentLate(id, at), ['invoice', 'invoice', 'receipt'], 'the invoice, and its reminder')
    const { invoice_id } = await payers.newest(id)
    if (end === 'paid') await payNewest(id, at)
    else assert.equal(await lives.ask(id, { kind: 'voidInvoice', invoice_id }, at), 'done')
    assert.deepEqual(await sentLate(id, at), end === 'paid' ? ['receipt', 'receipt'] : ['receipt'])
  })
}

for (const policy of ['accept', 'refund'] as const) {
  const title = policy === 'accept' ? 'may still be paid' : 'takes no money any more'
  test(`after an end, an invoice is sent and reminded of only where it may be paid: one that ${title}`, async () => {
    await lives.plans.ok('PATCH', '/v1/account', { late_payment_policy: policy })
    const { product_id: product } = await lives.plans.createProduct()
    const [invoiced, charged, unpaid] = [
      await lives.begin(product, cards.success, start),
      await lives.begin(product, laterCards.declines, start),
      await lives.begin(product, laterCards.declines, start),
    ]
    await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [invoiced])
    assert.equal(await lives.ask(invoiced, { kind: 'edit', metadata: { pays: 'invoices' } }, start), 'done')
    const at = start + 31 * dayMs
    const cancel = { kind: 'cancel' as const, at_period_end: false, reason: null, comment: null }
    for (const id of [invoiced, charged]) {
      await lives.advance(id, start, at)
      assert.equal(await statusOf(id), 'past_due')
      assert.equal(await lives.ask(id, cancel, at), 'done')
      assert.equal((await payers.newest(id)).status, 'uncollectible')
    }
    const isPayable = policy === 'accept'
    const told = isPayable ? ['canceled', 'invoice', 'invoice', 'receipt'] : ['canceled', 'receipt']
    assert.deepEqual(await sentLate(invoiced, at), told)
    assert.deepEqual(await sentLate(charged, at), ['canceled', ...(isPayable ? ['payment_failed'] : []), 'receipt'])
    const late = start + 55 * dayMs
    await lives.advance(unpaid, start, late)
    assert.equal(await statusOf(unpaid), 'canceled', 'its payments have ended it')
    assert.equal((await sentLate(unpaid, late)).includes('payment_failed'), isPayable)
  })
}
