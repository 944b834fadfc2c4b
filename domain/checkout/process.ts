import { contract, message } from '../process-contract.ts'

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

export const depositProcess = contract({
  prefix: 'deposit',
  queue: 'main',
  signals: { railAnswered: message('The bank has news about a transfer; the process asks it what.') },
})
