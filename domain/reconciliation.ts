import { add, type Amount, isZero, subtract } from './money.ts'

// The reconciliation compares a provider's statement of a day with our rows and our ledger.

/** What money does: a buyer pays, gets a part back, a merchant is paid out, a buyer's bank takes a payment back. */
export type MoneyKind = 'payment' | 'refund' | 'payout' | 'dispute'

/** `settled`: the money has moved; `open`: it may still move; `undone`: it has not moved, or has come back. */
export type MoneyStatus = 'settled' | 'open' | 'undone'

/**
 * `returned`: a payment that has come and gone back. It is settled where we have booked it, as the refund or dispute is
 * a line of its own, and undone where we have not.
 */
type LineStatus = MoneyStatus | 'returned'

/** One payment, refund, payout or dispute as a provider's statement has it. It holds no data of a person. */
export type StatementLine = {
  kind: MoneyKind
  /** The provider's id of it. */
  theirId: string
  /** Our id as it was sent along with the order. Nobody has checked it, and others may have written it. */
  ourId: string | null
  /** The provider's reference of a payment, where that is not ours. */
  reference: string | null
  /** The provider's id of the payment that a refund or a dispute is about. */
  paymentTheirId: string | null
  /** Whether the provider calls a payment a transfer into a virtual account. */
  isDeposit?: boolean
  status: LineStatus
  /** The provider's own word for the status. */
  word: string
  /** Null: the provider does not say it, and there is nothing to compare. */
  amount: Amount | null
  /** A code of ISO 4217. */
  currency: string
  /** When it happened by the provider's clock, in milliseconds since the epoch. */
  at: number
}

/** The same as our rows and our ledger have it. */
export type OwnLine = {
  kind: MoneyKind
  id: string
  /** Of a dispute: the network's id; of others null. */
  networkId: string | null
  /** The payment that a refund or a dispute is about. */
  paymentId: string | null
  status: MoneyStatus
  amount: Amount
  currency: string
  /** What the ledger has posted of it at the rail so far; null where that is in another currency. */
  posted: Amount | null
}

/** A line, and what of ours it is about. */
export type Matched = {
  line: StatementLine
  /** Whether it is an order of ours, or a refund or a dispute of a payment of ours. */
  isOurs: boolean
  /** Our id of it; null where we have none. */
  ourId: string | null
  /** Our payment that it is, or is about. */
  paymentId: string | null
  /** What our rows say; null where they have none. */
  own: OwnLine | null
}

/**
 * How the two sides differ: it is `not_here`, or `not_there`; it has another `amount`, `currency` or `status`; the
 * provider has done it `twice`; or our own `ledger` has posted something else than our row says.
 */
export type DifferenceReason = 'not_here' | 'not_there' | 'amount' | 'currency' | 'status' | 'twice' | 'ledger'

export type Difference = {
  reason: DifferenceReason
  kind: MoneyKind
  ourId: string | null
  paymentId: string | null
  line: StatementLine | null
  own: OwnLine | null
}

type Sum = { count: number; amount: Amount }
/** What has settled on the day, of one kind and currency, on each side. */
export type Total = { kind: MoneyKind; currency: string; theirs: Sum; ours: Sum }

type Counted = Pick<OwnLine, 'kind' | 'currency' | 'amount'>

export type Comparison = {
  differences: Difference[]
  /** Lines that are not about anything of ours, as others may use the same account; the first `foreignMax` of them. */
  foreign: StatementLine[]
  foreignCount: number
  totals: Total[]
}

export const foreignMax = 100

const isSettled = ({ status }: { status: LineStatus }): boolean => status === 'settled'
const isUndone = ({ status }: { status: LineStatus }): boolean => status === 'undone'

/** A line that has come and gone back, by whether we have booked it. */
function decided(line: StatementLine, own: OwnLine | null): StatementLine {
  if (line.status !== 'returned') return line
  return { ...line, status: own !== null && isSettled(own) ? 'settled' : 'undone' }
}

type Pair = Omit<Matched, 'isOurs' | 'line'> & { line: StatementLine | null }

const difference = (reason: DifferenceReason, kind: MoneyKind, { ourId, paymentId, line, own }: Pair): Difference => ({
  reason,
  kind,
  ourId,
  paymentId,
  line,
  own,
})

/** Compares one line with what we have of it. An empty list: the two sides say the same. */
function differencesOf(pair: Pair & { line: StatementLine }): Difference[] {
  const { line, own } = pair
  if (own === null) {
    // A payment that was not paid moves no money. Everything else that is under way will.
    const matters = isSettled(line) || (line.status === 'open' && line.kind !== 'payment')
    return matters ? [difference('not_here', line.kind, pair)] : []
  }
  const found = ledgerDifferences(own, pair)
  if (haveOtherStatus(line, own)) found.push(difference('status', line.kind, pair))
  const bothCount = line.kind === 'payment' ? [line, own].every(isSettled) : ![line, own].some(isUndone)
  if (bothCount && line.currency !== own.currency) found.push(difference('currency', line.kind, pair))
  else if (bothCount && isOtherAmount(line.amount, own.amount)) found.push(difference('amount', line.kind, pair))
  return found
}

