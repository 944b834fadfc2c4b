import Big from 'big.js'
import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { type Currency, digitsOf } from '../../domain/currency.ts'
import { Transfer } from '../../db/transfer/transfer.ts'
import { Refusal } from '../../domain/refusal.ts'

/** A run of random sales: `net` is what each account has in each currency, less what it owes, in smallest units. */
export type Run = { database: Database; net: Map<string, bigint>; counts: Record<string, number>; violations: string[] }

/** What is known of a sale beside the service, in the smallest units of its currency. */
export type Known = {
  paymentId: string
  currency: Currency
  corridor: Corridor
  sender: string
  receiver: string
  /** What the buyer has paid, and what of it has settled. */
  received: bigint
  settled: bigint
  share: bigint
  /** What refunds that have not failed claim of it, and how much of that takes its part of the share back. */
  claimed: bigint
  takingBack: bigint
  /** What disputes hold of it or have taken. */
  disputed: bigint
  /** What of the share is back, and what of that by hand. */
  reversed: bigint
  byHand: bigint
  /** How many returns were undone. */
  undone: number
}

export const unitsOf = (amount: string, currency: Currency): bigint =>
  BigInt(new Big(amount).times(new Big(10).pow(digitsOf(currency))).toFixed(0))
export const amountOf = (units: bigint, currency: Currency): string =>
  new Big(units.toString()).div(new Big(10).pow(digitsOf(currency))).toFixed(digitsOf(currency))

export const partOf = (units: bigint, part: number): bigint => (units * BigInt(Math.ceil(part * 1_000))) / 1_000n
/** A quotient, rounded half up. */
const rounded = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor)
export const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

export function book(run: Run, accountId: string, currency: Currency, units: bigint): void {
  const key = `${accountId} ${currency}`
  run.net.set(key, (run.net.get(key) ?? 0n) + units)
}

export function count(run: Run, what: string): void {
  run.counts[what] = (run.counts[what] ?? 0) + 1
}

/**
 * Books what the last step has moved of the share. As much has to be back as the returns that stand are of the sale,
 * whatever was undone before; each return that was undone may have left one unit of rounding.
 */
export async function followShare(run: Run, known: Known): Promise<void> {
  const { paymentId, share, currency } = known
  const transfer = await run.database.orm.em.fork().findOne(Transfer, { paymentId })
  const reversed = unitsOf(transfer?.reversedAmount ?? '0', currency)
  const due = dueOf(known)
  if (reversed < due || reversed > lesser(due + BigInt(known.undone), share))
    run.violations.push(`${paymentId}: ${reversed} of the share ${share} are back, and ${due} are due`)
  book(run, known.receiver, currency, known.reversed - reversed)
  book(run, known.sender, currency, reversed - known.reversed)
  known.reversed = reversed
}

function dueOf({ share, byHand, takingBack, settled, disputed, received }: Known): bigint {
  return lesser(share, byHand + rounded(share * takingBack, settled) + rounded(share * disputed, received))
}

/** Does it in one transaction, unless it is refused. */
export async function isAccepted(database: Database, work: (em: EntityManager) => Promise<unknown>): Promise<boolean> {
  try {
    await inTransaction(database, work)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
