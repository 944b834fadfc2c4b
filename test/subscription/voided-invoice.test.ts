import assert from 'node:assert/strict'
import { test } from 'node:test'
import { english } from '../../web/language.ts'
import { standingOf, type Subscription } from '../../web/subscription/portal-words.ts'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards, type ShownInvoice } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// An invoice that is not to be paid any more: what it had used is there again, and what was not paid is not given back.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const payers = payersOf(stack, lives.plans)
const start = Date.parse('2027-01-01T08:00:00Z')
const dayMs = 86_400_000
const { product_id: monthly } = await lives.plans.createProduct()
const { product_id: weekly } = await lives.plans.createProduct({ recurring: { interval: 'week', interval_count: 1 } })

/** Changes the plan at once, to so many seats at a price each. */
async function changePlan(id: string, quantity: number, price: number, at: number): Promise<void> {
  const [line] = (await lives.plans.read(id)).line_items
  assert.ok(line)
  const unit_amount = `${price}.00`
  const line_items = [{ ...line, quantity, unit_amount, line_total: `${price * quantity}.00` }]
  const rhythm = { interval: 'month' as const, interval_count: 1 }
  assert.equal(await lives.ask(id, { kind: 'changePlan', line_items, ...rhythm, proration: 'prorate' }, at), 'done')
}

async function voidNewest(id: string, at: number): Promise<void> {
  const { invoice_id } = (await lives.plans.invoices(id)).at(-1) ?? { invoice_id: '' }
  assert.equal(await lives.ask(id, { kind: 'voidInvoice', invoice_id }, at), 'done')
}

const totalsOf = async (id: string) =>
  (await lives.plans.invoices(id)).map(({ status, total }) => `${status} ${total}`).slice(1)

async function creditOf(id: string): Promise<number> {
  const [row] = await stack.sql<{ credit: string }>('select credit from subscriptions where id = ?', [id])
  return Number(row?.credit)
}

/** A subscription with credit whose customer pays invoices, two days before its period ends. */
async function beginWithCredit(seats: number) {
  const id = await lives.begin(monthly, cards.success, start)
  await changePlan(id, seats, 25, start + 1_000)
  await changePlan(id, 1, 25, start + 15 * dayMs)
  const credit = await creditOf(id)
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
  assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'invoices' } }, start + 15 * dayMs), 'done')
  const at = Date.parse((await lives.plans.read(id)).current_period_end) - 2 * dayMs
  await lives.advance(id, start + 15 * dayMs, at)
  return { id, at, credit }
}

test('an invoice for the next period that is taken back gives back the credit that it has used', async () => {
  const { id, at, credit } = await beginWithCredit(2)
  assert.equal(await creditOf(id), 0)
  const cancel = { kind: 'cancel' as const, at_period_end: true, reason: null, comment: null }
  assert.equal(await lives.ask(id, cancel, at), 'done')
  assert.equal(await creditOf(id), credit)
  assert.equal(await lives.ask(id, { kind: 'uncancel' }, at), 'done')
  const [, before, after] = await totalsOf(id)
  assert.deepEqual([before, after], [`void ${(25 - credit).toFixed(2)}`, `open ${(25 - credit).toFixed(2)}`])
  assert.equal(await creditOf(id), 0)
})

/** Two invoices for the next period that were opened at one moment; the first was taken back. */
async function openedTwice() {
  const { id, at } = await beginWithCredit(2)
  const cancel = { kind: 'cancel' as const, at_period_end: true, reason: null, comment: null }
  assert.equal(await lives.ask(id, cancel, at), 'done')
  assert.equal(await lives.ask(id, { kind: 'uncancel' }, at), 'done')
  // Their ids are random, so the one that is void may be the later one.
  await stack.sql(
    `update invoices set created_at = (select max(created_at) + interval '1 millisecond' from invoices)
     where subscription_id = ? and status = 'void'`,
    [id],
  )
  return { id, at }
}

