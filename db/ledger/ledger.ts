import Big from 'big.js'
import type { Currency } from '../../domain/currency.ts'
import { depositSource } from '../../domain/checkout/deposit.ts'
import { idAfter, newId } from '../../domain/id.ts'
import { add, type Amount, isLess, isZero, negate } from '../../domain/money.ts'
import { BalanceTransaction, balanceTransactionTypeOf } from '../balance/transaction.ts'
import type { Tenant } from '../core/columns.ts'
import { type EntityManager, writtenAt } from '../core/database.ts'
import { takeFromBalance } from './debit.ts'
import { timeOfBalance } from './time-of-balance.ts'
import { type LedgerAccount, LedgerEntry, LedgerTransaction, type MovementKind } from './tables.ts'
import { type Line, lockBalance } from './take.ts'

/** One line of a movement: credits are positive, debits negative, in the currency's units. */
export type Posting = {
  ledgerAccount: LedgerAccount
  currency: Currency
  amount: Amount
  /** When a credit becomes available: at a fixed moment, or a time after it is written; without either at once. */
  availableAt?: Date
  availableAfterMs?: number
  /** Whether a debit may also take pending money. */
  drawsPending?: boolean
  /** Whether the account owes what its balance cannot bear; otherwise the debit is refused. */
  mayOwe?: boolean
  /** The account that gets this debit of `merchant`: each part becomes available there when it would have here. */
  to?: Tenant
  /** Whether a debit takes from a credit of the same commit and moment, which nobody else can see: it needs no lock. */
  isOfOwnCredit?: boolean
}

/** A posting of an amount, which is available at once. */
export const postingIn = (currency: Currency, ledgerAccount: LedgerAccount, amount: Amount): Posting => ({
  ledgerAccount,
  currency,
  amount,
})

/**
 * What is being posted. A kind and source are posted once, which the database enforces too. `about` is the id of the
 * resource that the merchant knows, where that is not the source.
 */
export type Movement = { kind: MovementKind; sourceId: string; about?: string; owner: Tenant; postings: Posting[] }

/** The ledger accounts whose balance may never fall below zero. The rails' balance is a debit by nature. */
const guarded: readonly LedgerAccount[] = ['merchant', 'buyer', 'fees', 'reserved']

/** What is taken of these is taken at the balance's own time, whatever test clock the sale or the refund goes by. */
const ofBalance: readonly LedgerAccount[] = ['merchant', 'reserved']

const takes = ({ amount, ledgerAccount, isOfOwnCredit }: Posting): boolean =>
  isLess(amount, '0') && guarded.includes(ledgerAccount) && !isOfOwnCredit

/**
 * Posts a movement with the moment at which it is written: `at`, or later where the step runs late, so that past
 * balances never change. Credits are only appended, so a busy account has no hot row. A debit of a guarded ledger
 * account locks its balance, rolls up what has become available, and is refused when the balance is too low: with
 * `INSUFFICIENT_BALANCE` for the merchant's account, otherwise with `CONFLICT`. What an account owes is repaid before
 * anything else is taken from its balance (decision 0041).
 */
export async function post(em: EntityManager, movement: Movement, at: number): Promise<void> {
  for (const currency of new Set(movement.postings.map((posting) => posting.currency))) {
    const sum = movement.postings
      .filter((posting) => posting.currency === currency && !posting.to)
      .reduce((total, posting) => total.plus(posting.amount), new Big(0))
    if (!sum.eq(0)) throw new Error(`postings of ${movement.kind} ${movement.sourceId} do not add up`)
  }
  const written = await writtenAt(em, at)
  const isOfBalance = movement.postings.some((posting) => ofBalance.includes(posting.ledgerAccount) && takes(posting))
  const moment = isOfBalance ? await timeOfBalance(em, movement.owner, written) : written
  const createdAt = new Date(moment)
  const { id: transactionId } = em.create(LedgerTransaction, {
    id: nextId(em, moment),
    kind: movement.kind,
    sourceId: movement.sourceId,
    createdAt,
  })
  const lines: OwnedLine[] = []
  for (const posting of movement.postings.filter((line) => !isZero(line.amount))) {
    const time = ofBalance.includes(posting.ledgerAccount) ? moment : written
    for (const line of await linesOf(em, movement.owner, posting, time)) {
      const { accountId, environment } = line.owner
      const { ledgerAccount, currency, amount, availableAt, rolledUp } = line
      const entry = { ledgerAccount, currency, amount, availableAt, rolledUp }
      em.create(LedgerEntry, { ...entry, accountId, environment, transactionId, createdAt })
      lines.push(line)
    }
  }
  recordBalanceTransactions(em, movement, transactionId, lines, createdAt)
}

/** The last id of a commit. Movements of one moment are listed in the order in which they were posted. */
const newest = new WeakMap<EntityManager, { id: string; moment: number }>()

function nextId(em: EntityManager, moment: number): string {
  const before = newest.get(em)
  const id = before?.moment === moment ? idAfter(before.id) : newId('txn', moment)
  newest.set(em, { id, moment })
  return id
}

