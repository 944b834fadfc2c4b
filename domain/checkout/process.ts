import type { Currency } from '../currency.ts'
import { format } from '../money.ts'
import { type About, contract, message, type Owned } from '../process-contract.ts'

export const checkoutProcess = contract({
  prefix: 'checkout',
  queue: 'main',
  updates: {
    pay: message<[requestId: string, atOnce: boolean]>(
      'A buyer chose how to pay; `atOnce` makes the payment without a further word of theirs.',
    ),
    confirm: message<[id: string, codeToken: string | null]>(
      'The buyer’s word to go on (a request’s id), or their one-time code as the vault’s token for a payment.',
    ),
    cancel: message('The merchant or the buyer cancels the session.'),
    accept: message<[paymentId: string]>('The merchant takes what has arrived of a short payment.'),
  },
  signals: {
    railAnswered: message<[paymentId: string]>('The rail has news about a payment; the process asks it what.'),
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
  signals: { railAnswered: message('The bank has news about a transfer; the process asks it what.') },
})

/** `id` is the id of the virtual account that received the money. */
export const aboutDeposit = ({ accountId, environment, id }: Owned & { id: string }): About => ({
  accountId,
  environment,
  status: 'processing',
  waitingOn: 'rail',
  summary: `A deposit into ${id}`,
})