/** Pays an invoice on its page, and lets its subscription take note of it. */
async function pay(id: string, invoice: ShownInvoice | undefined, number: string, at: number): Promise<void> {
  assert.ok(invoice)
  const { body } = await payers.tryToOpen(invoice)
  await lives.pay({ checkout_id: String(body['checkout_id']) }, number, at)
  await lives.settle(id, at)
}

test('of two invoices for the next period, opened at one moment, the one that stands is told of', async () => {
  const { id, at } = await openedTwice()
  const told = async () => {
    const { recurring, paid_ahead_until, current_period_end } = await lives.plans.read(id)
    return [(recurring as Record<string, unknown>)['next_charge_at'], paid_ahead_until, current_period_end]
  }
  const standing = (await lives.plans.invoices(id)).find(({ status }) => status === 'open')
  const { period_start: end, period_end: until } = standing ?? {}
  assert.deepEqual(await told(), [end, null, end])
  await pay(id, standing, cards.success, at)
  assert.deepEqual(await told(), [until, until, end])
})

test('of two invoices for the next period, opened at one moment, the one that stands counts', async () => {
  const { id, at } = await openedTwice()
  await lives.advance(id, at, at + 3 * dayMs)
  const charged = await stack.sql('select trim_scale(charged_amount)::text as amount from subscriptions where id = ?', [
    id,
  ])
  assert.deepEqual(charged, [{ amount: '25' }])
  assert.ok(!(await lives.plans.events(id)).includes('customer.subscription.renewed'), 'it is not paid yet')
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('an invoice for the next period that credit has paid is given back when the subscription ends', async () => {
  const { id, at, credit } = await beginWithCredit(4)
  assert.equal((await totalsOf(id)).at(-1), 'paid 0.00')
  assert.equal(await creditOf(id), Number((credit - 25).toFixed(2)))
  const cancel = { kind: 'cancel' as const, at_period_end: false, reason: null, comment: null }
  assert.equal(await lives.ask(id, cancel, at), 'done')
  assert.equal(await creditOf(id), credit)
})

test('a period that credit has paid ahead puts off neither a cancellation nor a pause, and is taken back', async () => {
  const pause = { kind: 'pause' as const, resumes_at: null }
  const changes = {
    canceled: { kind: 'cancel', at_period_end: true, reason: null, comment: null },
    paused: { ...pause, at_period_end: true },
    'paused now': { ...pause, at_period_end: false },
  } as const
  for (const [outcome, change] of Object.entries(changes)) {
    const { id, at, credit } = await beginWithCredit(4)
    const { current_period_end: end } = await lives.plans.read(id)
    assert.equal(await lives.ask(id, change, at), 'done')
    await lives.advance(id, at, at + 3 * dayMs)
    const { status, current_period_end: last } = await lives.plans.read(id)
    assert.deepEqual([status, last], [outcome.split(' ')[0], end])
    // A period that was paused now may still go on, with its invoice.
    if (outcome !== 'paused now') assert.equal(await creditOf(id), credit, outcome)
    assert.deepEqual(await checkInvariants(stack.database), [])
    if (outcome === 'canceled') continue
    await lives.advance(id, at + 3 * dayMs, at + 5 * dayMs)
    assert.equal(await lives.ask(id, { kind: 'resume' }, at + 5 * dayMs), 'done')
    assert.deepEqual((await totalsOf(id)).slice(-2), ['paid 0.00', 'paid 0.00'], 'another period begins')
    assert.equal(await creditOf(id), Number((credit - 25).toFixed(2)), 'only that one has used credit')
    assert.deepEqual(await checkInvariants(stack.database), [])
  }
})

/** What a customer reads in their portal about a subscription. */
async function readInPortal(id: string, customerId: string) {
  const { token } = await openPortal(stack.merchant, customerId)
  const { body } = await portalCalls(stack.merchant, token)('GET', `subscriptions/${id}`)
  const shown = body as unknown as Subscription
  return { shown, words: standingOf(english, shown).join(' ') }
}

test('the portal names what is left of the open invoice of the next period, which has used the credit', async () => {
  const { id, at, credit } = await beginWithCredit(2)
  const { customer } = await lives.plans.read(id)
  const card = await lives.saveCard(customer.id, cards.success, at)
  assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: card }, at), 'done')
  const left = (25 - credit).toFixed(2)
  const { words, shown } = await readInPortal(id, customer.id)
  assert.ok(words.includes(`Then $${left} is charged.`), words)
  assert.equal(shown.next_invoice_amount, left)
  const ofTrial = standingOf(english, { ...shown, status: 'trialing', collection: 'invoice' }).join(' ')
  assert.ok(ofTrial.includes(`Then you get an invoice of $${left}.`), ofTrial)
  await lives.advance(id, at, at + 2 * dayMs + 61_000)
  assert.equal((await totalsOf(id)).at(-1), `paid ${left}`)
  const after = await readInPortal(id, customer.id)
  assert.ok(after.words.includes('Then $25.00 is charged.'), after.words)
  assert.equal(after.shown.next_invoice_amount, null)
})

