import type { Currency } from '../currency.ts'
import { format } from '../money.ts'
import { type ProviderName, providerOf } from '../rail-provider.ts'
import { type About, clockMoved, contract, message, type Owned, operatorUpdates } from '../process-contract.ts'

// Staff can act on a payment that its rail has not decided; the action's row names the payment. Nothing is sent for a
// payment, so there is nothing to hold.
const { retry, markSettled, markFailed } = operatorUpdates

export const checkoutProcess = contract({
  prefix: 'checkout',
  queue: 'main',
  updates: {
    pay: message<[requestId: string, atOnce: boolean, provider?: ProviderName | null, isQuick?: boolean]>(
      'A buyer chose how to pay. With `atOnce` the payment is made without a `confirm`, by this provider in live. ' +
        'A rail that `isQuick` answers within the task of the process.',
    ),
    confirm: message<[id: string, codeToken: string | null]>(
      'The buyer confirms a payment request (its id), or sends a one-time code (the payment’s id and a vault token).',
    ),
    cancel: message('The merchant or the buyer cancels the session.'),
    accept: message<[paymentId: string]>('The merchant accepts the amount that has arrived of a short payment.'),
    retry,
    markSettled,
    markFailed,
  },
  signals: {
    railAnswered: message<[paymentId: string]>('The rail has news about a payment: the process looks it up.'),
    ...clockMoved,
  },
})

type Sale = Owned & { status: string; amount: string; currency: Currency; expiresAt: Date }

export const aboutCheckout = ({ accountId, environment, status, amount, currency, expiresAt }: Sale): About => ({
  accountId,
  environment,
  status,
  waitingOn: 'buyer',
  summary: `${format(amount, currency)} ${currency}, expires ${expiresAt.toISOString()}`,
})

export const depositProcess = contract({
  prefix: 'deposit',
  queue: 'main',
  updates: { retry, markSettled, markFailed },
  signals: {
    railAnswered: message('The bank has news about the transfer: the process looks it up.'),
    ...clockMoved,
  },
})

/** `id` is the id of the virtual account that received the money. */
export const aboutDeposit = ({ accountId, environment, id }: Owned & { id: string }): About => ({
  accountId,
  environment,
  status: 'processing',
  waitingOn: 'rail',
  provider: providerOf(environment, 'NGN'),
  summary: `A deposit into ${id}`,
})
