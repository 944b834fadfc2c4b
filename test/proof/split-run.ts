import Big from 'big.js'
import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { type Currency, digitsOf } from '../../domain/currency.ts'
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
  /** What refunds that have not failed claim of it, and disputes that hold or have taken their amount. */
  claimed: bigint
  disputed: bigint
  reversed: bigint
  /** How many returns there were, whatever became of them. */
  returns: number
  /** Whether every return so far has taken its share back, and nothing else has. */
  isInProportion: boolean
}

export const unitsOf = (amount: string, currency: Currency): bigint =>
  BigInt(new Big(amount).times(new Big(10).pow(digitsOf(currency))).toFixed(0))
export const amountOf = (units: bigint, currency: Currency): string =>
  new Big(units.toString()).div(new Big(10).pow(digitsOf(currency))).toFixed(digitsOf(currency))

export const partOf = (units: bigint, part: number): bigint => (units * BigInt(Math.ceil(part * 1_000))) / 1_000n
/** A quotient, rounded half up. */
export const rounded = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor)
export const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

export function book(run: Run, accountId: string, currency: Currency, units: bigint): void {
  const key = `${accountId} ${currency}`
  run.net.set(key, (run.net.get(key) ?? 0n) + units)
}

export function count(run: Run, what: string): void {
  run.counts[what] = (run.counts[what] ?? 0) + 1
}

/** Moves units of the share back to its sender, or from it again where they are negative. */
export function bringBack(run: Run, known: Known, units: bigint): void {
  known.reversed += units
  book(run, known.receiver, known.currency, -units)
  book(run, known.sender, known.currency, units)
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
