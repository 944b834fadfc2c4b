import { ApiError, type Books, checkParams, type Entry, invalidRequest, page, type Route } from './books.ts'
import type { Params } from './form.ts'

const createKeys = 'allowed_payment_method_types confirm customer payment_method return_url usage'.split(' ')

/** SetupIntents: cards that are saved without a charge. */
export function createSetups(books: Books) {
  const { add, emit, get } = books

  function save(setup: Entry, isPassed: boolean): void {
    if (isPassed) {
      get('payment_method', String(setup['payment_method']))['customer'] = setup['customer']
      Object.assign(setup, { status: 'succeeded', next_action: null })
      return emit('setup_intent.succeeded', setup)
    }
    const reason = { type: 'invalid_request_error', code: 'setup_intent_authentication_failure' }
    Object.assign(setup, { status: 'requires_payment_method', next_action: null, last_setup_error: reason })
    emit('setup_intent.setup_failed', setup)
  }

  function confirm(setup: Entry, params: Params): void {
    const { declines, asks } = books.behaviours.get(String(setup['payment_method'])) ?? {}
    if (declines) {
      const error = { type: 'card_error', code: 'card_declined', decline_code: declines, message: 'Declined' }
      Object.assign(setup, { status: 'requires_payment_method', last_setup_error: error })
      emit('setup_intent.setup_failed', setup)
      throw new ApiError(402, { ...error, setup_intent: setup })
    }
    if (!asks) return save(setup, true)
    const url = `https://hooks.stripe.com/3d_secure_2/${setup.id}`
    const action = { type: 'redirect_to_url', redirect_to_url: { url, return_url: params['return_url'] ?? null } }
    Object.assign(setup, { status: 'requires_action', next_action: action })
    emit('setup_intent.requires_action', setup)
  }

  function present(setup: Entry, params: Params): Entry {
    const isExpanded = Array.isArray(params['expand']) && params['expand'].includes('payment_method')
    return { ...setup, ...(isExpanded && { payment_method: books.entries.get(String(setup['payment_method'])) }) }
  }

  const routes: Route[] = [
    [
      /^POST \/v1\/setup_intents$/,
      (params) => {
        checkParams(params, createKeys, ['customer', 'payment_method'])
        get('customer', String(params['customer']), 'customer')
        const card = get('payment_method', String(params['payment_method']), 'payment_method')
        if (card['customer'] !== null && card['customer'] !== params['customer'])
          throw invalidRequest('The payment method belongs to another customer', { param: 'payment_method' })
        const setup = add('seti', 'setup_intent', {
          customer: params['customer'],
          payment_method: card.id,
          metadata: params['metadata'] ?? {},
          usage: params['usage'],
          status: 'requires_confirmation',
          next_action: null,
          last_setup_error: null,
        })
        if (params['confirm'] === 'true') confirm(setup, params)
        return present(setup, params)
      },
    ],
    [
      /^GET \/v1\/setup_intents$/,
      (params) => {
        const ours = books.all('setup_intent').filter(({ customer }) => customer === params['customer'])
        return page(ours, params, '/v1/setup_intents')
      },
    ],
    [/^GET \/v1\/setup_intents\/(\w+)$/, (params, id) => present(get('setup_intent', id), params)],
    [
      /^POST \/v1\/setup_intents\/(\w+)\/cancel$/,
      (_params, id) => {
        const setup = get('setup_intent', id)
        const status = String(setup['status'])
        if (status === 'succeeded' || status === 'canceled')
          throw invalidRequest(`You cannot cancel this SetupIntent because it has a status of ${status}.`, {
            code: 'setup_intent_unexpected_state',
          })
        setup['status'] = 'canceled'
        emit('setup_intent.canceled', setup)
        return setup
      },
    ],
  ]

  return {
    routes,
    /** The owner of the card has been at their bank. */
    finishAtBank(id: string, isPassed: boolean): void {
      const setup = get('setup_intent', id)
      if (setup['status'] !== 'requires_action') throw new Error(`the setup is ${String(setup['status'])}`)
      save(setup, isPassed)
    },
  }
}
