import * as fc from 'fast-check'
import type { Movement, Posting } from '../../db/ledger/ledger.ts'
import type { Currency } from '../../domain/currency.ts'
import {
  type LedgerAccountName,
  type Line,
  type Model,
  balanceAt,
  repayment,
  taken,
  takenUpTo,
  toAmount,
} from './ledger-model.ts'

const minute = 60_000
const hour = 60 * minute
const currencies: Currency[] = ['NGN', 'USD']

/** The next operation; `units` and `part` say how much it moves, as far as the ledger allows. */
const randomOperation = fc.record({
  who: fc.nat(3),
  currency: fc.constantFrom(...currencies),
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('deposit' as const) },
    { weight: 5, arbitrary: fc.constant('settle' as const) },
    { weight: 4, arbitrary: fc.constant('hold' as const) },
    { weight: 2, arbitrary: fc.constant('release' as const) },
    { weight: 2, arbitrary: fc.constant('pay' as const) },
    { weight: 2, arbitrary: fc.constant('overdraw' as const) },
    { weight: 1, arbitrary: fc.constant('rush' as const) },
  ),
  units: fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 15n)),
  part: fc.integer({ min: 1, max: 100 }),
  delay: fc.constantFrom(0, 1, 30 * minute, hour, 48 * hour),
  drawsPending: fc.boolean(),
  mayOwe: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  pause: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: minute, max: 26 * hour }) },
  ),
})
export type Operation = typeof randomOperation extends fc.Arbitrary<infer T> ? T : never

/** The operations of a seed: always the same ones. */
export const operationsOf = (seed: number, count: number): Operation[] =>
  fc.sample(randomOperation, { seed, numRuns: count })

/** A movement that the model has chosen: how it is posted, and whether it must be refused. */
export type Step = {
  movement: Omit<Movement, 'owner'>
  refusedWith: 'INSUFFICIENT_BALANCE' | 'CONFLICT' | null
  at: number
}

const posting = (
  ledgerAccount: Posting['ledgerAccount'],
  currency: Currency,
  units: bigint,
  more: Partial<Posting> = {},
): Posting => ({
  ledgerAccount,
  currency,
  amount: toAmount(units),
  ...more,
})

let sources = 0
const newSource = () => `proof_${(sources += 1)}`

/** Turns an operation into a step at a moment, and applies it to the model; null if there is nothing to apply it to. */
export function decide(model: Model, operation: Operation, at: number): Step | null {
  if (operation.kind === 'deposit') return deposit(model, operation, at)
  if (operation.kind === 'settle') return settle(model, operation, at)
  if (operation.kind === 'hold' || operation.kind === 'overdraw') return hold(model, operation, at)
  if (operation.kind === 'release') return release(model, operation, at)
  return operation.kind === 'pay' ? pay(model, operation, at) : null
}

function credit(
  model: Model,
  ledgerAccount: LedgerAccountName,
  currency: Currency,
  units: bigint,
  at: number,
  availableAt = at,
): void {
  if (units > 0n) model.lines.push({ ledgerAccount, currency, units, availableAt, createdAt: at })
}

const accepted = (movement: Step['movement'], at: number): Step => ({ movement, refusedWith: null, at })

function deposit(model: Model, { currency, units }: Operation, at: number): Step {
  credit(model, 'buyer', currency, units, at)
  const postings = [posting('rail', currency, -units), posting('buyer', currency, units)]
  return accepted({ kind: 'deposit', sourceId: newSource(), postings }, at)
}

/** From deposited money, or from the rail; every fifth of the former needs more than was deposited. */
function settle(model: Model, { currency, units, part, delay }: Operation, at: number): Step {
  const from = part % 2 === 0 ? 'buyer' : 'rail'
  const there = balanceAt(model, 'buyer', currency, at).available
  const amount = from === 'rail' || part % 10 === 0 ? units + there : (there * BigInt(part)) / 100n || 1n
  const fee = (amount * 3n) / 100n
  const availableAt = at + delay
  const postings = [
    posting(from, currency, -amount),
    posting('merchant', currency, amount - fee, { availableAt: new Date(availableAt) }),
    posting('fees', currency, fee),
  ]
  const movement = { kind: 'settlement', sourceId: newSource(), postings } as const
  if (from === 'buyer') {
    const lines = taken(model, { ledgerAccount: 'buyer', currency, units: amount }, at, true)
    if (!lines) return { movement, refusedWith: 'CONFLICT', at }
    model.lines.push(...lines)
  }
  credit(model, 'merchant', currency, amount - fee, at, availableAt)
  credit(model, 'fees', currency, fee, at)
  return accepted(movement, at)
}

