import { type ChargeBook, commonError, newTransaction, type Transaction } from './charges.ts'
import { type Answer, type Body, done, failed, type Route } from './server.ts'

/** What a saved card does when it is charged. `asks`: its bank wants the owner on a page. */
export type CardBehaviour = 'pays' | 'declines' | 'is empty' | 'has expired' | 'asks' | 'takes its time'

export type CardBook = { cards: Map<string, { email: string; behaviour: CardBehaviour }> }

const outcomes: Record<CardBehaviour, [status: string, words: string]> = {
  pays: ['success', 'Approved'],
  declines: ['failed', 'Declined'],
  'is empty': ['failed', 'Insufficient Funds'],
  'has expired': ['failed', 'Expired Card'],
  asks: ['ongoing', ''],
  'takes its time': ['pending', ''],
}

const authorizationOf = (code: string, reusable: boolean): Body => ({
  authorization_code: code,
  bin: '408408',
  last4: '4081',
  exp_month: '12',
  exp_year: '2030',
  channel: 'card',
  card_type: 'visa ',
  bank: 'TEST BANK',
  country_code: 'NG',
  brand: 'visa',
  reusable,
  signature: 'SIG_double',
})

const page = (made: Transaction) => ({
  authorization_url: `https://checkout.paystack.com/${made.id}`,
  access_code: String(made.id),
  reference: made.reference,
})

/** Payments by card of Paystack's API, by its page "Transactions". A page that was not finished is `abandoned`. */
export function cardRoutes(book: ChargeBook & CardBook): Route[] {
  function initialize({ body }: { body: Body }): Answer {
    const error = commonError(book, body)
    if (error) return error
    const { channels, callback_url } = body
    if (!Array.isArray(channels) || !channels.includes('card')) return failed(400, 'No channel', 'invalid_params')
    if (callback_url !== undefined && !/^https?:/.test(String(callback_url)))
      return failed(400, 'Callback is invalid', 'invalid_params')
    return done(page(newTransaction(book, body, 'card', 'abandoned')), 'Authorization URL created')
  }

  function chargeSaved({ body }: { body: Body }): Answer {
    const error = commonError(book, body)
    if (error) return error
    const code = String(body['authorization_code'])
    const card = book.cards.get(code)
    if (!card || card.email !== body['email'])
      return failed(400, 'Authorization is not valid for this email', 'invalid_params')
    const [status, words] = outcomes[card.behaviour]
    const made = newTransaction(book, body, 'card', status)
    Object.assign(made, { gateway_response: words, authorization: authorizationOf(code, true) })
    if (status === 'success') made.executions += 1
    if (card.behaviour === 'asks') return done({ ...page(made), paused: true }, 'Please, redirect your customer')
    const { reference, amount, currency } = made
    return done({ status, reference, amount, currency, gateway_response: words, channel: 'card' }, 'Charge attempted')
  }

  return [
    { method: 'POST', path: /^\/transaction\/initialize$/, answer: initialize },
    { method: 'POST', path: /^\/transaction\/charge_authorization$/, answer: chargeSaved },
  ]
}

/** What buyers do on Paystack's page. */
export const cardEvents = ({ transactions, cards }: ChargeBook & CardBook) => ({
  /** The buyer enters a card on the page, which pays; a reusable one is saved with what it does later. */
  enterCard(reference: string, code: string, later: CardBehaviour | null): void {
    const made = transactions.get(reference)
    if (!made) throw new Error(`the double has no page ${reference}`)
    Object.assign(made, { status: 'success', gateway_response: 'Approved' })
    made.authorization = authorizationOf(code, later !== null)
    made.executions += 1
    if (later !== null) cards.set(code, { email: made.email, behaviour: later })
  },
})
