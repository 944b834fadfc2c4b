import assert from 'node:assert/strict'
import { test } from 'node:test'
import { english } from '../../web/language.ts'
import { moment } from '../../web/words.ts'
import { standingOf, type Subscription } from '../../web/subscription/portal-words.ts'
import { fromAnywhere } from '../support/api.ts'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { createLogins } from '../support/login.ts'
import { openPages } from '../support/pages.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { atEnd } from '../support/use.ts'
import { useStack } from '../support/use-stack.ts'

// An invoice is paid on its page a millisecond before a moment at which its subscription does something by itself. The
// message about it comes to the process only after that moment. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const payers = payersOf(stack, lives.plans)
const logins = createLogins(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const start = Date.parse('2027-03-31T08:00:00Z')
const dayMs = 86_400_000
const { product_id: product } = await lives.plans.createProduct()

/** Pays the newest invoice of a subscription on its page; the subscription has not taken note of it. */
async function payNewest(id: string, at: number): Promise<void> {
  const { body } = await payers.tryToOpen(await payers.newest(id))
  await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.success, at)
}

/** A subscription whose customer pays invoices, a millisecond before the next period begins: its invoice is open. */
async function invoicedAhead() {
  const id = await lives.begin(product, cards.success, start)
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
  assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'invoices' } }, start), 'done')
  const boundary = Date.parse((await lives.plans.read(id)).current_period_end)
  await lives.advance(id, start, boundary - 1)
  return { id, boundary }
}

/** The same with that invoice paid. */
async function paidAhead() {
  const { id, boundary } = await invoicedAhead()
  await payNewest(id, boundary - 1)
  return { id, boundary }
}

const renewals = async (id: string) => {
  const rows = await stack.sql<{ body: string }>(
    `select body from events where resource_id = ? and type = 'customer.subscription.renewed' order by sequence`,
    [id],
  )
  return rows.map(({ body }) => JSON.parse(body).data.current_period_start)
}

for (const first of ['takeSubscriptionStep', 'readSubscription'] as const) {
  test(`a period that was paid ahead in the last moment is told as renewed once: ${first}`, async () => {
    const { id, boundary } = await paidAhead()
    await lives.steps[first](id, boundary)
    await lives.advance(id, boundary, boundary + dayMs)
    assert.deepEqual(await renewals(id), [new Date(boundary).toISOString()])
    assert.deepEqual(await checkInvariants(stack.database), [])
  })
}

/** What is said about a subscription: its next charge, the words of the portal, and those of its page to cancel. */
async function toldOf(id: string) {
  const { customer, recurring } = await lives.plans.read(id)
  const { token } = await openPortal(stack.merchant, customer.id)
  const { body } = await portalCalls(stack.merchant, token)('GET', `subscriptions/${id}`)
  const page = await fetch(`${pages.base}/portal/subscriptions/${id}/cancel`, {
    headers: { cookie: `portal_token=${token}` },
  })
  const standing = standingOf(english, body as unknown as Subscription)
    .join(' ')
    .replaceAll(/[⁦-⁩]/g, '')
  return { next: (recurring as Record<string, unknown>)['next_charge_at'], standing, page: await page.text() }
}