/**
 * Reserves a part of the balance, or a little more than all of it, which then is owed or refused. What was owed before
 * is repaid first; a debit that may owe repays nothing of it from pending money.
 */
function hold(before: Model, { kind, currency, units, part, drawsPending, mayOwe }: Operation, at: number): Step {
  const repaid = repayment(before, currency, at, !mayOwe)
  const model = { ...before, lines: [...before.lines, ...repaid] }
  const { available, pending } = balanceAt(model, 'merchant', currency, at)
  const limit = drawsPending ? available + pending : available
  const amount = kind === 'overdraw' ? limit + units : (limit * BigInt(part)) / 100n || units
  const sourceId = newSource()
  const debit = posting('merchant', currency, -amount, { drawsPending, mayOwe })
  const postings = [debit, posting('reserved', currency, amount)]
  const movement = { kind: 'refund_hold', sourceId, postings } as const
  const parts = takenUpTo(model, { ledgerAccount: 'merchant', currency, units: amount }, at, drawsPending)
  const missing = parts.reduce((rest, line) => rest + line.units, amount)
  if (missing > 0n && !mayOwe) return { movement, refusedWith: 'INSUFFICIENT_BALANCE', at }
  if (missing > 0n) parts.push({ ledgerAccount: 'owed', currency, units: -missing, availableAt: at, createdAt: at })
  before.lines.push(...repaid, ...parts)
  credit(before, 'reserved', currency, amount, at)
  before.holds.push({ sourceId, currency, units: amount, parts })
  return accepted(movement, at)
}

function take(model: Model, { part }: Operation) {
  return model.holds.splice(part % Math.max(model.holds.length, 1), 1)[0]
}

/** Each part goes back with the moment at which it became or becomes available; what was owed is a credit too. */
function release(model: Model, operation: Operation, at: number): Step | null {
  const open = take(model, operation)
  if (!open) return null
  const { sourceId, currency, units } = open
  const back: Line[] = open.parts.map((line) => {
    return { ...line, ledgerAccount: 'merchant', units: -line.units, createdAt: at }
  })
  model.lines.push(...back, { ledgerAccount: 'reserved', currency, units: -units, availableAt: at, createdAt: at })
  const postings = [
    posting('reserved', currency, -units),
    ...back.map((line) => posting('merchant', currency, line.units, { availableAt: new Date(line.availableAt) })),
  ]
  return accepted({ kind: 'refund_released', sourceId, postings }, at)
}

function pay(model: Model, operation: Operation, at: number): Step | null {
  const open = take(model, operation)
  if (!open) return null
  const { sourceId, currency, units } = open
  const fee = units / 50n
  model.lines.push({ ledgerAccount: 'reserved', currency, units: -units, availableAt: at, createdAt: at })
  credit(model, 'fees', currency, fee, at)
  const postings = [
    posting('reserved', currency, -units),
    posting('rail', currency, units - fee),
    posting('fees', currency, fee),
  ]
  return accepted({ kind: 'refund_paid', sourceId, postings }, at)
}

/**
 * A debit that leaves the ledger at once, or a credit that becomes available in two days; several of them run at the
 * same time.
 */
export function crossing(currency: Currency, units: bigint, at: number, drawsPending?: boolean): Step {
  const isDebit = drawsPending !== undefined
  const more = isDebit ? { drawsPending } : { availableAt: new Date(at + 48 * hour) }
  const change = isDebit ? -units : units
  const postings = [posting('merchant', currency, change, more), posting('rail', currency, -change)]
  return accepted({ kind: isDebit ? 'refund_hold' : 'settlement', sourceId: newSource(), postings }, at)
}
