import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { chargeData } from '../doubles/paystack/callbacks.ts'
import { addLiveMerchant } from '../support/live.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { buyer, mobileSale, sale, transferSale } from '../support/merchant.ts'
import { findUnreplayable } from '../support/replay.ts'
import { settled } from '../support/settled.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'

// A provider that hangs or fails, while others work: who waits, who does not, and what is sent in the end.
const { stack, api, stripe, paystack, send, paystackCallback } = await useLiveStack({ invariants: 'at the end' })
const { merchant } = await addLiveMerchant(stack, api)

type Session = Awaited<ReturnType<typeof merchant.createCheckout>>

const payByCard = (session: Session) =>
  merchant.pay(session, {
    payment_method: 'USD_CARD',
    card: { token: stripe.addCard() },
    customer_details: buyer,
    confirm: true,
  })
const payByTransfer = (session: Session) =>
  merchant.pay(session, { payment_method: 'NGN_BANK_TRANSFER', customer_details: buyer })
const statusOf = async (session: Session) => (await merchant.getCheckout(session.checkout_id))['status']
const isCompleted = (session: Session) => until(async () => (await statusOf(session)) === 'completed', 'it is paid')

/** The task queues on which the steps of a process ran that leave the machine, or those of one name. */
async function queuesOf(process: 'checkout' | 'subscription', id: string, only?: string): Promise<string[]> {
  const { events } = await stack.client.workflow.getHandle(`${process}/${id}`).fetchHistory()
  const steps = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: step }) => step ?? [])
  const named = steps.filter(({ activityType }) => only === undefined || activityType?.name === only)
  const names = named.flatMap(({ taskQueue }) => taskQueue?.name ?? [])
  return [...new Set(names)].map((name) => name.replace(stack.taskQueue, ''))
}

async function paidByPhone(): Promise<Session> {
  const session = await merchant.createCheckout({ ...mobileSale, customer: buyer })
  const { payment_id } = await merchant.payByPhone(session)
  await settled(stack.client, 'checkout', session.checkout_id)
  const data = chargeData(paystack.agree(String(payment_id).replace('_', '-')))
  assert.equal(await send('paystack', paystackCallback('charge.success', data)), 200)
  await isCompleted(session)
  return session
}

test('while one provider hangs, the other one and the sandbox sell, and each order is taken once', async () => {
  const sessions = await Promise.all(Array.from({ length: 45 }, () => merchant.createCheckout(sale)))
  stripe.fail('POST /v1/payment_intents', ...Array.from({ length: 500 }, () => 'hanging' as const))
  stripe.fail('GET /v1/payment_intents', ...Array.from({ length: 500 }, () => 'hanging' as const))
  const paying = sessions.map((session) => payByCard(session))
  await until(() => stripe.requests.filter(({ method }) => method === 'POST').length >= 10, 'Stripe has orders')
  const byPhone = await paidByPhone()
  const { merchant: other } = await api.addMerchant()
  await other.chargeByCard()
  for (const session of sessions) assert.equal(await statusOf(session), 'open')
  assert.deepEqual(await queuesOf('checkout', byPhone.checkout_id), ['-paystack'])
  stripe.worksAgain()
  const answers = await Promise.all(paying)
  for (const { status, text } of answers) assert.ok(status === 200 || status === 503, text)
  const taken = await stack.sql<{ id: string; checkout_id: string; status: string; failure_code: string | null }>(
    `select id, checkout_id, status, failure_code from payments where corridor = 'USD_CARD' and environment = 'live'`,
  )
  assert.ok(taken.length >= 16, 'many orders were on their way')
  for (const { id, checkout_id } of taken) {
    const ended = async () => {
      const [row] = await stack.sql<{ status: string }>('select status from payments where id = ?', [id])
      return row?.status === 'succeeded' || row?.status === 'failed'
    }
    await until(ended, `${checkout_id} is decided`)
    const [row] = await stack.sql<{ status: string; failure_code: string | null }>(
      'select status, failure_code from payments where id = ?',
      [id],
    )
    const made = stripe.madeFor('payment_intent', id)
    assert.equal(made.length, row?.status === 'succeeded' ? 1 : 0)
    if (row?.status === 'failed') assert.equal(row.failure_code, 'rail_unavailable')
  }
  const decided = sessions.find(({ checkout_id }) => taken.some((row) => row.checkout_id === checkout_id))
  assert.deepEqual(await queuesOf('checkout', decided!.checkout_id), ['-stripe'])
})

