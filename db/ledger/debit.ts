import type { Currency } from '../../domain/currency.ts'
import { add, type Amount, format, isLess, isZero, subtract } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { ownMoney, heldForConnected } from './available.ts'
import { owe, repayOwed } from './owed.ts'
import type { LedgerAccount } from './tables.ts'
import { type Key, type Line, lockBalance, takeUpTo } from './take.ts'

/** A debit of a balance, as its posting describes it; `wanted` is above zero. */
export type Debit = {
  ledgerAccount: LedgerAccount
  currency: Currency
  wanted: Amount
  drawsPending?: boolean
  mayOwe?: boolean
  to?: Tenant
}

/** The lines of a debit of a guarded balance, which it locks. Refused when the balance is too low. */
export async function takeFromBalance(em: EntityManager, owner: Tenant, debit: Debit, at: number): Promise<Line[]> {
  const { ledgerAccount, currency, wanted, mayOwe = false } = debit
  // Only a merchant's money becomes available later than it is written. All other money is available at once, also by a
  // clock that is behind the one by which it was written.
  const drawsPending = debit.drawsPending || ledgerAccount !== 'merchant'
  const key: Key = [owner.accountId, owner.environment, ledgerAccount, currency]
  await lockBalance(em, key)
  const owed = ledgerAccount === 'merchant' ? await repayOwed(em, owner, currency, at, !mayOwe) : '0'
  const lines = await takeUpTo(em, key, wanted, at, drawsPending)
  const missing = lines.reduce((left, { amount }) => add(left, amount), wanted)
  if (isZero(missing)) {
    if (ledgerAccount === 'merchant' && !mayOwe) await assertAnswersForConnected(em, owner, debit, at)
    return lines
  }
  if (mayOwe) return [...lines, await owe(em, owner, currency, missing, at)]
  if (ledgerAccount !== 'merchant') throw new Refusal('CONFLICT', `the ${ledgerAccount} balance is too low`)
  const shown = (amount: Amount) => `${format(amount, currency)} ${currency}`
  const which = debit.drawsPending ? 'available and pending' : 'available'
  const comparison = `${shown(subtract(wanted, missing))} ${which}, ${shown(wanted)} needed`
  if (!isZero(owed)) {
    throw tooLow(
      `the account owes ${shown(owed)}, which is repaid first from what arrives: ${comparison}`,
      'balance_owed',
    )
  }
  throw tooLow(`the balance is too low: ${comparison}`)
}

/**
 * Refuses a debit that leaves a platform less than what its connected accounts owe. What goes to one of them may be
 * used for what that one owes. The lines of the debit are not written yet, so the platform's money still contains them.
 *
 * A reversal credits the platform and makes an account owe in one commit, and does not wait for the platform's balance.
 * So debts are always read after money: after the debit has taken what it wants, and again after the platform's money.
 * Whoever sees the credit of a reversal then sees its debt too. In the other order the debt could be missed.
 */
async function assertAnswersForConnected(em: EntityManager, owner: Tenant, debit: Debit, at: number): Promise<void> {
  const { currency, wanted, to, drawsPending } = debit
  const readHeld = () => heldForConnected(em, owner, currency, at, to?.accountId)
  if (isZero(await readHeld())) return
  const { available, pending } = await ownMoney(em, owner, currency, at)
  const own = drawsPending ? add(available, pending) : available
  const held = await readHeld()
  if (!isLess(subtract(own, held), wanted)) return
  const shown = (amount: Amount) => `${format(amount, currency)} ${currency}`
  const reason = `of ${shown(own)} ${shown(held)} are held for what your connected accounts owe`
  throw tooLow(`the balance is too low: ${reason}, ${shown(wanted)} needed`, 'connected_balance_owed')
}

function tooLow(detail: string, code?: string): Refusal {
  const entry = { field: 'amount', message: 'is more than the balance', type: 'value_error.range' }
  return new Refusal('INSUFFICIENT_BALANCE', detail, code ? [{ ...entry, code }] : undefined)
}
