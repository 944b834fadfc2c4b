import { randomBytes } from 'node:crypto'
import { type EventType, eventTypes } from '../domain/webhook/event.ts'
import type { Answer } from './api.ts'
import { recordOf } from '../domain/narrow.ts'
import { clockTimeoutMs } from './clocks.ts'
import { Failure } from './failure.ts'
import * as platform from './platform-steps.ts'
import { newBuyer, pay, type Recipe, refund, type Step, subscribe, transfer } from './sale-steps.ts'

async function changeCustomer(step: Step): Promise<void> {
  const { customer_id } = await step('a customer is created', { path: '/v1/customers', body: newBuyer() })
  const path = `/v1/customers/${customer_id}`
  await step('their name is changed', { method: 'PATCH', path, body: { name: 'Ada Byron' } })
}

/** Exchanges a part of a bank transfer for dollars: its money is available at once. */
async function exchange(step: Step, what: string, outcome: 'success' | 'failed'): Promise<void> {
  await transfer(step, 'all of the money arrives', '5000.00')
  const { quote_id } = await step('a quote is requested', {
    path: '/v1/conversions/quotes',
    body: { from_currency: 'NGN', to_currency: 'USD', from_amount: '3200.00' },
  })
  await step(what, { path: '/v1/conversions', body: { quote_id, simulated_outcome: outcome } })
}

/** In the sandbox, the account number decides the outcome of a payout. */
const numbers = { arrives: '0123450001', fails: '0123450002' }

/** Pays out a part of a bank transfer to a new destination, once the sandbox has approved that. */
async function payOut(step: Step, what: string, account_number: string): Promise<string> {
  await transfer(step, 'all of the money arrives', '5000.00')
  const account = { name: 'From steadypay trigger', type: 'bank_account', currency: 'NGN', bank_code: '058' }
  const path = '/v1/payouts/destinations'
  const { id: destination } = await step('a destination is registered', { path, body: { ...account, account_number } })
  await step('the sandbox approves it', {
    method: 'GET',
    path: `${path}/${destination}`,
    until: ({ is_usable }) => is_usable === true,
  })
  const { id } = await step(what, { path: '/v1/payouts', body: { destination, amount: '1000.00' } })
  return String(id)
}

async function payOutAndReturn(step: Step): Promise<void> {
  const path = `/v1/payouts/${await payOut(step, 'a payout is requested', numbers.arrives)}`
  await step('it arrives', { method: 'GET', path, until: ({ status }) => status === 'completed' })
  const settle = path.replace('/v1', '/v1/test-helpers')
  await step('the bank sends it back', { path: `${settle}/settle`, body: { outcome: 'returned' } })
}

/** The buyer's bank disputes a card payment, and the merchant answers, if an answer is named. */
async function dispute(step: Step, answer?: { what: string; evidence: string }): Promise<void> {
  const { charge } = await pay(step, 'the buyer pays by card', 'success')
  const { payment_id } = charge as { payment_id: string }
  const path = `/v1/test-helpers/payments/${payment_id}/dispute`
  const { dispute_id } = await step('their bank disputes the payment', { path, body: {} })
  if (!answer) return
  const body = { uncategorized_text: answer.evidence, submit: true }
  await step(answer.what, { method: 'PATCH', path: `/v1/disputes/${dispute_id}/evidence`, body })
}

/** What a scenario does, on a test clock of its own: time that would take days passes at once. */
const passing =
  (what: string, ...steps: Answer[]): Recipe =>
  async (step) => {
    const body = { name: `steadypay trigger: ${what}`, seed: randomBytes(8).toString('hex'), steps }
    const path = '/v1/test-helpers/scenarios'
    const ran = await step(`a scenario passes: ${what}`, { path, body, timeoutMs: clockTimeoutMs })
    const failed = (ran as Ran).steps?.find(({ status }) => status === 'failed')
    if (failed?.error) throw new Failure(failed.error.error_code, `The scenario failed: ${failed.error.detail}`)
  }
