import { LockMode } from '@mikro-orm/core'
import type { Payment } from '../../db/checkout/payment.ts'
import { Account } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { Transfer, TransferReversal } from '../../db/transfer/transfer.ts'
import { splitIn, splitOfPart } from '../../domain/checkout/split.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { type Amount, isLess, isZero, subtract } from '../../domain/money.ts'
import { leftOf, shareOfReturn, type TransferKind } from '../../domain/transfer/transfer.ts'
import { refundableOf } from '../../domain/refund.ts'
import { lockParties, makeTransfer, restoreTransfer, reverseTransfer, type TakenBackBy } from '../transfer/transfer.ts'

const dayMs = 86_400_000

/**
 * Passes on what a settled payment promises to somebody else, in the currency of the payment and at its rate. `settled`
 * is what the account gets of it now; where that is only a part of `whole`, so is what is passed on. A duplicate, which
 * is refunded, promises nothing.
 */
export async function passOnSplit(
  em: EntityManager,
  payment: Payment,
  { settled, whole }: { settled: Amount; whole: Amount },
  at: number,
): Promise<void> {
  const { accountId, currency, corridor, platformFee, transferDestination, reference } = payment
  const promised = splitIn(payment, payment.rate, currency)
  if (promised === null || payment.duplicate) return
  const kind: TransferKind = platformFee ? 'platform_fee' : 'transfer'
  const platformId = platformFee ? await platformOf(em, accountId) : accountId
  const amount = splitOfPart(promised, kind, { part: settled, whole }, currency)
  if (isZero(amount)) return
  const availableAfterMs = corridorOf(corridor).availableAfterDays * dayMs
  const toAccountId = transferDestination ?? platformId
  const sale = { paymentId: payment.id, settled, availableAfterMs }
  const transfer = { kind, fromAccountId: accountId, toAccountId, currency, amount, reference, sale }
  await makeTransfer(em, { accountId: platformId, environment: payment.environment }, transfer, at)
}

/** The platform of an account: the one that it is connected to. An organization of its own is its own platform. */
async function platformOf(em: EntityManager, accountId: string): Promise<string> {
  const account = await readRow(em, Account, { id: accountId })
  return account?.ownerId ?? accountId
}

/** Which shares of a sale its refund or dispute takes back. */
export type SharesTakenBack = { reversesTransfer: boolean; refundsPlatformFee: boolean }

/** A refund or a dispute that returns a part of a sale, in the currency of its payment. */
export type Return = { by: TakenBackBy; amount: Amount }

/**
 * Takes back, in proportion, what a sale has passed on, because a part of it is refunded or disputed. Locks the
 * balances of both accounts, as the return takes from one of them too. `charge` is locked, and what it counts as
 * refunded and disputed does not include this return yet.
 */
export async function takeBackShare(
  em: EntityManager,
  charge: Payment,
  { by, amount: returned }: Return,
  { reversesTransfer, refundsPlatformFee }: SharesTakenBack,
  at: number,
): Promise<void> {
  const transfer = await lockTransferOf(em, charge)
  const isTakenBack = transfer?.kind === 'transfer' ? reversesTransfer : refundsPlatformFee
  if (!transfer || !isTakenBack) return
  await lockParties(em, transfer)
  const whole = transfer.settledAmount ?? '0'
  // Of a short payment that was accepted, what was refunded before has never settled.
  const unsettled = subtract(refundableOf(charge), whole)
  // A refund returns a part of what has settled, and a dispute a part of what the buyer has paid.
  const parts =
    'refundId' in by
      ? { before: subtract(charge.refundClaimed, unsettled), now: returned, whole }
      : { before: charge.disputeClaimed, now: returned, whole: subtract(charge.amountReceived, unsettled) }
  const amount = lesser(shareOfReturn(transfer.amount, parts, transfer.currency), leftOf(transfer))
  if (!isZero(amount)) await reverseTransfer(em, transfer, { amount, of: by }, at)
}

const lesser = (one: Amount, other: Amount): Amount => (isLess(one, other) ? one : other)

const lockTransferOf = (em: EntityManager, { id }: Payment): Promise<Transfer | null> =>
  em.findOne(Transfer, { paymentId: id }, { lockMode: LockMode.PESSIMISTIC_WRITE })

/**
 * What a refund or a dispute has taken back of a sale's shares, with the balances of both accounts locked; null where
 * it has taken nothing. `restore` gives it again, once the money of the return is back.
 */
export async function lockShareTakenBack(em: EntityManager, by: TakenBackBy, charge: Payment) {
  const reversal = await em.findOne(TransferReversal, { ...by, canceledAt: null })
  const transfer = reversal && (await lockTransferOf(em, charge))
  if (!transfer) return null
  await lockParties(em, transfer)
  return { restore: (at: number): Promise<void> => restoreTransfer(em, transfer, reversal, at) }
}