test('a buyer whose provider is down is told so; what was sent before is asked about', async () => {
  paystack.fails('POST /charge', 'broken', 1_000)
  paystack.fails('GET ', 503, 1_000)
  const early = await Promise.all(Array.from({ length: 6 }, () => merchant.createCheckout(transferSale)))
  const sent = await Promise.all(early.map((session) => payByTransfer(session)))
  for (const { body, text } of sent) assert.ok(['processing', 'failed'].includes(String(body['payment_status'])), text)
  let [late, refused] = [early[0]!, sent[0]!]
  // One buyer's order may be the request that tries whether the provider is back. Others come meanwhile.
  const waiting: Promise<unknown>[] = []
  const isRefused = async () => {
    waiting.push(payByTransfer(await merchant.createCheckout(transferSale)))
    await setTimeout(1_000)
    late = await merchant.createCheckout(transferSale)
    refused = await payByTransfer(late)
    return refused.body['failure_code'] === 'rail_unavailable'
  }
  await until(isRefused, 'a buyer is told that the provider is down')
  await Promise.all(waiting)
  assert.equal(await statusOf(late), 'open')
  const { payment_id } = refused.body
  const reference = String(payment_id).replace('_', '-')
  assert.equal(paystack.calls.filter(({ body }) => body['reference'] === reference).length, 0)
  paystack.worksAgain()
  const pays = async () => {
    const { body } = await payByTransfer(late)
    return body['payment_status'] === 'requires_action'
  }
  await until(pays, 'the buyer can pay again', { withinMs: 30_000, everyMs: 1_000 })
  const unknown = early.filter((_, n) => sent[n]?.body['payment_status'] === 'processing')
  assert.ok(unknown.length > 0)
  for (const session of unknown) {
    const isKnown = async () => {
      const [row] = await stack.sql<{ payment_status: string }>('select payment_status from checkouts where id = ?', [
        session.checkout_id,
      ])
      return row?.payment_status === 'requires_action'
    }
    await until(isKnown, 'the order that was lost is known')
  }
})

test('a subscription is charged on the queue of its card’s provider, whatever currency its price is in', async () => {
  const plans = subscriptionsOf(stack, merchant)
  for (const currency of ['GBP', 'NGN']) {
    const [product, larger] = [
      await plans.createProduct({ currency, amount: '20000.00' }),
      await plans.createProduct({ currency, amount: '40000.00' }),
    ]
    const session = await plans.createSession(product.product_id)
    const card = { token: stripe.addCard() }
    const paid = await merchant.pay(session, { payment_method: 'USD_CARD', card, confirm: true })
    assert.equal(paid.body['payment_status'], 'succeeded', paid.text)
    await isCompleted(session)
    const { recurring } = (await merchant.getCheckout(session.checkout_id)) as {
      recurring: { subscription_id: string }
    }
    const { subscription_id: id } = recurring
    await stack.dispatched()
    await plans.act(id, 'change-plan', { product_id: larger.product_id })
    await until(async () => (await plans.invoices(id)).every(({ status }) => status === 'paid'), 'the card is charged')
    assert.deepEqual(await queuesOf('subscription', id, 'chargeSubscription'), ['-stripe'], currency)
    await plans.act(id, 'cancel', { at_period_end: false })
  }
})

test('every process that ran here replays', async () => {
  assert.deepEqual(await findUnreplayable(stack), [])
})
