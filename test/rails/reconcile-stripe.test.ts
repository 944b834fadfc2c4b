import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { timeLimits } from '../../db/core/time-limits.ts'
import { movedWithin } from '../../db/reconciliation.ts'
import { openDatabase } from '../../db/open-database.ts'
import type { Comparison } from '../../domain/reconciliation.ts'
import { openStatement } from '../../rails/open-statement.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { compareDay } from '../../scripts/reconcile/compare-day.ts'
import { printed } from '../../scripts/reconcile/print.ts'
import type { Entry } from '../doubles/stripe/books.ts'
import { beginPayment, beginRefund, ownDispute, ownPayment } from '../support/own-money.ts'
import { errorOf, marker, useStripe } from '../support/stripe.ts'
import { atEnd, use } from '../support/use.ts'

// What Stripe's double has of a day against our rows and our ledger, both made by the code that makes them in live.
const { database, double, rail, sql, secretKey, chargeOrder, refundOrder } = await useStripe()
const dayMs = 86_400_000
const day = '2026-11-20'
const from = Date.parse(`${day}T00:00:00Z`)
const noon = from + dayMs / 2
const span = { from, to: from + dayMs }

const access = {
  stripe: {
    secretKey,
    publishableKey: 'pk_live_1',
    callbackSecrets: [],
    url: double.url,
    livemode: true,
  },
  paystack: null,
}
const pauses: number[] = []
const reader = await use(
  () => openDatabase(database.url, 2, timeLimits, { isReadOnly: true }),
  ({ orm }) => orm.close(),
)
const opened = openStatement('stripe', access, reader, async (ms) => void pauses.push(ms))
assert.ok(opened)
atEnd(opened.close)
const compare = (within = span) => compareDay(reader, opened.statement, within)
const shown = ({ differences }: Comparison) => differences.map(({ reason, kind }) => `${kind} ${reason}`)

/** Stripe's clock stands at this moment. */
const itIs = (moment: number) => void (double.books.clock.aheadMs = moment - Date.now())

const usd = { currency: 'USD', corridor: 'USD_CARD' } as const

/** A sale that Stripe has taken; `isHere`: and that we have too, at the moment `at`. */
async function sale({ isHere = true, at = noon, amount = '25.00', disputes = false } = {}) {
  const order = chargeOrder({ token: double.addCard({ disputes }), amount })
  const answer = await rail.charge(order, at)
  assert.equal(answer.status, 'succeeded')
  if (isHere) await ownPayment(database, { ...usd, id: order.paymentId, amount }, at)
  const [intent] = double.madeFor('payment_intent', order.paymentId)
  const charge = double.books.entries.get(String(intent?.['latest_charge']))
  assert.ok(intent && charge)
  return { order, id: order.paymentId, intent, charge }
}

/** A refund that both sides have. */
async function refund({ order, id }: Awaited<ReturnType<typeof sale>>, amount: string) {
  const own = await beginRefund(database, id, amount, noon)
  assert.equal(await rail.refund(refundOrder(order, { refundId: own.id, amount })), 'succeeded')
  await own.end('succeeded')
  const [entry] = double.madeFor('refund', own.id)
  assert.ok(entry)
  return { id: own.id, entry }
}

/** Changes an entry of Stripe's for the time of a comparison. */
async function whileChanged(entry: Entry, change: Record<string, unknown>, within = span) {
  const before = { ...entry }
  Object.assign(entry, change)
  const found = await compare(within)
  Object.assign(entry, before)
  return found
}

itIs(noon)
const plain = await sale()
const refunded = await sale({ amount: '100.00' })
const back = await refund(refunded, '10.50')
const disputed = await sale({ disputes: true })
const raised = double.books.all('dispute')[0]
assert.ok(raised)
const dispute = await ownDispute(database, disputed.id, raised.id, '25.00', noon)
double.disputes.decide(raised.id, 'lost')
await dispute.end('lost')

test('a day on which both sides say the same has no difference, and its sums are exact', async () => {
  const before = double.requests.length
  const found = await compare()
  assert.deepEqual(found.differences, [])
  assert.deepEqual(
    found.totals.map(({ kind, currency, theirs, ours }) => [kind, currency, theirs, ours]),
    [
      ['payment', 'USD', { count: 3, amount: '150' }, { count: 3, amount: '150' }],
      ['refund', 'USD', { count: 1, amount: '10.5' }, { count: 1, amount: '10.5' }],
      ['dispute', 'USD', { count: 1, amount: '25' }, { count: 1, amount: '25' }],
    ],
  )
  const made = double.requests.slice(before)
  assert.ok(made.length === 3 && made.every(({ method }) => method === 'GET'))
  await assert.rejects(reader.orm.em.fork().execute('delete from stripe_orders'), /read-only/)
  const empty = await compare({ from: from - dayMs, to: from })
  assert.deepEqual([empty.differences, empty.totals], [[], []])
})

