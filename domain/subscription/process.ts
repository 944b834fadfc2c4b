import type { Currency } from '../currency.ts'
import { format } from '../money.ts'
import type { Corridor } from '../corridor.ts'
import { type ProviderName, providerOf, providerOfCorridor } from '../rail-provider.ts'
import { type About, clockMoved, contract, message, type Owned, operatorUpdates } from '../process-contract.ts'
import type { SubscriptionStep } from './next-step.ts'
import type { SubscriptionStatus } from './subscription.ts'

const asked = (means: string) => message<[changeId: string]>(means)

// What is asked for is in a row, because it may hold a customer's own words.
const changes = {
  edit: asked('The metadata, the card or the end of the trial is changed.'),
  cancel: asked('The subscription is to end, now or at the end of its period.'),
  uncancel: asked('The subscription is not to end after all.'),
  pause: asked('The subscription is to pause, now or at the end of its period.'),
  resume: asked('The paused subscription is to go on, or is not to pause after all.'),
  changePlan: asked('Another product or quantity is to be paid for.'),
  retryPayment: asked('The open invoice is to be charged now.'),
  voidInvoice: asked('An open invoice is not to be paid.'),
}

// Staff can act on a payment that its rail has not decided; the action's row names the payment.
const { retry, markSettled, markFailed } = operatorUpdates

export const subscriptionProcess = contract({
  prefix: 'subscription',
  queue: 'main',
  updates: { ...changes, retry, markSettled, markFailed },
  signals: {
    railAnswered: message<[paymentId: string]>('The rail has news about a payment: the process looks it up.'),
    invoicePaid: message<[invoiceId: string]>('An invoice was paid on its page.'),
    ...clockMoved,
  },
})

/** The updates that merchants and customers ask for. */
export const subscriptionChanges = Object.keys(changes) as (keyof typeof changes)[]

/** Whom a subscription waits for, by what it does next. */
export function waitingOnOf(status: SubscriptionStatus, step: SubscriptionStep | null): string {
  if (status === 'canceled') return 'nobody'
  if (step === 'payment_attempt' || step === 'dunning_end') return 'buyer'
  return step === null || step === 'resumption' ? 'merchant' : 'next period'
}

type Row = Owned & {
  status: SubscriptionStatus
  amount: string
  currency: Currency
  interval: string
  intervalCount: number
  corridor: Corridor | null
  wakesFor: SubscriptionStep | null
}

/** The provider of a subscription's charges: that of its card, which may be in another currency than its price. */
export const providerOfSubscription = (row: Pick<Row, 'environment' | 'currency' | 'corridor'>): ProviderName | null =>
  providerOfCorridor(row.environment, row.corridor) ?? providerOf(row.environment, row.currency)

export const aboutSubscription = (row: Row): About => {
  const { accountId, environment, status, amount, currency, interval, intervalCount, wakesFor } = row
  const every = intervalCount === 1 ? `each ${interval}` : `every ${intervalCount} ${interval}s`
  const summary = `${format(amount, currency)} ${currency} ${every}`
  const provider = providerOfSubscription(row)
  return { accountId, environment, status, waitingOn: waitingOnOf(status, wakesFor), provider, summary }
}
