import type { Checkout } from '../../db/checkout/checkout.ts'
import { type Corridor, corridorOf, corridorsFor, type Offering } from '../../domain/corridor.ts'
import type { Rate } from '../../domain/balance/exchange.ts'
import { awaitsPick, areFree } from '../../domain/checkout/line-item.ts'
import { isZero } from '../../domain/money.ts'
import { canBePaid, type Quote, quoteOf } from '../../domain/balance/quote.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Services } from '../http/services.ts'

type Rates = Services['rates']

/** As much of a session as its quotes need. */
export type Quotable = Offering & Pick<Checkout, 'amount' | 'feePreference' | 'sessionMode' | 'selection' | 'lineItems'>

/** The rate from the session's currency to the corridor's; null where they are the same, or nothing is charged. */
async function rateTo(rates: Rates, { currency: from, setup }: Offering, key: Corridor): Promise<Rate | null> {
  const { currency: to } = corridorOf(key)
  return setup || from === to ? null : rates.rate(from, to)
}

/** What the session costs by this corridor now. Refused where that is nothing, or more than can be paid. */
export async function quoteFor(rates: Rates, row: Quotable, key: Corridor): Promise<Quote> {
  const quote = quoteOf(row, key, await rateTo(rates, row, key))
  if (!isQuotable(row, quote)) {
    throw new Refusal('PAYMENT_METHOD_NOT_ALLOWED', `the amount cannot be paid in ${quote.currency}`)
  }
  return quote
}

/** The ways in which a session can be paid now. What has no rate, or comes to nothing, is left out. */
export async function quotesOf(rates: Rates, row: Quotable): Promise<Quote[]> {
  if (!costsSomething(row)) return []
  const quotes = await Promise.all(corridorsFor(row).map((key) => quoteFor(rates, row, key).catch(leaveOut)))
  return quotes.filter((quote) => quote !== null)
}

function leaveOut(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

/** Whether somebody has to choose how to pay: not for what is free, whatever is picked. */
const costsSomething = ({ selection, amount, setup }: Quotable): boolean =>
  setup || (selection ? !areFree(selection) : !isZero(amount))

/** What is not picked yet may cost anything, and a card that is saved costs nothing. */
const isQuotable = (row: Quotable, quote: Quote): boolean => row.setup || awaitsPick(row) || canBePaid(quote)
