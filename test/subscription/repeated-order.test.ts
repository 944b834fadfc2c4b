import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// Since when the order of a renewal may have been sent, which a rail has to know after a restore (decision 0118).
const stack = await useStack({ workers: false, invariants: 'at the end' })
await liftRateLimits(stack)
const lives = livesOf(stack)
const start = Date.parse('2027-01-01T08:00:00Z')
const dayMs = 86_400_000
const { product_id: monthly } = await lives.plans.createProduct()

/** Charges a saved card. Returns how many days before the start of the invoice's period that may have been ordered. */
async function daysBefore(id: string, charge: () => Promise<unknown>): Promise<number[]> {
  const setups = stack.deps.rails.in('sandbox').cardSetupsOf('USD_CARD')
  const { chargeSaved } = setups
  const since: number[] = []
  setups.chargeSaved = (order, at) => {
    since.push(order.mayBeSentSince)
    return chargeSaved(order, at)
  }
  await charge()
  setups.chargeSaved = chargeSaved
  const begins = Date.parse((await lives.plans.invoices(id)).at(-1)?.period_start ?? '')
  return since.map((moment) => (begins - moment) / dayMs)
}

/** A subscription whose customer pays invoices, and the end of its first period. */
async function invoiced() {
  const id = await lives.begin(monthly, cards.success, start)
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
  assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'by invoice' } }, start), 'done')
  const { current_period_end: end, customer } = await lives.plans.read(id)
  const nameCard = async (number: string, at: number) => {
    const card = await lives.saveCard(customer.id, number, at)
    assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: card }, at), 'done')
  }
  return { id, due: Date.parse(end), nameCard }
}

/** The same two days before that end, when the next invoice is open and a card is named. */
async function openAhead(number: string) {
  const { id, due, nameCard } = await invoiced()
  const at = due - 2 * dayMs
  await lives.advance(id, start, at)
  await nameCard(number, at)
  return { id, due, at }
}

const secondMs = 1_000

test('a renewal may have been ordered since its period began', async () => {
  const id = await lives.begin(monthly, cards.success, start)
  const due = Date.parse((await lives.plans.read(id)).current_period_end)
  assert.deepEqual(await daysBefore(id, () => lives.advance(id, start, due + 61 * secondMs)), [0])
})

test('where the invoice was open before its period, it may have been charged since it could be opened', async () => {
  const { id, due, at } = await openAhead(laterCards.declines)
  assert.deepEqual(await daysBefore(id, () => lives.ask(id, { kind: 'retryPayment' }, at)), [3])
  assert.deepEqual(await daysBefore(id, () => lives.advance(id, at, due + 61 * secondMs)), [3])
})

test('where such an invoice was taken back and another is opened, it may have been charged as early', async () => {
  const { id, due, at } = await openAhead(cards.success)
  assert.equal(await lives.ask(id, { kind: 'pause', at_period_end: false, resumes_at: null }, at), 'done')
  assert.equal(await lives.ask(id, { kind: 'resume' }, at), 'done')
  assert.deepEqual(await daysBefore(id, () => lives.advance(id, at, due + 61 * secondMs)), [3])
  const invoices = await lives.plans.invoices(id)
  assert.deepEqual(
    invoices.map(({ status }) => status),
    ['paid', 'void', 'paid'],
  )
})

test('an invoice that is opened late, as no worker ran, may have been charged ahead before a restore', async () => {
  const { id, due, nameCard } = await invoiced()
  await lives.settle(id, due + secondMs)
  assert.deepEqual(await daysBefore(id, () => nameCard(cards.success, due + 2 * secondMs)), [3])
})
