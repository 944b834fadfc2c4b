import type { Currency } from '../../domain/currency.ts'
import type { Amount } from '../../domain/money.ts'

/** The ledger in memory, as simple as possible: a list of lines per ledger account, added up for every question. */
export type LedgerAccountName = 'merchant' | 'reserved' | 'buyer' | 'fees' | 'owed'
export type Line = {
  ledgerAccount: LedgerAccountName
  currency: Currency
  units: bigint
  availableAt: number
  createdAt: number
}

/** One account's ledger. */
export type Model = { name: string; lines: Line[]; holds: Hold[] }
export type Hold = { sourceId: string; currency: Currency; units: bigint; parts: Line[] }

/** Amounts are counted in units of eight decimals, so that nothing is ever rounded. */
const scale = 8

/** The decimal string of a number of units, without trailing zeros, as the ledger returns it. */
export function toAmount(units: bigint): Amount {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction && `.${fraction}`}`
}

const sum = (lines: readonly Line[]): bigint => lines.reduce((total, { units }) => total + units, 0n)

const linesOf = ({ lines }: Model, ledgerAccount: LedgerAccountName, currency: Currency) =>
  lines.filter((line) => line.ledgerAccount === ledgerAccount && line.currency === currency)

/** A ledger account's balance at a moment, counting the lines that were made up to `madeUntil`. */
export function balanceAt(
  model: Model,
  ledgerAccount: LedgerAccountName,
  currency: Currency,
  at: number,
  madeUntil = Infinity,
) {
  const made = linesOf(model, ledgerAccount, currency).filter(({ createdAt }) => createdAt <= madeUntil)
  const available = sum(made.filter(({ availableAt }) => availableAt <= at))
  return { available, pending: sum(made) - available, exists: made.length > 0 }
}

type Debit = { ledgerAccount: LedgerAccountName; currency: Currency; units: bigint }

/** The lines that repay what is owed, as far as the money goes that may be taken: none if nothing is owed. */
export function repayment(model: Model, currency: Currency, at: number, drawsPending: boolean): Line[] {
  const units = -sum(linesOf(model, 'owed', currency))
  const lines = takenUpTo(model, { ledgerAccount: 'merchant', currency, units }, at, drawsPending)
  const repaid = -sum(lines)
  return repaid > 0n
    ? [...lines, { ledgerAccount: 'owed', currency, units: repaid, availableAt: at, createdAt: at }]
    : []
}

/**
 * The lines of a debit: it takes available money first, and then, if it may, money that becomes available next. Null if
 * that is too little.
 */
export function taken(model: Model, debit: Debit, at: number, drawsPending: boolean): Line[] | null {
  const lines = takenUpTo(model, debit, at, drawsPending)
  return -sum(lines) < debit.units ? null : lines
}

/** The lines of a debit that takes as much as there is, and no more than it wants. */
export function takenUpTo(
  model: Model,
  { ledgerAccount, currency, units }: Debit,
  at: number,
  drawsPending: boolean,
): Line[] {
  const { available } = balanceAt(model, ledgerAccount, currency, at)
  const first = available < units ? available : units
  const lines: Line[] = first > 0n ? [{ ledgerAccount, currency, units: -first, availableAt: at, createdAt: at }] : []
  let rest = units - first
  if (rest <= 0n || !drawsPending) return lines
  const later = linesOf(model, ledgerAccount, currency).filter(({ availableAt }) => availableAt > at)
  const moments = [...new Set(later.map(({ availableAt }) => availableAt))].toSorted((left, right) => left - right)
  for (const moment of moments) {
    const there = sum(later.filter(({ availableAt }) => availableAt === moment))
    const part = there < rest ? there : rest
    if (part > 0n) lines.push({ ledgerAccount, currency, units: -part, availableAt: moment, createdAt: at })
    rest -= part
  }
  return lines
}
