import Big from 'big.js'
import { isOneOf } from '../../domain/narrow.ts'
import type { Amount } from '../../domain/money.ts'
import { type PaystackMode, PaystackUnclear } from './api.ts'

/** The currencies of what this rail takes and sends. */
const currencies = ['NGN', 'GHS', 'KES', 'XOF'] as const
export type PaystackCurrency = (typeof currencies)[number]
export const isPaystackCurrency = (code: string): code is PaystackCurrency => isOneOf(currencies, code)

/** An amount as Paystack counts: in hundredths of every currency, also of XOF, which has no decimals of its own. */
export function toMinor(amount: Amount): string {
  const minor = new Big(amount).times(100)
  if (minor.lte(0) || !minor.eq(minor.round())) throw new Error('an amount for Paystack is positive, with two decimals')
  return minor.toFixed()
}

/**
 * What the buyer of a disputed transaction claims, in hundredths; all of it where Paystack has named no other amount.
 * Null: it names 0, with which evidence is answered, and may show that in place of the claim.
 */
export function claimOf({ refund_amount, transaction }: Claim): string | null {
  const named = refund_amount ?? transaction.amount
  return /^0+$/.test(named) ? null : named
}

type Claim = { refund_amount?: string | null; transaction: { amount: string } }

export const fromMinor = (digits: string): Amount => new Big(digits).div(100).toFixed()

type Reported = Partial<Record<'amount' | 'currency' | 'reference' | 'domain', string | null>>
/** What is null is not compared. */
type Ordered = { amount: Amount | null; currency: string; reference: string | null; mode: PaystackMode }

/**
 * Compares what Paystack reports with the order, and its mode with that of our key. What is missing is not compared. A
 * difference is no success and no failure: it is an error that somebody has to look at, and the outcome stays unknown.
 */
export function assertSame(what: string, { amount, currency, reference, domain }: Reported, ordered: Ordered): void {
  const differs = (field: string) =>
    new PaystackUnclear(`Paystack reports another ${field} of ${what} than was ordered`)
  const isOtherAmount =
    amount != null && ordered.amount !== null && !new Big(amount).eq(new Big(ordered.amount).times(100))
  if (isOtherAmount) throw differs('amount')
  if (domain != null && domain !== ordered.mode) throw differs('mode')
  if (currency != null && currency !== ordered.currency) throw differs('currency')
  if (reference != null && ordered.reference !== null && reference !== ordered.reference) throw differs('reference')
}