const isOtherAmount = (theirs: Amount | null, ours: Amount): boolean =>
  theirs !== null && !isZero(subtract(theirs, ours))

/** Of a payment it counts only whether money has moved: one side may give up an attempt before the other. */
const haveOtherStatus = (line: StatementLine, own: OwnLine): boolean =>
  line.kind === 'payment' ? isSettled(line) !== isSettled(own) : line.status !== own.status

/** The ledger has posted what the row says, and nothing where nothing has moved. */
function ledgerDifferences(own: OwnLine, pair: Pair): Difference[] {
  const expected = isSettled(own) ? own.amount : '0'
  if (own.posted === null || isZero(subtract(own.posted, expected))) return []
  return [difference('ledger', own.kind, pair)]
}

/**
 * Compares the statement of a day with what we have, page by page. It keeps the ids that it has seen, the differences
 * and the sums, and no lines.
 */
export function createComparison() {
  const differences: Difference[] = []
  const foreign: StatementLine[] = []
  const foreignIds = new Set<string>()
  /** The provider's id of what has settled, by our key. */
  const settled = new Map<string, string>()
  /** What has not settled at the provider, though it has with us: perhaps a later attempt has. */
  const unsettled = new Map<string, Matched>()
  const others = new Set<string>()
  const totals = new Map<string, Total>()

  function count(side: 'theirs' | 'ours', { kind, currency, amount }: Counted): void {
    const key = `${kind} ${currency}`
    const nothing = () => ({ count: 0, amount: '0' })
    const total = totals.get(key) ?? { kind, currency, theirs: nothing(), ours: nothing() }
    total[side] = { count: total[side].count + 1, amount: add(total[side].amount, amount) }
    totals.set(key, total)
  }

  function takeForeign(line: StatementLine): void {
    const before = foreignIds.size
    foreignIds.add(`${line.kind} ${line.theirId}`)
    if (foreignIds.size > before && before < foreignMax) foreign.push(line)
  }

  function takeSettled(key: string, matched: Matched): void {
    const { line, own } = matched
    const known = settled.get(key)
    if (known === line.theirId) return
    count('theirs', { ...line, amount: line.amount ?? own?.amount ?? '0' })
    if (known !== undefined) return void differences.push(difference('twice', line.kind, matched))
    settled.set(key, line.theirId)
    unsettled.delete(key)
    if (own !== null && isSettled(own)) count('ours', own)
    differences.push(...differencesOf(matched))
  }

  function takeUnsettled(key: string, matched: Matched): void {
    const { line, own } = matched
    if (own !== null && isSettled(own)) {
      if (!settled.has(key)) unsettled.set(key, matched)
      return
    }
    const found = differencesOf(matched)
    const id = `${key} ${line.theirId}`
    if (found.length === 0 || others.has(id)) return
    others.add(id)
    differences.push(...found)
  }

  return {
    /** Takes lines of the day's statement. A line that is shown again, as pages may move on, counts once. */
    take(page: readonly Matched[]): void {
      for (const { line: theirs, ...about } of page) {
        const { isOurs, ourId, own } = about
        const line = decided(theirs, own)
        const matched = { ...about, line }
        const key = `${line.kind} ${ourId ?? line.theirId}`
        if (!isOurs) takeForeign(line)
        else if (isSettled(line)) takeSettled(key, matched)
        else takeUnsettled(key, matched)
      }
    },
    /** Whether the day's statement has a line of this one of ours. */
    has: ({ kind, id }: Pick<OwnLine, 'kind' | 'id'>): boolean =>
      settled.has(`${kind} ${id}`) || unsettled.has(`${kind} ${id}`),
    /**
     * Takes one of ours that the day's statement lacks. `line` is what the provider says when it is asked about
     * it, such as that it has it on another day; null: it knows of none.
     */
    takeMissing(own: OwnLine, line: StatementLine | null): void {
      const pair = { ourId: own.id, paymentId: own.paymentId, own }
      if (isSettled(own) && (line === null || !isSettled(decided(line, own)))) count('ours', own)
      if (line !== null) differences.push(...differencesOf({ ...pair, line: decided(line, own) }))
      else differences.push(...missingDifferences({ ...pair, line }, own))
    },
    /** What was found. */
    result(): Comparison {
      for (const matched of unsettled.values()) {
        if (matched.own !== null) count('ours', matched.own)
        differences.push(...differencesOf(matched))
      }
      unsettled.clear()
      return { differences, foreign, foreignCount: foreignIds.size, totals: [...totals.values()] }
    },
  }
}

const missingDifferences = (pair: Pair, own: OwnLine): Difference[] => [
  ...(isSettled(own) ? [difference('not_there', own.kind, pair)] : []),
  ...ledgerDifferences(own, pair),
]