test('once the next period is paid ahead, the end of that one is named as the next charge and as the end', async () => {
  const { id, boundary } = await paidAhead()
  const { period_start: paidFrom, period_end: until } = await payers.newest(id)
  assert.equal(paidFrom, new Date(boundary).toISOString())
  const shown = `<time datetime="${until}">${english.moment(until)}</time>`
  const before = await toldOf(id)
  assert.equal(before.next, until)
  assert.ok(before.standing.includes(`The next invoice is due on ${shown}.`), before.standing)
  assert.ok(before.page.includes(`You can use it until ${shown}.`), before.page)
  await lives.settle(id, boundary - 1) // the card that has paid it is charged from now on
  const { standing } = await toldOf(id)
  assert.ok(standing.includes(`It renews on ${shown}. Then $25.00 is charged.`), standing)
  assert.equal(await lives.ask(id, { kind: 'pause', at_period_end: true, resumes_at: null }, boundary - 1), 'done')
  const paused = await toldOf(id)
  assert.ok(paused.standing.includes(`It is paused from ${shown} on.`), paused.standing)
  const cancel = { kind: 'cancel' as const, at_period_end: true, reason: null, comment: null }
  assert.equal(await lives.ask(id, cancel, boundary - 1), 'done')
  const canceled = await toldOf(id)
  assert.equal(canceled.next, null)
  assert.ok(canceled.standing.includes(`You can use it until ${shown}.`), canceled.standing)
  await lives.advance(id, boundary - 1, Date.parse(until))
  assert.equal((await lives.plans.read(id)).ended_at, until)
})

/** What the merchant's dashboard says of a subscription, as text. */
async function onDashboard(id: string): Promise<string> {
  const { access_token: access, refresh_token: refresh } = await logins.logIn(await logins.addPerson())
  const cookie = `dashboard_access=${access}; dashboard_refresh=${refresh}`
  const page = await fetch(`${pages.base}/dashboard/subscriptions/${id}`, { headers: { ...fromAnywhere(), cookie } })
  return (await page.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('merchants read the end of a period that is paid ahead as the end, in the API and on the dashboard', async () => {
  const { id, boundary } = await paidAhead()
  const { period_end: until } = await payers.newest(id)
  assert.equal((await lives.plans.read(id))['paid_ahead_until'], until)
  const shown = moment(until)
  assert.equal(await lives.ask(id, { kind: 'pause', at_period_end: true, resumes_at: null }, boundary - 1), 'done')
  const paused = await onDashboard(id)
  assert.ok(paused.includes(`Pauses ${shown}`), paused)
  const cancel = { kind: 'cancel' as const, at_period_end: true, reason: null, comment: null }
  assert.equal(await lives.ask(id, cancel, boundary - 1), 'done')
  const canceled = await onDashboard(id)
  assert.ok(canceled.includes(`Ends ${shown}`), canceled)
  await lives.advance(id, boundary - 1, Date.parse(until))
  assert.partialDeepStrictEqual(await lives.plans.read(id), { ended_at: until, paid_ahead_until: null })
})

test('a period that is given away has no charge when it begins, and a cancellation does not wait for it', async () => {
  const { id, boundary } = await invoicedAhead()
  const { invoice_id, period_end: until } = await payers.newest(id)
  assert.equal((await toldOf(id)).next, new Date(boundary).toISOString(), 'it is still to be paid')
  assert.equal(await lives.ask(id, { kind: 'voidInvoice', invoice_id }, boundary - 1), 'done')
  const { next, page } = await toldOf(id)
  assert.equal(next, until)
  assert.ok(page.includes(`datetime="${new Date(boundary).toISOString()}"`), page)
})

test('a subscription that is paid in the last moment before it would end goes on', async () => {
  const id = await lives.begin(product, laterCards.expires, start)
  await lives.advance(id, start, start + 32 * dayMs)
  const [row] = await stack.sql<{ ends: string }>('select dunning_ends_at as ends from subscriptions where id = ?', [
    id,
  ])
  const ends = new Date(row?.ends ?? '').getTime()
  await lives.advance(id, start + 32 * dayMs, ends - 1)
  await payNewest(id, ends - 1)
  await lives.steps.takeSubscriptionStep(id, ends)
  await lives.settle(id, ends)
  assert.equal((await lives.plans.read(id)).status, 'active')
  assert.deepEqual(await lives.plans.events(id), [
    'customer.subscription.created',
    'customer.subscription.past_due',
    'customer.subscription.renewed',
  ])
  assert.deepEqual(await checkInvariants(stack.database), [])
})
