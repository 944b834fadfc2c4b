import type { Checkout } from '../../db/checkout/checkout.ts'
import { type Corridor, corridorOf, type Offering } from '../../domain/corridor.ts'
import type { Rate } from '../../domain/balance/exchange.ts'
import { awaitsPick, areFree } from '../../domain/checkout/line-item.ts'
import { type Split, splitIn } from '../../domain/checkout/split.ts'
import { isLess, isZero } from '../../domain/money.ts'
import { canBePaid, type Quote, quoteOf } from '../../domain/balance/quote.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { AnyCall } from '../http/run-operation.ts'
import type { Services } from '../http/services.ts'

type Rates = Services['rates']

/** The services of a `write` call that needs rates. It holds no connection and no row while it waits for these. */
export const waitingOutside = ({ services, askOutside }: Pick<AnyCall, 'services' | 'askOutside'>): Services => ({
  ...services,
  rates: { rate: (from, to) => services.rates.rate(from, to, askOutside) },
})

/** The properties of a session that its quotes need. */
export type Quotable = Offering &
  Split &
  Pick<Checkout, 'amount' | 'feePreference' | 'sessionMode' | 'selection' | 'lineItems'>

/** The rate from the session's currency to the corridor's; null if they are the same, or nothing is charged. */
async function rateTo(rates: Rates, { currency: from, setup }: Offering, key: Corridor): Promise<Rate | null> {
  const { currency: to } = corridorOf(key)
  return setup || from === to ? null : rates.rate(from, to)
}

/**
 * The current price of the session in this corridor. Refused if it rounds to zero, is too high to be paid, or leaves
 * less than the split promises.
 */
export async function quoteFor(rates: Rates, row: Quotable, key: Corridor): Promise<Quote> {
  const quote = quoteOf(row, key, await rateTo(rates, row, key))
  if (!isQuotable(row, quote)) {
    throw new Refusal('PAYMENT_METHOD_NOT_ALLOWED', `the amount cannot be paid in ${quote.currency}`)
  }
  return quote
}

/**
 * The corridors that can pay the session now, with prices. A corridor without a rate, or a price of zero, is left out.
 * `payable` are those of the session that its account may use.
 */
export async function quotesOf(rates: Rates, row: Quotable, payable: readonly Corridor[]): Promise<Quote[]> {
  if (!costsSomething(row)) return []
  const quotes = await Promise.all(payable.map((key) => quoteFor(rates, row, key).catch(leaveOut)))
  return quotes.filter((quote) => quote !== null)
}

function leaveOut(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

/** Whether the buyer has to choose a payment method. A sale that is free with every pick needs none. */
const costsSomething = ({ selection, amount, setup }: Quotable): boolean =>
  setup || (selection ? !areFree(selection) : !isZero(amount))

/** The price is not checked before the buyer has picked a product, nor for a card setup, which charges nothing. */
const isQuotable = (row: Quotable, quote: Quote): boolean =>
  row.setup || awaitsPick(row) || (canBePaid(quote) && coversSplit(row, quote))

/** Whether what settles is at least what the session promises to somebody else. */
function coversSplit(row: Quotable, { rate, currency, settles }: Quote): boolean {
  const part = splitIn(row, rate, currency)
  return part === null || !isLess(settles, part)
}
