import type { Context } from 'koa'
import type { Static } from 'typebox'
import { currencyCodes } from '../../domain/currency.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { Balance } from '../../schemas/balance/balance.ts'
import type { Conversion } from '../../schemas/balance/conversion.ts'
import type { ConversionQuote } from '../../schemas/balance/conversion-quote.ts'
import type { Answer, Refused } from '../api.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { typedText } from '../form.ts'
import { english } from '../language.ts'
import { goTo, stepOf, type Site } from '../site.ts'
import { amountWords, money, timeOf } from '../words.ts'
import { saidOf, saidOfField } from './api-words.ts'
import { isDecimal, keyIn, newFormKey, readAllowed, refusedForm } from './board-form.ts'
import { type Fact, type Listed, showUnread } from './dashboard-lists.ts'
import { priceQuestion } from './price-question.ts'
import { readTypedAmount } from './typed-amount.ts'

/** `amount` is what is given, or what is needed, as `side` says. */
type Typed = { from: string; to: string; amount: string; side: string; reference: string }
type Quote = Static<typeof ConversionQuote>
type Balances = Static<typeof Balance>[]

const common = { isSignedIn: true, at: '/conversions' }
const sides = [
  ['from', 'This much is taken from my balance'],
  ['to', 'This much arrives in the other currency'],
] as const
const expired = 'The price has expired, and nothing was converted. This is the new price.'
const unsure = 'It is not known whether this was converted. Press the button again in a moment: it happens once.'

const typedIn = (form: URLSearchParams): Typed => {
  const text = (name: string) => typedText(form, name)
  return {
    from: text('from'),
    to: text('to'),
    amount: readTypedAmount(text('amount'), text('side') === 'to' ? text('to') : text('from')),
    side: text('side'),
    reference: text('reference'),
  }
}

/** `/dashboard/conversions/new`: currencies and amount, a price that holds for five minutes, then the conversion. */
export function addConversionForm(site: Site, folder: string): void {
  const { home, sessions, read, submit, show } = site
  const path = `${folder.slice(home.length)}/new`
  const [template, title] = ['dashboard/conversion-confirm', 'Convert at this price?']
  const showQuestion = priceQuestion(site, { template, title, at: common.at, path: `${home}${path}`, folder })

  /** The balances, for somebody who may convert. */
  async function readBalances(ctx: Context): Promise<Answer<Balances>> {
    const answer = await readAllowed<Listed<Static<typeof Balance>>>(site, ctx, '/v1/balances', 'conversions:write')
    return answer.ok ? { ok: true, body: answer.body.items } : answer
  }

  function showForm(ctx: Context, balances: Balances, typed: Typed, result: Partial<FormResult> = {}): void {
    const data = {
      path: `${home}${path}`,
      folder,
      typed,
      sides,
      currencies: currencyCodes.map((code) => ({ code, name: `${code}, ${english.currencyName(code)}` })),
      available: balances.map(({ available, currency }) => money(available, currency)),
    }
    show(
      ctx,
      stepOf('dashboard/conversion-form', 'Convert money', { ...common, ...data, ...result }, result.status ?? 200),
    )
  }

  /** Asks for a price, and whether it is meant. */
  async function ask(ctx: Context, balances: Balances, typed: Typed, problem: string | null): Promise<void> {
    const asked = { from_currency: typed.from, to_currency: typed.to, [`${typed.side}_amount`]: typed.amount }
    const answer = await sessions.call<Quote>(ctx, 'POST', '/v1/conversions/quotes', asked)
    if (!answer.ok) return showRefused(ctx, balances, typed, answer.refused)
    const quote = answer.body
    const available = balances.find(({ currency }) => currency === quote.from_currency)?.available ?? '0'
    await showQuestion(ctx, typed, [...quoteFacts(quote), ['Available now', money(available, quote.from_currency)]], {
      key: newFormKey(),
      quoteId: quote.quote_id,
      until: timeOf(quote.expires_at),
      problem,
      status: problem === null ? 200 : 409,
    })
  }

  function showRefused(ctx: Context, balances: Balances, typed: Typed, refused: Refused): void {
    if (refused.status === 401 || refused.code === 'FORBIDDEN') return showUnread(site, ctx, refused)
    showForm(ctx, balances, typed, wordConversion(refused))
  }

  async function convert(ctx: Context, balances: Balances, typed: Typed, form: URLSearchParams): Promise<void> {
    const { key = newFormKey() } = keyIn(form)
    const quoteId = form.get('quote_id') ?? ''
    const body = { quote_id: quoteId, ...(typed.reference && { reference: typed.reference }) }
    const sent = await sessions.call<Static<typeof Conversion>>(ctx, 'POST', '/v1/conversions', body, { key })
    if (sent.ok) return goTo(ctx, `${folder}/${sent.body.conversion_id}?done=sent`)
    const { code, status } = sent.refused
    if (code === 'QUOTE_EXPIRED') return ask(ctx, balances, typed, expired)
    // The limit says nothing about an earlier press: the form is given back with its key.
    if (status === 429) return site.showRefused(ctx, sent.refused)
    if (status < 500) return showRefused(ctx, balances, typed, sent.refused)
    // The conversion may have been accepted. With the same key a further press of the button is the same conversion.
    const facts: Fact[] = [['Conversion', `${typed.from} to ${typed.to}, ${typed.amount}`]]
    await showQuestion(ctx, typed, facts, { key, quoteId, until: null, problem: unsure, status })
  }

  read(path, async (ctx) => {
    const balances = await readBalances(ctx)
    if (!balances.ok) return showUnread(site, ctx, balances.refused)
    showForm(ctx, balances.body, { from: 'USD', to: '', amount: '', side: 'from', reference: '' })
  })

  submit(path, async (ctx, form) => {
    const balances = await readBalances(ctx)
    if (!balances.ok) return showUnread(site, ctx, balances.refused)
    const typed = typedIn(form)
    const errors = errorsIn(typed)
    if (Object.keys(errors).length > 0) return showForm(ctx, balances.body, typed, { errors, status: 422 })
    if (form.get('step') === 'back') return showForm(ctx, balances.body, typed)
    const isAsked = form.get('form_key') !== null && Boolean(form.get('quote_id'))
    if (form.get('step') === 'send' && isAsked) return convert(ctx, balances.body, typed, form)
    await ask(ctx, balances.body, typed, null)
  })
}

