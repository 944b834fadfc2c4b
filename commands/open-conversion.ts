import { aboutConversion } from '../domain/balance/process.ts'
import {
  type ConversionEnd,
  isConversionEnded,
  moveConversion,
  notExecuted,
  soldAmountOf,
} from '../domain/balance/conversion.ts'
import { newId } from '../domain/id.ts'
import { negate } from '../domain/money.ts'
import { Conversion } from '../db/balance/conversion.ts'
import type { ConversionQuote } from '../db/balance/conversion-quote.ts'
import type { EntityManager } from '../db/core/database.ts'
import { post, type Posting, releasePostings } from '../db/ledger/ledger.ts'
import { startProcess } from '../db/core/start-process.ts'

/** What the caller sends beside the quote. */
export type NewConversion = Pick<Conversion, 'reference' | 'metadata' | 'simulatedOutcome'>

/**
 * Opens the conversion of a quote that the running transaction has used. Reserves the amount that is sold and starts
 * the process by way of the outbox. Refused when the balance is too low.
 */
export async function openConversion(em: EntityManager, quote: ConversionQuote, request: NewConversion, at: number) {
  const { accountId, environment, fromAmount, fromCurrency, toAmount, toCurrency, rate, fee } = quote
  const conversion = em.create(Conversion, {
    accountId,
    environment,
    fromAmount,
    fromCurrency,
    toAmount,
    toCurrency,
    rate,
    fee,
    id: newId('cnv', at),
    quoteId: quote.id,
    status: 'pending' as const,
    failureReason: null,
    ...request,
    createdAt: new Date(at),
    updatedAt: new Date(at),
    completedAt: null,
  })
  const currency = fromCurrency
  const postings: Posting[] = [
    { ledgerAccount: 'merchant', currency, amount: negate(fromAmount) },
    { ledgerAccount: 'reserved', currency, amount: fromAmount },
  ]
  await post(em, { kind: 'conversion_hold', sourceId: conversion.id, owner: conversion, postings }, at)
  startProcess(em, 'conversion', conversion.id, aboutConversion(conversion))
  return conversion
}

/**
 * Ends a conversion as the rail has answered: the reserved money is exchanged, or released. The transaction has locked
 * the conversion.
 */
export async function endConversion(em: EntityManager, conversion: Conversion, end: ConversionEnd, at: number) {
  if (isConversionEnded(conversion.status)) return
  moveConversion(conversion, end)
  conversion.onHoldSince = null
  conversion.updatedAt = new Date(at)
  const movement = { sourceId: conversion.id, owner: conversion }
  if (end === 'failed') {
    conversion.failureReason = notExecuted
    const postings = await releasePostings(em, 'conversion_hold', conversion.id)
    return post(em, { ...movement, kind: 'conversion_released', postings }, at)
  }
  conversion.completedAt = new Date(at)
  return post(em, { ...movement, kind: 'conversion_done', postings: exchangeOf(conversion) }, at)
}

/**
 * The postings of an exchange. In the currency sold, the reserved money goes to the ledger account `rail`, less our
 * fee. In the currency bought, `rail` pays the account. The rail is asked for exactly these amounts, so our ledger and
 * its own book agree to the last unit.
 */
function exchangeOf(conversion: Conversion): Posting[] {
  const { fromAmount, toAmount, fee } = conversion
  const [from, to] = [conversion.fromCurrency, conversion.toCurrency]
  return [
    { ledgerAccount: 'reserved', currency: from, amount: negate(fromAmount) },
    { ledgerAccount: 'rail', currency: from, amount: soldAmountOf(conversion) },
    { ledgerAccount: 'fees', currency: from, amount: fee },
    { ledgerAccount: 'rail', currency: to, amount: negate(toAmount) },
    { ledgerAccount: 'merchant', currency: to, amount: toAmount },
  ]
}
