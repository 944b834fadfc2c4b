import { type Books, checkParams, type Entry, invalidRequest, pageOfKind, wholeNumber } from './books.ts'
import type { Params } from './form.ts'

/** Refunds, which take their money from the account's balance. */
export function createRefunds(books: Books) {
  const { add, emit, get } = books
  /** What the account has, in the smallest unit. Where it is too little, a refund waits for more. */
  const balance = { minor: Infinity }

  function move(refund: Entry, status: string, more: Record<string, unknown> = {}): void {
    Object.assign(refund, { status, pending_reason: undefined, ...more })
    if (status === 'failed') {
      const charge = get('charge', String(refund['charge']))
      charge['amount_refunded'] = Number(charge['amount_refunded']) - Number(refund['amount'])
    }
    emit(status === 'failed' ? 'refund.failed' : 'refund.updated', refund)
  }

  return {
    balance,
    create(params: Params) {
      checkParams(params, ['reason'], ['payment_intent', 'amount'])
      const amount = wholeNumber(params, 'amount')
      const intent = get('payment_intent', String(params['payment_intent']), 'payment_intent')
      if (intent['status'] !== 'succeeded')
        throw invalidRequest('This PaymentIntent does not have a successful charge to refund.', {
          code: 'payment_intent_unexpected_state',
        })
      const charge = get('charge', String(intent['latest_charge']))
      const left = Number(charge['amount']) - Number(charge['amount_refunded'])
      if (left === 0)
        throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
      if (amount > left)
        throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
          param: 'amount',
        })
      if (charge['disputed'])
        throw invalidRequest(`Charge ${charge.id} has been charged back`, { code: 'charge_disputed' })
      charge['amount_refunded'] = Number(charge['amount_refunded']) + amount
      const isShort = balance.minor < amount
      const refund = add('re', 'refund', {
        amount,
        charge: charge.id,
        currency: charge['currency'],
        payment_intent: intent.id,
        metadata: params['metadata'] ?? {},
        status: isShort ? 'pending' : 'succeeded',
        ...(isShort && { pending_reason: 'insufficient_funds' }),
      })
      emit('refund.created', refund)
      return refund
    },
    retrieve: (id: string) => get('refund', id),
    list: (params: Params) => pageOfKind(books, 'refund', params, '/v1/refunds'),
    /** What the network says of a refund later. */
    settle: (id: string) => move(get('refund', id), 'succeeded'),
    fail: (id: string) => move(get('refund', id), 'failed', { failure_reason: 'lost_or_stolen_card' }),
  }
}
