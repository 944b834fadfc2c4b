import Big from 'big.js'
import type { Currency } from '../domain/currency.ts'
import { newId } from '../domain/id.ts'
import { type Amount, isLess } from '../domain/money.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Tenant } from './columns.ts'
import type { EntityManager } from './database.ts'
import { type Book, LedgerEntry, LedgerTransaction } from './ledger-tables.ts'

/** One line of a transaction: credits are positive, debits negative, in the currency's units. */
export type Posting = { book: Book; currency: Currency; amount: Amount; availableAt?: Date }

/** What is being booked; a kind and source are booked once, which the database holds too. */
export type Movement = {
  kind: 'deposit' | 'settlement' | 'surplus'
  sourceId: string
  owner: Tenant
  postings: Posting[]
}

/** The books whose balance may never fall below zero; the rails' own balance is a debit by nature. */
const guarded: readonly Book[] = ['merchant', 'buyer', 'fees']

/**
 * Books a movement. Credits only append, so a busy account has no hot row. A debit of a guarded book locks its balance,
 * folds in what has become available and is refused with `CONFLICT` when too little is there.
 */
export async function post(em: EntityManager, movement: Movement, at: number): Promise<void> {
  const sum = movement.postings.reduce((total, posting) => total.plus(posting.amount), new Big(0))
  if (!sum.eq(0)) throw new Error(`postings of ${movement.kind} ${movement.sourceId} do not add up`)
  const createdAt = new Date(at)
  const transaction = em.create(LedgerTransaction, {
    id: newId('txn', at),
    kind: movement.kind,
    sourceId: movement.sourceId,
    createdAt,
  })
  for (const posting of movement.postings.filter((line) => !new Big(line.amount).eq(0))) {
    const debit = isLess(posting.amount, '0') && guarded.includes(posting.book)
    if (debit) await takeFromBalance(em, movement.owner, posting, at)
    em.create(LedgerEntry, {
      accountId: movement.owner.accountId,
      environment: movement.owner.environment,
      transactionId: transaction.id,
      book: posting.book,
      currency: posting.currency,
      amount: posting.amount,
      availableAt: posting.availableAt ?? createdAt,
      createdAt,
      folded: debit,
    })
  }
}

async function takeFromBalance(em: EntityManager, owner: Tenant, posting: Posting, at: number): Promise<void> {
  const key = [owner.accountId, owner.environment, posting.book, posting.currency]
  await em.execute(
    `insert into ledger_balances as b (account_id, environment, book, currency) values (?, ?, ?, ?)
     on conflict (account_id, environment, book, currency) do update set amount = b.amount`,
    key,
  )
  await em.flush() // credits of this very transaction count too
  const [row] = await em.execute<{ enough: boolean }[]>(
    `with due as (
       update ledger_entries set folded = true
       where account_id = ? and environment = ? and book = ? and currency = ? and not folded and available_at <= ?
       returning amount
     ), total as (
       select b.amount + coalesce((select sum(amount) from due), 0) as amount from ledger_balances b
       where account_id = ? and environment = ? and book = ? and currency = ?
     ), taken as (
       update ledger_balances b set amount = total.amount + ?::numeric from total
       where b.account_id = ? and b.environment = ? and b.book = ? and b.currency = ? and total.amount + ?::numeric >= 0
       returning 1
     ) select exists (select from taken) as enough`,
    [...key, new Date(at), ...key, posting.amount, ...key, posting.amount],
  )
  if (!row?.enough) throw new Refusal('CONFLICT', `the ${posting.book} balance is too low`)
}

/** A book's balance: what may be used at `at`, and what becomes available later. Decimal strings at full scale. */
export async function balanceOf(
  em: EntityManager,
  owner: Tenant,
  book: Book,
  currency: Currency,
  at: number,
): Promise<{ available: Amount; pending: Amount }> {
  const key = [owner.accountId, owner.environment, book, currency]
  const when = new Date(at)
  const [row] = await em.execute<{ available: string; pending: string }[]>(
    `select coalesce((select amount from ledger_balances
                      where account_id = ? and environment = ? and book = ? and currency = ?), 0)
            + coalesce(sum(amount) filter (where available_at <= ?), 0) as available,
            coalesce(sum(amount) filter (where available_at > ?), 0) as pending
     from ledger_entries
     where account_id = ? and environment = ? and book = ? and currency = ? and not folded`,
    [...key, when, when, ...key],
  )
  return { available: new Big(row?.available ?? 0).toFixed(), pending: new Big(row?.pending ?? 0).toFixed() }
}