type OwnedLine = Line & { owner: Tenant; currency: Currency }

/** The lines of a posting, with those of the account that gets it. */
async function linesOf(em: EntityManager, owner: Tenant, posting: Posting, moment: number): Promise<OwnedLine[]> {
  const { ledgerAccount, currency, amount, availableAfterMs = 0, to } = posting
  const availableAt = posting.availableAt ?? new Date(moment + availableAfterMs)
  const lines = takes(posting)
    ? await takeFromBalance(em, owner, { ...posting, wanted: negate(amount) }, moment)
    : [{ ledgerAccount, amount, availableAt, rolledUp: false }]
  const owned = lines.map((line) => ({ ...line, owner, currency }))
  return to ? [...owned, ...owned.flatMap((line) => passedOn(line, to))] : owned
}

/**
 * The lines by which another account gets what a line takes, at the moment at which it is available. Between the two
 * stands `intercompany`, so that the books of each balance.
 */
function passedOn(line: OwnedLine, to: Tenant): OwnedLine[] {
  const credit = { ...line, amount: negate(line.amount), rolledUp: false }
  return [
    { ...credit, ledgerAccount: 'intercompany' },
    { ...credit, ledgerAccount: 'intercompany', owner: to, amount: line.amount },
    { ...credit, ledgerAccount: 'merchant', owner: to },
  ]
}

/**
 * Locks the balances of several accounts, in the order of their ids, before a commit takes from more than one of them:
 * two commits that lock them in different orders would wait for each other.
 */
export async function lockBalances(em: EntityManager, owners: readonly Tenant[], currency: Currency): Promise<void> {
  const sorted = owners.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))
  for (const { accountId, environment } of sorted) await lockBalance(em, [accountId, environment, 'merchant', currency])
}

/** Records the balance transactions of a movement: what it changes in each merchant's balance, per currency. */
function recordBalanceTransactions(
  em: EntityManager,
  movement: Movement,
  ledgerTransactionId: string,
  all: OwnedLine[],
  at: Date,
) {
  const { kind, sourceId, about = sourceId } = movement
  const shown = all.filter(({ ledgerAccount }) => ledgerAccount === 'merchant' || ledgerAccount === 'owed')
  const keyOf = ({ owner, currency }: OwnedLine) => `${owner.accountId} ${currency}`
  for (const [index, key] of [...new Set(shown.map(keyOf))].entries()) {
    const lines = shown.filter((line) => keyOf(line) === key)
    const amount = lines.reduce((total, line) => add(total, line.amount), '0')
    const [first] = lines
    if (isZero(amount) || !first) continue
    const type = balanceTransactionTypeOf[kind]
    if (!type) throw new Error(`${kind} is nothing that changes a merchant's balance`)
    const { owner, currency } = first
    em.create(BalanceTransaction, {
      accountId: owner.accountId,
      environment: owner.environment,
      ledgerTransactionId,
      type,
      currency,
      amount,
      sourceId: about,
      createdAt: at,
      id: index === 0 ? ledgerTransactionId : nextId(em, at.getTime()),
      availableAt: new Date(Math.max(...lines.map(({ availableAt }) => availableAt.getTime()))),
    })
  }
}

/**
 * The postings that release reserved money: each part becomes available again at the same moment as the part that was
 * taken. What the account owed for it is a credit too, which repays what it still owes.
 */
export async function releasePostings(em: EntityManager, hold: MovementKind, sourceId: string): Promise<Posting[]> {
  const { id: transactionId } = await em.findOneOrFail(LedgerTransaction, { kind: hold, sourceId })
  const entries = await em.find(LedgerEntry, { transactionId })
  return entries.map(({ ledgerAccount, currency, amount, availableAt }) => ({
    ledgerAccount: ledgerAccount === 'owed' ? ('merchant' as const) : ledgerAccount,
    availableAt,
    currency,
    amount: negate(amount),
  }))
}

/**
 * Which of a payment's deposits are posted, by the rail's ids. A worker from before 2026-11-23 may still have posted
 * one under the rail's bare id; of those only the owner's own count.
 */
export async function postedDeposits(
  em: EntityManager,
  { id, accountId, environment }: Tenant & { id: string },
  depositIds: string[],
): Promise<Set<string>> {
  const names = [...depositIds, ...depositIds.map((depositId) => depositSource(id, depositId))]
  const found = await em.find(LedgerTransaction, { kind: 'deposit', sourceId: { $in: names } })
  const own = await em.find(LedgerEntry, {
    transactionId: { $in: found.map((transaction) => transaction.id) },
    accountId,
    environment,
  })
  const isOwn = (transaction: LedgerTransaction) => own.some(({ transactionId }) => transactionId === transaction.id)
  const posted = new Set(found.filter(isOwn).map(({ sourceId }) => sourceId))
  return new Set(depositIds.filter((known) => posted.has(known) || posted.has(depositSource(id, known))))
}
