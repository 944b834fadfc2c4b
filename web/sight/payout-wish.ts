import type { Static } from 'typebox'
import { isCurrency } from '../../domain/currency.ts'
import { isStablecoin } from '../../domain/payout/routing.ts'
import type { ConversionQuote } from '../../schemas/balance/conversion-quote.ts'
import type { PayoutEstimate } from '../../schemas/payout/payout.ts'
import type { Refused } from '../api.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { typedText } from '../form.ts'
import { amountWords, moment, money } from '../words.ts'
import { isDecimal, refusedForm } from './board-form.ts'
import { saidOf, saidOfField } from './api-words.ts'
import type { Fact } from './dashboard-lists.ts'
import { type ShownDestination, titleOfDestination } from './payout-words.ts'

// What somebody types to send a payout, and what the API is asked for it.

export type Typed = { destination: string; amount: string; source: string; reference: string; description: string }
export type Estimate = Static<typeof PayoutEstimate>
export type Quote = Static<typeof ConversionQuote>

export const typedIn = (form: URLSearchParams): Typed => {
  const text = (name: string) => typedText(form, name)
  return {
    destination: text('destination'),
    amount: text('amount'),
    source: text('source'),
    reference: text('reference'),
    description: text('description'),
  }
}

/** The balances that can pay: the destination's own, or dollars at the price of a quote. */
export const sources: readonly (readonly [value: string, words: string])[] = [
  ['', 'The balance in the currency of the destination; for coins the USD balance'],
  ['USD', 'The USD balance, at a price that is locked for five minutes'],
]

/** What can be said before the API is asked. The API checks all the rest. */
export function errorsIn({ amount, source }: Typed, destination: ShownDestination | undefined): InputErrors {
  const bounds = { currency: destination?.currency ?? '', minimum_amount: null, maximum_amount: null }
  return {
    ...(!destination && { destination: 'Choose one of your destinations.' }),
    ...(!isDecimal(amount) && { amount: amountWords(bounds, amount) }),
    ...(!sources.some(([value]) => value === source) && { source: 'Choose one of these.' }),
  }
}

/** The balance that pays without a quote. */
const ownBalanceOf = (currency: string): string => (isStablecoin(currency) ? 'USD' : currency)

/** What is asked for a quote, where dollars pay in another currency; null where no quote is needed. */
export const quoteFor = ({ amount, source }: Typed, { currency }: ShownDestination) =>
  source === 'USD' && isCurrency(currency) && currency !== 'USD'
    ? { from_currency: 'USD', to_currency: currency, to_amount: amount }
    : null

/** The body of an estimate: an amount, or the quote that has it. */
export const wishOf = ({ amount }: Typed, { id, currency }: ShownDestination, quoteId: string | null) => ({
  destination: id,
  ...(quoteId === null ? { amount, source_currency: ownBalanceOf(currency) } : { quote_id: quoteId }),
})

/** The body of the payout itself. */
export const payoutOf = (typed: Typed, destination: ShownDestination, quoteId: string | null) => ({
  ...wishOf(typed, destination, quoteId),
  ...(typed.reference && { reference: typed.reference }),
  ...(typed.description && { description: typed.description }),
})

/** What somebody reads before money is sent. */
export function estimateFacts(typed: Typed, to: ShownDestination, estimate: Estimate, quote: Quote | null): Fact[] {
  const { currency, source_currency: source } = estimate
  return [
    ['To', titleOfDestination(to)],
    ['Account holder', to.account_name],
    ['Arrives', money(estimate.amount, currency)],
    ['Fee', money(estimate.fee, source)],
    ['Total debited', money(estimate.total_debited, source)],
    ['Exchange rate', quote && `${money('1', quote.from_currency)} is ${quote.rate} ${quote.to_currency}`],
    ['Fee of the exchange', quote && `${money(quote.fee, quote.from_currency)}, part of the total`],
    ['Should arrive', `${moment(estimate.arrives_from)} to ${moment(estimate.arrives_by)}`],
    ['Reference', typed.reference || null],
    ['Description', typed.description || null],
  ]
}

/** What somebody reads before the same payout is sent once more. */
export const repeatedFacts = ({ amount }: Typed, to: ShownDestination): Fact[] => [
  ['To', titleOfDestination(to)],
  ['Arrives', money(amount, to.currency)],
]

const sentBefore = 'Look in the list of payouts before you send another one.'

const unusable = ['destination', 'This destination cannot be used now. Choose another one.'] as const

/** Why the API has refused a payout or its price, for people. What is about the amount is told at the amount. */
export function wordPayout(refused: Refused): FormResult {
  const said = saidOf(refused)
  const atAmount = (field: string) => ['amount', saidOfField(refused, field, 'The amount')] as const
  return refusedForm(
    refused,
    {
      amount: atAmount('amount'),
      to_amount: atAmount('to_amount'),
      destination: ['destination', saidOfField(refused, 'destination', 'The destination')],
      reference: 'Enter a reference of at most 128 characters.',
      description: 'Enter a description of at most 500 characters.',
    },
    {
      INSUFFICIENT_BALANCE: ['amount', said],
      AMOUNT_BELOW_MINIMUM: ['amount', said],
      CURRENCY_NOT_SUPPORTED: ['source', said],
      QUOTE_REQUIRED: ['source', said],
      DESTINATION_NOT_USABLE: unusable,
      NOT_FOUND: unusable,
      QUOTE_EXPIRED: 'The price has expired, and nothing was sent. Continue to see the new price.',
      QUOTE_ALREADY_USED: `This price was used already. ${sentBefore}`,
      CONFLICT: `This form was sent before with other values. ${sentBefore}`,
    },
  )
}
