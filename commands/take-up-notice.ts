import type { EntityManager } from '../db/core/database.ts'
import { findLiveVirtualAccount } from '../db/platform/virtual-account.ts'
import { newId } from '../domain/id.ts'
import type { Amount } from '../domain/money.ts'
import { takeUpDeposit } from './take-up-deposit.ts'

/**
 * A provider's notice of a transfer into a live virtual account: `reference` is its own name of the transfer. The
 * amount is what the notice says; what is settled is what the provider then answers.
 */
export type TransferNotice = { accountNumber: string; reference: string; amount: Amount }

/**
 * Takes up a provider's notice in the running transaction: makes the payment of the transfer with its process, or tells
 * the process of a known one. Returns whether anything was done: not for a number that no live account of ours has, and
 * not for a transfer that is posted. `at` is in milliseconds since the epoch.
 */
export async function takeUpNotice(
  em: EntityManager,
  { accountNumber, reference: sessionId, amount }: TransferNotice,
  at: number,
): Promise<boolean> {
  const account = await findLiveVirtualAccount(em, accountNumber)
  if (!account) return false
  const notice = { paymentId: newId('pay', at), sessionId, amount }
  return (await takeUpDeposit(em, account, notice, at)).isNews
}
