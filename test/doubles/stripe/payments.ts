import { ApiError, type Books, checkParams, type Entry, invalidRequest, page, wholeNumber } from './books.ts'
import type { Params } from './form.ts'

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const hash = (value: unknown): Params => (typeof value === 'object' && !Array.isArray(value) ? (value as Params) : {})
const createKeys =
  'allowed_payment_method_types confirm customer description off_session payment_method payment_method_options ' +
  'return_url setup_future_usage statement_descriptor_suffix'

/** PaymentIntents: created and confirmed at once, 3DS by a redirect, declines, cancelling, search. */
export function createPayments(books: Books, options: { searchLagMs: number }) {
  const { add, emit, get } = books

  /** The answer about a payment, with its charge where that was asked for. */
  function present(intent: Entry, params: Params): Entry {
    const charge = books.entries.get(String(intent['latest_charge']))
    const isExpanded = Array.isArray(params['expand']) && params['expand'].includes('latest_charge')
    return { ...intent, ...(isExpanded && charge && { latest_charge: charge }) }
  }

  function takeMoney(intent: Entry, isVerified: boolean): void {
    const card = get('payment_method', String(intent['payment_method']))
    const behaviour = books.behaviours.get(card.id) ?? {}
    const charge = add('ch', 'charge', {
      amount: intent['amount'],
      amount_captured: intent['amount'],
      captured: true,
      amount_refunded: 0,
      currency: intent['currency'],
      payment_intent: intent.id,
      status: 'succeeded',
      disputed: false,
      metadata: intent['metadata'],
      payment_method_details: {
        type: 'card',
        card: { ...(card['card'] as object), three_d_secure: isVerified ? { result: 'authenticated' } : null },
      },
    })
    if (intent['setup_future_usage'] === 'off_session') card['customer'] = intent['customer']
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent['amount'],
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: null,
    })
    emit('payment_intent.succeeded', intent)
    if (behaviour.disputes) raiseDispute(intent, charge)
  }

  function raiseDispute(intent: Entry, charge: Entry): Entry {
    charge['disputed'] = true
    const dueBy = Math.floor(books.nowMs() / 1000) + 9 * 86_400
    const dispute = add('du', 'dispute', {
      amount: charge['amount'],
      charge: charge.id,
      currency: charge['currency'],
      payment_intent: intent.id,
      reason: 'fraudulent',
      status: 'needs_response',
      metadata: {},
      evidence: {},
      evidence_details: { due_by: dueBy, has_evidence: false, past_due: false, submission_count: 0 },
      payment_method_details: { type: 'card', card: { brand: 'visa', network_reason_code: '10.4' } },
      balance_transactions: [{ object: 'balance_transaction', amount: -Number(charge['amount']), fee: 1500 }],
    })
    emit('charge.dispute.created', dispute)
    return dispute
  }

  function decline(intent: Entry, code: string, declineCode: string | null): ApiError {
    const error = { type: 'card_error', code, decline_code: declineCode, message: `Declined: ${code}` }
    const method = books.entries.get(String(intent['payment_method']))
    Object.assign(intent, {
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      last_payment_error: { ...error, payment_method: method },
    })
    emit('payment_intent.payment_failed', intent)
    return new ApiError(402, { ...error, payment_intent: intent, payment_method: method })
  }

  function confirm(intent: Entry, params: Params): void {
    const card = get('payment_method', String(params['payment_method']), 'payment_method')
    const { declines, declinesOffSession, asks, processes } = books.behaviours.get(card.id) ?? {}
    const isOffSession = params['off_session'] === 'true'
    intent['payment_method'] = card.id
    const code = isOffSession ? (declinesOffSession ?? declines) : declines
    if (code === 'authentication_required') throw decline(intent, code, code)
    if (code) throw decline(intent, code === 'expired_card' ? code : 'card_declined', code)
    if (processes) {
      intent['status'] = 'processing'
      return emit('payment_intent.processing', intent)
    }
    if (!asks || (isOffSession && asks !== 'always')) return takeMoney(intent, false)
    const url = `https://hooks.stripe.com/3d_secure_2/${intent.id}`
    const action = { type: 'redirect_to_url', redirect_to_url: { url, return_url: params['return_url'] ?? null } }
    Object.assign(intent, { status: 'requires_action', next_action: action })
    emit('payment_intent.requires_action', intent)
  }

  /** What Stripe finds wrong before it carries anything out. */
  function checkOrder(params: Params): void {
    checkParams(params, createKeys.split(' '), ['amount', 'currency'])
    if (wholeNumber(params, 'amount') < 50)
      throw invalidRequest('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' })
    if (params['confirm'] !== 'true') return
    const card = get('payment_method', String(params['payment_method']), 'payment_method')
    if (card['customer'] !== null && card['customer'] !== params['customer'])
      throw invalidRequest('The customer does not have this payment method', { param: 'payment_method' })
  }

  return {
    create(params: Params) {
      checkOrder(params)
      const customer = text(params['customer'])
      if (customer !== null) get('customer', customer, 'customer')
      const intent = add('pi', 'payment_intent', {
        amount: wholeNumber(params, 'amount'),
        amount_received: 0,
        currency: String(params['currency']),
        status: 'requires_confirmation',
        customer,
        metadata: hash(params['metadata']),
        description: text(params['description']),
        statement_descriptor_suffix: text(params['statement_descriptor_suffix']),
        setup_future_usage: text(params['setup_future_usage']),
        payment_method: text(params['payment_method']),
        latest_charge: null as string | null,
        next_action: null,
        last_payment_error: null,
        cancellation_reason: null as string | null,
      })
      if (params['confirm'] === 'true') confirm(intent, params)
      else emit('payment_intent.created', intent)
      return present(intent, params)
    },
    retrieve: (id: string, params: Params) => present(get('payment_intent', id), params),
    cancel(id: string, params: Params) {
      checkParams(params, ['cancellation_reason'])
      const intent = get('payment_intent', id)
      const status = String(intent['status'])
      if (['succeeded', 'canceled', 'processing'].includes(status)) {
        const message = `You cannot cancel this PaymentIntent because it has a status of ${status}.`
        throw invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: intent })
      }
      const reason = text(params['cancellation_reason'])
      Object.assign(intent, { status: 'canceled', cancellation_reason: reason, next_action: null })
      emit('payment_intent.canceled', intent)
      return present(intent, params)
    },
    search(params: Params) {
      const [, key = '', value = ''] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(String(params['query'])) ?? []
      const known = books.nowMs() - options.searchLagMs
      const found = books
        .all('payment_intent')
        .filter(({ created, metadata }) => created * 1000 <= known && hash(metadata)[key] === value)
      return { ...page(found, params, '/v1/payment_intents/search'), object: 'search_result', next_page: null }
    },
    /** The owner of the card disputes a payment that has succeeded. */
    dispute(id: string): Entry {
      const intent = get('payment_intent', id)
      return raiseDispute(intent, get('charge', String(intent['latest_charge'])))
    },
    /** The network has processed a payment. */
    finishProcessing(id: string, isPassed: boolean): void {
      const intent = get('payment_intent', id)
      if (intent['status'] !== 'processing') throw new Error(`the payment is ${String(intent['status'])}`)
      if (isPassed) takeMoney(intent, false)
      else decline(intent, 'card_declined', 'insufficient_funds')
    },
    /** The owner of the card has been at their bank. */
    finishAtBank(id: string, isPassed: boolean): void {
      const intent = get('payment_intent', id)
      if (intent['status'] !== 'requires_action') throw new Error(`the payment is ${String(intent['status'])}`)
      if (isPassed) takeMoney(intent, true)
      else decline(intent, 'payment_intent_authentication_failure', null)
    },
  }
}
