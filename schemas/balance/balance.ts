import Type, { type Static } from 'typebox'
import type { Balance as BookBalance } from '../../db/balance/balance.ts'
import type { BalanceTransaction as Row } from '../../db/balance/transaction.ts'
import { balanceTransactionTypes } from '../../domain/balance/transaction.ts'
import type { Currency } from '../../domain/currency.ts'
import { afterRepaying } from '../../domain/balance/owed.ts'
import { add, type Amount, format, isLess, negate, subtract } from '../../domain/money.ts'
import { CurrencyCode, id, iso, Money, Timestamp } from '../common.ts'

export const Balance = Type.Object(
  { currency: CurrencyCode, available: Money, pending: Money, reserved: Money, owed: Money },
  { $id: 'Balance' },
)

/**
 * An account's balances, added up from its ledger accounts: one for each currency with entries. What it owes is
 * deducted from its money (decision 0041). What its connected accounts owe is held of its available money, so it is
 * shown as reserved (decision 0042).
 */
export function presentBalances(
  ledgerAccounts: readonly BookBalance[],
  debts: readonly { currency: Currency; owed: Amount }[],
): Static<typeof Balance>[] {
  const find = (ledgerAccount: BookBalance['ledgerAccount'], currency: Currency) =>
    ledgerAccounts.find((balance) => balance.ledgerAccount === ledgerAccount && balance.currency === currency) ?? {
      available: '0',
      pending: '0',
    }
  return [...new Set(ledgerAccounts.map(({ currency }) => currency))].map((currency) => {
    const [own, debt, reserved] = [find('merchant', currency), find('owed', currency), find('reserved', currency)]
    const { available, pending, owed } = afterRepaying({ ...own, owed: negate(add(debt.available, debt.pending)) })
    const answersFor = debts
      .filter((each) => each.currency === currency)
      .reduce((sum, each) => add(sum, each.owed), '0')
    const held = isLess(available, answersFor) ? available : answersFor
    return {
      currency,
      available: format(subtract(available, held), currency),
      pending: format(pending, currency),
      reserved: format(add(add(reserved.available, reserved.pending), held), currency),
      owed: format(owed, currency),
    }
  })
}

const SignedMoney = Type.String({ pattern: '^-?(0|[1-9]\\d*)(\\.\\d+)?$', maxLength: 41, examples: ['-25.00'] })

export const BalanceTransaction = Type.Object(
  {
    transaction_id: id('txn'),
    type: Type.Enum([...balanceTransactionTypes]),
    amount: SignedMoney,
    currency: CurrencyCode,
    balance_after: SignedMoney,
    source_id: Type.String(),
    available_at: Timestamp,
    created_at: Timestamp,
  },
  { $id: 'BalanceTransaction' },
)

export function presentBalanceTransaction(row: Row, balanceAfter: Amount): Static<typeof BalanceTransaction> {
  const currency = row.currency
  return {
    transaction_id: row.id,
    type: row.type,
    amount: format(row.amount, currency),
    currency,
    balance_after: format(balanceAfter, currency),
    source_id: row.sourceId,
    available_at: iso(row.availableAt),
    created_at: iso(row.createdAt),
  }
}
