import assert from 'node:assert/strict'
import { exchanging } from './conversion.ts'
import { register } from './destination.ts'
import { cards, type Merchant, mobileSale, sale, setup, transferSale } from './merchant.ts'
import { until } from './until.ts'
import { depositInto, openAccount } from './virtual-account.ts'

/** The rows that a release leaves behind: their ids by what they are. */
export type ReleaseWork = Record<string, string>

/** Nothing listens there, so deliveries to it wait for their next attempt. */
const nowhere = 'http://127.0.0.1:9/'
const rich = { ...transferSale, amount: '500000.00' }
const noAnswer = { reference: 'sandbox_no_answer' }

/** Makes work of every kind, finished and under way, by calls of a merchant and of buyers, while a worker runs. */
export async function makeWork(merchant: Merchant): Promise<ReleaseWork> {
  await merchant.setWebhook(nowhere)
  await merchant.chargeByTransfer(rich)
  return { ...(await makeSales(merchant)), ...(await makeRefunds(merchant)), ...(await makePayouts(merchant)) }
}

async function makeSales(merchant: Merchant): Promise<ReleaseWork> {
  const made = async (body = sale) => merchant.createCheckout(body)
  const [paid, open, challenged] = [await made(), await made(), await made()]
  const [awaited, short, left] = [await made(transferSale), await made(transferSale), await made(transferSale)]
  const [prompted, coins, saved] = [await made(mobileSale), await made(), await merchant.createCheckout(customerSetup)]
  const { payment_id: charge } = await merchant.payByCard(paid)
  await merchant.payByCard(challenged, cards.threeDs)
  await merchant.payByTransfer(awaited)
  const { payment_id: shortPayment } = await merchant.payByTransfer(short)
  await merchant.deposit(shortPayment, { amount: '1000.00' })
  await merchant.payByTransfer(left)
  await merchant.cancel(left.checkout_id)
  await merchant.payByPhone(prompted, { phone_number: '+254700000005' }) // its owner never answers
  await merchant.payByCrypto(coins)
  await merchant.payByCard(saved)
  const account = await openAccount(merchant, 'grace@example.com')
  await depositInto(merchant, account, { amount: '700.00' })
  return {
    paid: paid.checkout_id,
    charge: String(charge),
    open: open.checkout_id,
    challenged: challenged.checkout_id,
    awaited: awaited.checkout_id,
    short: short.checkout_id,
    left: left.checkout_id,
    prompted: prompted.checkout_id,
    coins: coins.checkout_id,
    saved: saved.checkout_id,
  }
}

const customerSetup = { ...setup, customer: { email: 'ada@example.com', name: 'Ada Buyer' } }

async function makeRefunds(merchant: Merchant): Promise<ReleaseWork> {
  const [first, second] = [await merchant.chargeByTransfer(), await merchant.chargeByTransfer()]
  const refunded = await merchant.refund(first)
  const refunding = await merchant.refund(second, noAnswer)
  const priced = { from_currency: 'NGN', to_currency: 'USD', from_amount: '50000.00' }
  const converted = await exchanging(merchant).convert({}, priced)
  const converting = await exchanging(merchant).convert(noAnswer, priced)
  return {
    refunded: refunded.refund_id,
    refunding: refunding.refund_id,
    converted: converted.conversion_id,
    converting: converting.conversion_id,
  }
}

async function makePayouts(merchant: Merchant): Promise<ReleaseWork> {
  const to = (account_number: string, more = {}) => register(merchant, 'NGN', { account_number, ...more })
  const [good, silent] = [await to('0123450001'), await to('0123450003')]
  const [undecided, refused] = [await to('0123450008'), await to('0123450009')]
  const isApproved = async (id: string) =>
    (await merchant.call('GET', `/v1/payouts/destinations/${id}`)).body['status'] === ('approved' as never)
  await until(async () => (await isApproved(good.id)) && isApproved(silent.id), 'the destinations are approved')
  await merchant.call('PATCH', `/v1/payouts/destinations/${good.id}`, { is_default: true })
  const daily = { interval: 'daily', minimum_amount: '1000.00' }
  const schedule = await merchant.call('POST', '/v1/balance_settings', { schedule_by_currency: { NGN: daily } })
  assert.equal(schedule.status, 200, schedule.text)
  const sent = await merchant.payOut(good.id)
  const held = await merchant.payOut(good.id, { reference: 'sandbox_hold' })
  const unanswered = await merchant.payOut(silent.id)
  const is = async ({ id }: { id: string }, status: string) => (await merchant.getPayout(id)).status === status
  await until(() => is(sent, 'completed'), 'a payout is completed')
  await until(() => is(held, 'pending'), 'a payout is held')
  await until(() => is(unanswered, 'processing'), 'a payout is with the rail')
  return {
    sent: sent.id,
    held: held.id,
    unanswered: unanswered.id,
    undecided: undecided.id,
    refused: refused.id,
    good: good.id,
  }
}

/** Makes work while no worker runs: it is in the outbox, and none of its processes has begun. */
export async function makePromises(merchant: Merchant, work: ReleaseWork): Promise<ReleaseWork> {
  const quoted = { from_currency: 'NGN', to_currency: 'USD', from_amount: '20000.00' }
  return {
    promisedSession: (await merchant.createCheckout()).checkout_id,
    promisedRefund: (await merchant.refund(String(work['charge']), { amount: 5 })).refund_id,
    promisedConversion: (await exchanging(merchant).convert({}, quoted)).conversion_id,
    promisedPayout: (await merchant.payOut(String(work['good']))).id,
  }
}
