import Type, { type Static } from 'typebox'
import { ConversionQuote as QuoteRow } from '../../db/balance/conversion-quote.ts'
import { quoteLifeMs, quoteTermsOf, type QuoteWish } from '../../domain/balance/conversion-quote.ts'
import { type Currency, knownCurrency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { parseAmount } from '../../domain/money.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { idParameter, sentCurrency } from '../../schemas/common.ts'
import { ConversionQuote, presentQuote } from '../../schemas/balance/conversion-quote.ts'
import { type Caller, operation } from '../http/operation.ts'
import { amountErrors } from '../http/sent-amount.ts'
import type { Services } from '../http/services.ts'

const CreateQuote = Type.Object(
  {
    from_currency: sentCurrency({ minLength: 3, maxLength: 10 }),
    to_currency: sentCurrency({ minLength: 3, maxLength: 10, examples: ['NGN'] }),
    from_amount: Type.Optional(
      Type.String({ description: 'The amount to sell, the fee included.', examples: ['100.00'] }),
    ),
    to_amount: Type.Optional(
      Type.String({ description: 'The amount to buy; instead of from_amount.', examples: ['158400.00'] }),
    ),
  },
  { $id: 'CreateConversionQuote' },
)

/**
 * Rules that the schema cannot state: exactly one amount, at its currency's precision, and two different currencies.
 */
function validateQuote(body: Record<string, unknown>): FieldError[] {
  const { from_amount: from, to_amount: to, from_currency: sold, to_currency: bought } = body
  const errors = [...amountErrors('from_amount', from, sold), ...amountErrors('to_amount', to, bought)]
  if (from === undefined && to === undefined) {
    errors.push({ field: 'from_amount', message: 'or to_amount is required', type: 'value_error.missing' })
  }
  if (from !== undefined && to !== undefined) {
    errors.push({ field: 'to_amount', message: 'is not sent together with from_amount', type: 'value_error' })
  }
  if (typeof sold === 'string' && sold === bought) {
    errors.push({ field: 'to_currency', message: 'must be another one than from_currency', type: 'value_error' })
  }
  return errors
}

export const createQuote = operation({
  method: 'post',
  path: '/v1/conversions/quotes',
  summary: 'Get a quote for a conversion; it is valid for five minutes and for one conversion',
  tag: 'Conversions',
  auth: ['apiKey'],
  scope: 'conversions:write',
  body: CreateQuote,
  validate: validateQuote,
  insertsOnly: () => true,
  returns: [201, ConversionQuote],
  refuses: ['ACCOUNT_NOT_ACTIVATED', 'CURRENCY_NOT_SUPPORTED', 'AMOUNT_BELOW_MINIMUM', 'BAD_GATEWAY'],

  async handle({ body, caller, em, now, services }) {
    assertExchangeable(services, caller)
    const from = knownCurrency(body.from_currency, 'from_currency')
    const to = knownCurrency(body.to_currency, 'to_currency')
    const rate = await services.rates.rate(from, to)
    const exchange = { from, to, rate }
    const terms = quoteTermsOf(wanted(body, from, to), exchange)
    const quote = em.create(QuoteRow, { ...newQuote(caller, exchange, now), ...terms })
    return presentQuote(quote, now)
  },
})

type Exchange = { from: Currency; to: Currency; rate: string }

const newQuote = ({ accountId, environment }: Caller, { from, to, rate }: Exchange, now: number) => ({
  id: newId('quo', now),
  accountId,
  environment,
  fromCurrency: from,
  toCurrency: to,
  rate,
  usedAt: null,
  expiresAt: new Date(now + quoteLifeMs),
  createdAt: new Date(now),
})

/** Refuses to quote a price where no rail can carry out the conversion. */
export function assertExchangeable({ rails }: Services, { environment }: Caller): void {
  if (!rails.in(environment).exchanges) throw new Refusal('ACCOUNT_NOT_ACTIVATED', 'no live rail exchanges money yet')
}

function wanted({ from_amount, to_amount = '' }: Static<typeof CreateQuote>, from: Currency, to: Currency): QuoteWish {
  if (from_amount !== undefined) return { fromAmount: parseAmount(from_amount, from, 'from_amount') }
  return { toAmount: parseAmount(to_amount, to, 'to_amount') }
}

export const getQuote = operation({
  method: 'get',
  path: '/v1/conversions/quotes/{quote_id}',
  summary: 'Read a quote',
  tag: 'Conversions',
  auth: ['apiKey'],
  scope: 'conversions:read',
  params: Type.Object({ quote_id: idParameter('quo') }),
  returns: [200, ConversionQuote],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em, now }) {
    const row = await em.findOne(QuoteRow, { id: params.quote_id, accountId, environment })
    if (!row) throw new Refusal('NOT_FOUND', 'no such quote')
    return presentQuote(row, now)
  },
})
