import { type Amount, lesser, subtract } from '../money.ts'

/** The money of an account in one currency, and what it owes of it. */
export type OwnMoney = { available: Amount; pending: Amount; owed: Amount }

/** What remains once an account has repaid what it owes: from available money first, then from pending money. */
export function afterRepaying({ available, pending, owed }: OwnMoney): OwnMoney {
  const first = lesser(owed, available)
  const second = lesser(subtract(owed, first), pending)
  return {
    available: subtract(available, first),
    pending: subtract(pending, second),
    owed: subtract(subtract(owed, first), second),
  }
}
