import type { Currency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { type Amount, isZero, negate, subtract } from '../../domain/money.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { LedgerEntry, LedgerTransaction } from './tables.ts'
import { type Key, type Line, takeUpTo } from './take.ts'

const mine = 'account_id = ? and environment = ? and book = ? and currency = ?'
const owedKey = ({ accountId, environment }: Tenant, currency: Currency): Key => [
  accountId,
  environment,
  'owed',
  currency,
]

/** The line by which an account owes an amount more. Its merchant balance is locked, which guards what it owes too. */
export async function owe(
  em: EntityManager,
  owner: Tenant,
  currency: Currency,
  amount: Amount,
  at: number,
): Promise<Line> {
  await em.execute(
    `insert into ledger_balances as b (account_id, environment, book, currency, amount) values (?, ?, ?, ?, ?)
     on conflict (account_id, environment, book, currency) do update set amount = b.amount + excluded.amount`,
    [...owedKey(owner, currency), amount],
  )
  return { ledgerAccount: 'owed', amount: negate(amount), availableAt: new Date(at), rolledUp: true }
}

/**
 * Repays what an account owes from its balance, which is locked: from available money first, then from pending money
 * where `drawsPending`. A debit that may owe does without: a platform can make one of its account at any time, and what
 * is held of the platform's money until pending money is available (decision 0042) would be free earlier.
 *
 * Credits only append and do not look at what is owed, so it is repaid by the next debit. Until then every reader
 * deducts it (`afterRepaying`). Returns what is still owed.
 */
export async function repayOwed(
  em: EntityManager,
  owner: Tenant,
  currency: Currency,
  at: number,
  drawsPending: boolean,
): Promise<Amount> {
  const { accountId, environment } = owner
  const [row] = await em.execute<{ amount: Amount }[]>(
    `select amount from ledger_balances where ${mine} and amount > 0`,
    owedKey(owner, currency),
  )
  if (!row) return '0'
  const lines = await takeUpTo(em, [accountId, environment, 'merchant', currency], row.amount, at, drawsPending)
  const repaid = lines.reduce((total, { amount }) => subtract(total, amount), '0')
  if (isZero(repaid)) return row.amount
  await em.execute(`update ledger_balances set amount = amount - ?::numeric where ${mine}`, [
    repaid,
    ...owedKey(owner, currency),
  ])
  const [transactionId, createdAt] = [newId('txn', at), new Date(at)]
  em.create(LedgerTransaction, { id: transactionId, kind: 'owed_repaid', sourceId: transactionId, createdAt })
  const back: Line = { ledgerAccount: 'owed', amount: repaid, availableAt: createdAt, rolledUp: true }
  for (const line of [...lines, back]) {
    em.create(LedgerEntry, { ...line, accountId, environment, transactionId, currency, createdAt })
  }
  await em.flush() // so that the debit that follows finds this money taken
  return subtract(row.amount, repaid)
}