type Ran = { steps?: { status: string; error?: { error_code: string; detail: string } | null }[] }

const price = { amount: '25.00', currency: 'USD' }
const trial = passing(
  'a trial that is canceled',
  { subscribe: { ...price, trial_days: 14 } },
  { wait: 'P12D' },
  {
    cancel: {},
  },
  { wait: 'P2D' },
)
const renewal = passing('a subscription renews', { subscribe: price }, { wait: 'P1M' })
const lateRenewal = passing(
  'a renewal is declined, and a new card pays it',
  { subscribe: { ...price, outcome: 'declines_later' } },
  { wait: 'P1M' },
  { wait: 'P3D' },
  { new_card: {} },
)

async function pause(step: Step): Promise<string> {
  const path = await subscribe(step)
  await step('it is paused', { path: `${path}/pause`, body: { at_period_end: false } })
  return path
}

const pauseAndResume: Recipe = async (step) => step('it is resumed', { path: `${await pause(step)}/resume` })

const paid: Recipe = (step) => pay(step, 'the buyer pays by card', 'success')

/** Chains of public calls that cause the event, as a merchant and a buyer would. */
const chains: Record<EventType, Recipe> = {
  'collection.succeeded': paid,
  'checkout.completed': paid,
  'collection.failed': (step) => pay(step, 'the card is declined', 'card_declined'),
  'collection.underpaid': (step) => transfer(step, 'half of the money arrives', '2500.00'),
  'conversion.completed': (step) => exchange(step, 'the quote is executed', 'success'),
  'conversion.failed': (step) => exchange(step, 'the quote is executed, and the rail fails', 'failed'),
  'payout.created': (step) => payOut(step, 'a payout is requested', numbers.arrives),
  'payout.paid': (step) => payOut(step, 'a payout is requested, which arrives', numbers.arrives),
  'payout.failed': (step) => payOut(step, 'a payout is requested, and the rail fails', numbers.fails),
  'payout.returned': payOutAndReturn,
  'refund.created': (step) => refund(step, 'a refund is requested', 'success'),
  'refund.paid': (step) => refund(step, 'a refund is requested, which arrives', 'success'),
  'refund.failed': (step) => refund(step, 'a refund is requested, and the rail fails', 'failed'),
  'dispute.created': (step) => dispute(step),
  'dispute.updated': (step) => dispute(step, { what: 'evidence is submitted', evidence: 'The customer has it.' }),
  'dispute.won': (step) => dispute(step, { what: 'evidence is submitted that wins', evidence: 'winning_evidence' }),
  'dispute.lost': (step) => dispute(step, { what: 'evidence is submitted that loses', evidence: 'losing_evidence' }),
  'dispute.evidence_due_soon': passing(
    'a dispute that nobody answers',
    { create: price },
    { pay: {} },
    { dispute: {} },
    { wait: 'P12D' },
  ),
  'checkout.expired': passing('a session that nobody pays', { create: price }, { wait: 'P2D' }),
  'customer.subscription.created': renewal,
  'customer.subscription.renewed': renewal,
  'customer.subscription.updated': trial,
  'customer.subscription.trial_will_end': trial,
  'customer.subscription.canceled': trial,
  'customer.subscription.past_due': lateRenewal,
  'customer.subscription.paused': pause,
  'customer.subscription.resumed': pauseAndResume,
  'invoice.paid': renewal,
  'invoice.payment_failed': lateRenewal,
  'customer.updated': changeCustomer,
  'customer.created': (step) => pay(step, 'a new buyer pays by card', 'success', { customer_creation: 'always' }),
  'account.updated': platform.onboard,
  'capability.updated': platform.onboard,
  'transfer.created': platform.send,
  'transfer.reversed': platform.sendAndReverse,
  'transfer.updated': platform.undoReversal,
  'platform_fee.created': platform.earnFee,
  'platform_fee.refunded': platform.refundFee,
  'platform_fee.updated': platform.undoFeeRefund,
}

export const recipes = recordOf(eventTypes, (type) => chains[type])