test('who pays invoices changes a plan at once where credit pays all of it, and not where more is owed', async () => {
  const id = await lives.begin(monthly, cards.success, start)
  await changePlan(id, 4, 25, start + 1_000)
  const middle = start + 15 * dayMs
  await changePlan(id, 1, 25, middle)
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
  const credit = await creditOf(id)
  await changePlan(id, 2, 25, middle)
  const left = await creditOf(id)
  assert.ok(left > 0 && left < credit - 10, `${credit} became ${left}`)
  assert.equal((await totalsOf(id)).at(-1), 'paid 0.00')
  await assert.rejects(changePlan(id, 9, 25, middle), /the customer pays invoices themselves/)
  assert.equal(await creditOf(id), left)
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a voided invoice gives back the credit that it has used, once', async () => {
  const { id, at, credit } = await beginWithCredit(2)
  await voidNewest(id, at)
  await voidNewest(id, at)
  assert.equal(await creditOf(id), credit)
})

for (const [taken, back] of [
  [{ kind: 'cancel', at_period_end: true, reason: null, comment: null }, 'uncancel'],
  [{ kind: 'pause', at_period_end: true, resumes_at: null }, 'resume'],
] as const) {
  test(`a period whose invoice the merchant has voided stays free after ${taken.kind} and ${back}`, async () => {
    const { id, at, credit } = await beginWithCredit(2)
    await voidNewest(id, at)
    const before = await totalsOf(id)
    assert.equal(await lives.ask(id, taken, at), 'done')
    assert.equal(await lives.ask(id, { kind: back }, at), 'done')
    await lives.advance(id, at, at + 3 * dayMs)
    assert.deepEqual(await totalsOf(id), before)
    assert.equal(await creditOf(id), credit)
    assert.equal((await lives.plans.read(id)).status, 'active')
    assert.deepEqual(await checkInvariants(stack.database), [])
  })
}

test('a period whose invoice was voided gives nothing back when the plan changes', async () => {
  const id = await lives.begin(monthly, laterCards.declines, start)
  const renewal = Date.parse((await lives.plans.read(id)).current_period_end) + 61_000
  await lives.advance(id, start, renewal)
  await voidNewest(id, renewal)
  await changePlan(id, 1, 5, renewal + dayMs)
  assert.equal(await creditOf(id), 0)
  const [, opened] = await totalsOf(id)
  assert.match(String(opened), /^open 4\.\d\d$/, 'the rest of the period is charged at the new price')
})

test('a period whose invoice was voided before it began gives nothing back when the plan changes', async () => {
  const { id, at, credit } = await beginWithCredit(2)
  await voidNewest(id, at)
  await lives.advance(id, at, at + 3 * dayMs)
  await stack.sql(`update subscriptions set collection = 'automatic' where id = ?`, [id])
  await changePlan(id, 1, 5, at + 3 * dayMs)
  assert.ok((await creditOf(id)) < credit, 'the rest of the period is charged at the new price')
})