test('another amount, currency or status of each kind is found, with both sides', async () => {
  const amount = await whileChanged(plain.charge, { amount_captured: 2499 })
  assert.deepEqual(shown(amount), ['payment amount'])
  const lines = printed(amount).join('\n')
  assert.match(lines, new RegExp(`payment ${plain.id}: the amounts differ\n\\s+theirs: 24\\.99 USD, settled`))
  assert.match(lines, /ours: {3}25\.00\d* USD, settled, ledger 25/)
  assert.match(lines, /payments in USD: theirs 3, 149\.99; ours 3, 150/)
  assert.deepEqual(shown(await whileChanged(plain.charge, { currency: 'eur' })), ['payment currency'])
  assert.deepEqual(shown(await whileChanged(plain.charge, { currency: 'aud' })), ['payment currency'])
  assert.deepEqual(shown(await whileChanged(plain.charge, { status: 'failed' })), ['payment status'])
  assert.deepEqual(shown(await whileChanged(back.entry, { amount: 1049 })), ['refund amount'])
  for (const status of ['failed', 'canceled', 'pending', 'requires_action'])
    assert.deepEqual(shown(await whileChanged(back.entry, { status })), ['refund status'], status)
  for (const status of ['won', 'under_review', 'warning_closed'])
    assert.deepEqual(shown(await whileChanged(raised, { status })), ['dispute status'], status)
  const prevented = { status: 'prevented' }
  assert.deepEqual(shown(await whileChanged(raised, prevented)), [], 'its money has left all the same')
  const unmoved = await whileChanged(raised, { ...prevented, balance_transactions: [] })
  assert.deepEqual(shown(unmoved), ['dispute status'])
  assert.deepEqual(shown(await compare()), [])
})

test('money that Stripe has and we do not: by the book, by the metadata alone, and a refund made by hand', async () => {
  itIs(noon)
  const lost = await sale({ isHere: false })
  assert.deepEqual(shown(await compare()), ['payment not_here'])
  await beginPayment(database, { ...usd, id: lost.id, amount: '25.00' }, noon)
  assert.deepEqual(shown(await compare()), ['payment status'], 'it is still processing with us')
  await sql('delete from payments where id = ?', [lost.id])
  await sql('delete from stripe_orders where order_id = ?', [lost.id])
  const [found] = (await compare()).differences
  assert.deepEqual([found?.reason, found?.ourId], ['not_here', lost.id])
  double.books.entries.delete(lost.charge.id)
  const byHand = double.books.add('re', 'refund', {
    amount: 100,
    currency: 'usd',
    charge: plain.charge.id,
    payment_intent: plain.intent.id,
    status: 'succeeded',
    metadata: {},
  })
  const hand = await compare()
  assert.deepEqual(shown(hand), ['refund not_here'])
  assert.match(
    printed(hand).join('\n'),
    new RegExp(`refund ${byHand.id} of ${plain.id}: the provider has it, and we do`),
  )
  byHand['status'] = 'pending'
  assert.deepEqual(shown(await compare()), ['refund not_here'], 'it will move money')
  double.books.entries.delete(byHand.id)
  const unknown = double.books.add('du', 'dispute', { ...raised, id: 'du_unknown', status: 'needs_response' })
  assert.deepEqual(shown(await compare()), ['dispute not_here'])
  double.books.entries.delete(unknown.id)
})

test('money that we have and Stripe does not, and a sale that Stripe has taken twice', async () => {
  const { charge, intent } = plain
  double.books.entries.delete(charge.id)
  double.books.entries.delete(intent.id)
  assert.deepEqual(shown(await compare()), ['payment not_there'])
  double.books.entries.set(intent.id, intent)
  intent['status'] = 'canceled'
  assert.deepEqual(shown(await compare()), ['payment status'], 'asked about it, Stripe says that it was not paid')
  intent['status'] = 'succeeded'
  double.books.entries.set(charge.id, charge)
  double.books.entries.delete(back.entry.id)
  assert.deepEqual(shown(await compare()), ['refund not_there'])
  double.books.entries.set(back.entry.id, back.entry)
  const { id: _, ...again } = charge
  const second = double.books.add('ch', 'charge', { ...again, payment_intent: 'pi_second' })
  assert.deepEqual(shown(await compare()), ['payment twice'])
  double.books.entries.delete(second.id)
})

test('a payment or a refund whose posting differs from its row is found', async () => {
  await sql('update payments set amount_received = 24 where id = ?', [plain.id])
  assert.deepEqual(shown(await compare()), ['payment ledger', 'payment amount'])
  await sql('update payments set amount_received = 25 where id = ?', [plain.id])
})

test('money of others is listed apart, on all pages', async () => {
  for (let index = 0; index < 230; index++) {
    double.books.add('ch', 'charge', {
      ...plain.charge,
      id: `ch_other_${index}`,
      payment_intent: index % 2 === 0 ? null : `pi_other_${index}`,
      metadata: index % 3 === 0 ? { steadypay_id: 'nothing of ours' } : {},
    })
  }
  const before = double.requests.length
  const found = await compare()
  assert.deepEqual([found.differences, found.foreignCount, found.foreign.length], [[], 230, 100])
  assert.equal(found.totals[0]?.theirs.count, 3)
  assert.equal(double.requests.slice(before).filter(({ path }) => path === '/v1/charges').length, 3)
  assert.match(printed(found).join('\n'), /and 130 more/)
  for (let index = 0; index < 230; index++) double.books.entries.delete(`ch_other_${index}`)
})