/** What can be said before the API is asked. The API checks all the rest. */
function errorsIn({ from, to, amount, side }: Typed): InputErrors {
  const bounds = { currency: side === 'to' ? to : from, minimum_amount: null, maximum_amount: null }
  return {
    ...(!isOneOf(currencyCodes, from) && { from: 'Choose a currency.' }),
    ...(!isOneOf(currencyCodes, to) && { to: 'Choose a currency.' }),
    ...(!isDecimal(amount) && { amount: amountWords(bounds, amount) }),
    ...(!sides.some(([value]) => value === side) && { side: 'Choose one of these.' }),
  }
}

const quoteFacts = (quote: Quote): Fact[] => [
  ['You give', money(quote.from_amount, quote.from_currency)],
  ['Fee, part of it', money(quote.fee, quote.from_currency)],
  ['Rate', `${money('1', quote.from_currency)} is ${quote.rate} ${quote.to_currency}`],
  ['You get', money(quote.to_amount, quote.to_currency)],
]

const before = 'Look in the list of conversions and of payouts before you go on.'

/** Why the API has refused a price or a conversion, for people. What is about the amount is told at the amount. */
function wordConversion(refused: Refused): FormResult {
  const said = saidOf(refused)
  const atAmount = (field: string) => ['amount', saidOfField(refused, field, 'The amount')] as const
  return refusedForm(
    refused,
    {
      from_amount: atAmount('from_amount'),
      to_amount: atAmount('to_amount'),
      amount: atAmount('amount'),
      to_currency: ['to', 'Choose another currency than the one that you give.'],
      reference: 'Enter a reference of at most 128 characters.',
    },
    {
      INSUFFICIENT_BALANCE: ['amount', said],
      AMOUNT_BELOW_MINIMUM: ['amount', said],
      CURRENCY_NOT_SUPPORTED: ['to', said],
      ACCOUNT_NOT_ACTIVATED: said,
      NOT_FOUND: 'There is no such price. Continue to see a new one.',
      QUOTE_ALREADY_USED: `This price was used already. ${before}`,
      CONFLICT: `This form was sent before with other values. ${before}`,
      BAD_GATEWAY: 'There are no rates now, and nothing was converted. Try again in a moment.',
    },
  )
}