test('a period whose invoice was paid, taken back, opened again and voided gives nothing back', async (t) => {
  const settings = (dunning: number[]) => lives.plans.ok('PATCH', '/v1/account', { dunning })
  const byInvoice = async (id: string, at: number) => {
    await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
    assert.equal(await lives.ask(id, { kind: 'edit', metadata: { invoiced: String(at) } }, at), 'done')
  }
  t.after(() => settings([2, 5, 7, 7]))
  await settings([60])
  const id = await lives.begin(monthly, cards.success, start)
  await byInvoice(id, start)
  const ahead = Date.parse('2027-02-26T08:00:00Z')
  await lives.advance(id, start, ahead)
  const [, owed, next] = await lives.plans.invoices(id)
  await settings([1])
  // What has paid the next period is charged for what is owed, and declined. A day later the subscription ends.
  await pay(id, next, laterCards.declines, ahead)
  await lives.advance(id, ahead, ahead + dayMs)
  assert.equal((await lives.plans.read(id)).status, 'canceled')
  await pay(id, owed, laterCards.declines, ahead + dayMs)
  assert.equal((await lives.plans.read(id)).status, 'active')
  await byInvoice(id, ahead + dayMs)
  await voidNewest(id, ahead + dayMs)
  assert.deepEqual(await totalsOf(id), ['paid 25.00', 'paid 25.00', 'void 25.00'])
  const begun = Date.parse(String(owed?.period_end))
  await lives.advance(id, ahead + dayMs, begun)
  await stack.sql(`update subscriptions set collection = 'automatic' where id = ?`, [id])
  await changePlan(id, 1, 5, begun + dayMs)
  assert.equal(await creditOf(id), 0)
  assert.match(String((await totalsOf(id)).at(-1)), /^open 4\.\d\d$/, 'the rest of the period at the new price')
})

test('a change of plan whose invoice was voided gives back only what the plan before it had paid', async () => {
  const id = await lives.begin(monthly, laterCards.declines, start)
  await changePlan(id, 2, 25, start + 1_000)
  await voidNewest(id, start + 1_000)
  await changePlan(id, 1, 5, start + 1_000)
  // A second of the 25.00 that were paid is used, and the new plan costs 5.00.
  assert.equal(await creditOf(id), 19.99)
  assert.deepEqual(await checkInvariants(stack.database), [])
})

for (const collection of ['automatic', 'invoice']) {
  test(`dunning that ends as a period begins leaves nothing to pay for that period: ${collection}`, async () => {
    const id = await lives.begin(weekly, laterCards.declines, start)
    await stack.sql(`update subscriptions set collection = ? where id = ?`, [collection, id])
    assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: collection } }, start), 'done')
    await lives.advance(id, start, start + 29 * dayMs)
    assert.equal((await lives.plans.read(id)).status, 'canceled')
    const statuses = (await lives.plans.invoices(id)).map(({ status }) => status)
    assert.deepEqual(statuses, ['paid', 'uncollectible', 'uncollectible', 'uncollectible', 'void'])
    assert.deepEqual(await checkInvariants(stack.database), [])
  })
}

for (const status of ['processing', 'requires_action', 'underpaid'] as const) {
  test(`dunning that ends as a period begins leaves an invoice that is being paid as it is: ${status}`, async () => {
    const id = await lives.begin(weekly, laterCards.declines, start)
    await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
    assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'by invoice' } }, start), 'done')
    const end = start + 28 * dayMs
    await lives.advance(id, start, end - 1)
    const { body } = await payers.tryToOpen(await payers.newest(id))
    await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.threeDs, end - 1)
    // Of a short payment a part has arrived.
    await stack.sql(`update payments set status = ?, amount_received = ? where checkout_id = ?`, [
      status,
      status === 'underpaid' ? 1 : 0,
      String(body['checkout_id']),
    ])
    await lives.advance(id, end - 1, end + dayMs)
    assert.equal((await lives.plans.read(id)).status, 'canceled')
    const statuses = (await lives.plans.invoices(id)).map((invoice) => invoice.status)
    assert.deepEqual(statuses, ['paid', 'uncollectible', 'uncollectible', 'uncollectible', 'uncollectible'])
  })
}