test('a payment at the edge of the day, before midnight at Stripe and after it here, is on neither day', async () => {
  itIs(span.to - 5_000)
  const late = await sale({ at: span.to + 20_000 })
  assert.deepEqual(shown(await compare()), [])
  assert.deepEqual(shown(await compare({ from: span.to, to: span.to + dayMs })), [])
  const asked = await whileChanged(late.intent, { amount_received: 2400 }, { from: span.to, to: span.to + dayMs })
  assert.deepEqual(shown(asked), ['payment amount'], 'it was asked about')
})

test('what the ledger has posted on the day is read once, on pages of any size', async () => {
  const idsOf = async (size: number, within = span) => {
    const found = []
    for await (const page of movedWithin(reader, within, size))
      found.push(...page.map(({ kind, id }) => `${kind} ${id}`))
    return found
  }
  const all = await idsOf(500)
  assert.deepEqual(
    all.toSorted(),
    [`payment ${plain.id}`, `payment ${refunded.id}`, `payment ${disputed.id}`, `refund ${back.id}`]
      .concat(`dispute ${dispute.id}`)
      .toSorted(),
  )
  for (const size of [1, 2, 5]) assert.deepEqual(await idsOf(size), all)
  const nextDay = { from: span.to, to: span.to + dayMs }
  assert.equal((await idsOf(2, nextDay)).length, 1, 'the payment at the edge of the day')
})

test('a limit is waited for as long as Stripe says, a failure is asked again, and a refused key is not', async () => {
  pauses.length = 0
  double.fail('GET /v1/charges', 'limited', 'failed')
  double.fail('GET /v1/refunds', 'cut')
  assert.deepEqual(shown(await compare()), [])
  assert.deepEqual(pauses, [1000, 2000, 1000])
  double.setKeys(`sk_live_${marker}2`)
  await errorOf(compare())
  double.setKeys(secretKey)
  assert.deepEqual(pauses, [1000, 2000, 1000])
  double.fail('GET /v1/charges', ...Array.from({ length: 6 }, () => 'failed' as const))
  await errorOf(compare())
  double.tamper('GET /v1/charges', (body) => {
    const [first] = body['data'] as Record<string, unknown>[]
    if (first) first['livemode'] = false
  })
  await errorOf(compare())
})

/** Runs the command. */
async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/reconcile.ts'), ...args], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DEPLOYMENT: 'live',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: `pk_live_${marker}1`,
      STRIPE_WEBHOOK_SECRETS: `whsec_${marker}1`,
      STRIPE_API_URL: double.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  assert.doesNotMatch(stdout + stderr, new RegExp(marker), 'no key and nothing of a buyer is printed')
  return { code: code as number, stdout, stderr }
}

test('the command: 0 without a difference, 1 with one, 2 where it could not be done', async () => {
  const args = ['--provider', 'stripe', '--day', day]
  const same = await run(args)
  assert.equal(same.code, 0, same.stderr)
  assert.match(same.stdout, /payments in USD: theirs 4, 175; ours 4, 175[\s\S]*No difference\.$/m)
  plain.charge['amount_captured'] = 2600
  const other = await run([...args, '--json'])
  plain.charge['amount_captured'] = 2500
  assert.equal(other.code, 1, other.stderr)
  const { differences } = JSON.parse(other.stdout) as { differences: { theirs: { amount: string }; id: string }[] }
  assert.deepEqual(
    differences.map(({ id, theirs }) => [id, theirs.amount]),
    [[plain.id, '26.00']],
  )
  assert.equal((await run(['--provider', 'visa', '--day', day])).code, 2)
  for (const wrong of ['2026-02-30', '2999-01-01'])
    assert.equal((await run(['--provider', 'stripe', '--day', wrong])).code, 2, wrong)
  const refused = await run(args, { STRIPE_SECRET_KEY: `sk_live_${marker}9` })
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /does not accept the key \(401\)/)
  const none = await run(['--provider', 'paystack', '--day', day])
  assert.equal(none.code, 2)
  assert.match(none.stderr, /paystack is not configured/)
  const noDatabase = await run(args, { DATABASE_URL: `postgres://u:${marker}@127.0.0.1:1/none` })
  assert.equal(noDatabase.code, 2)
})

test('a database that is away is told in one line without its password, and nothing is compared', async () => {
  const away = new URL(database.url)
  Object.assign(away, { port: '1', password: marker })
  const { code, stdout, stderr } = await run(['--provider', 'stripe', '--day', day], { DATABASE_URL: away.href })
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /^The database of DATABASE_URL: [^\n]*ECONNREFUSED[^\n]*\n$/)
})
