import { LockMode } from '@mikro-orm/core'
import type { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import { findReturns, type ReturnKind, sumReturns } from '../db/standing-returns.ts'
import { Transfer, TransferReversal } from '../db/transfer/transfer.ts'
import { add, type Amount, isLess, lesser, subtract } from '../domain/money.ts'
import { refundableOf } from '../domain/refund.ts'
import { shareDueBack, shareOfPart } from '../domain/transfer/transfer.ts'
import { lockParties, restoreTransfer, reverseTransfer, type TakenBackBy } from './transfer/transfer.ts'

/** Which shares of a sale its refund or dispute takes back. */
export type SharesTakenBack = { reversesTransfer: boolean; refundsPlatformFee: boolean }

/** A refund or a dispute that returns a part of a sale, in the currency of its payment. */
export type Return = { by: TakenBackBy; amount: Amount }

/** Returns of a sale of one kind that stand: how much they are together, and what they have taken back of the share. */
type Standing = { kind: ReturnKind; part: Amount; taken: Amount }

/** At most so many returns take what they lacked. The last of them takes what more is missing. */
const takingMax = 100

/**
 * Takes back, in proportion, what a sale has passed on, because a part of it is refunded or disputed. Returns whether
 * this return does so. Locks the balances of both accounts, as the return takes from one of them too. `charge` is
 * locked, and its `refundClaimed` contains the refund.
 */
export async function takeBackShare(
  em: EntityManager,
  charge: Payment,
  { by, amount: part }: Return,
  { reversesTransfer, refundsPlatformFee }: SharesTakenBack,
  at: number,
): Promise<boolean> {
  const transfer = await lockTransferOf(em, charge)
  const isTakenBack = transfer?.kind === 'transfer' ? reversesTransfer : refundsPlatformFee
  if (!transfer || !isTakenBack) return false
  await lockParties(em, transfer)
  const others = await sumReturns(em, transfer, idOf(by))
  const kind: ReturnKind = 'refundId' in by ? 'refund' : 'dispute'
  // A dispute whose amount has grown has taken a part before.
  const taken = sumOf(await em.find(TransferReversal, { ...by, canceledAt: null }))
  const missing = missingOf(charge, transfer, [...others, { kind, part, taken }])
  if (isLess('0', missing)) await reverseTransfer(em, transfer, { amount: missing, of: by }, at)
  return true
}

/**
 * What a refund or a dispute has taken back of a sale's shares, with the balances of both accounts locked; null where
 * it has taken nothing. `restore` gives it again, once the money of the return is back; as much of it as other returns
 * lacked goes to them.
 */
export async function lockShareTakenBack(em: EntityManager, by: TakenBackBy, charge: Payment) {
  const reversals = await em.find(TransferReversal, { ...by, canceledAt: null })
  const transfer = reversals.length > 0 && (await lockTransferOf(em, charge))
  if (!transfer) return null
  await lockParties(em, transfer)
  return {
    async restore(at: number): Promise<void> {
      for (const reversal of reversals) await restoreTransfer(em, transfer, reversal, at)
      await takeWhatOthersLacked(em, charge, transfer, by, at)
    },
  }
}

const lockTransferOf = (em: EntityManager, { id }: Payment): Promise<Transfer | null> =>
  em.findOne(Transfer, { paymentId: id }, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** Takes what has to be back and is not, for each of the returns up to its own part, as one stands no longer. */
async function takeWhatOthersLacked(
  em: EntityManager,
  charge: Payment,
  transfer: Transfer,
  except: TakenBackBy,
  at: number,
): Promise<void> {
  let missing = missingOf(charge, transfer, await sumReturns(em, transfer, idOf(except)))
  if (!isLess('0', missing)) return
  const returns = await findReturns(em, transfer, idOf(except), takingMax)
  for (const one of returns) {
    const { kind, id, part, taken } = one
    const own = subtract(shareOfPart(transfer, { part, whole: wholeOf(kind, charge, transfer) }), taken)
    // Sums of parts are rounded, not each part: the last one takes the unit that this may leave.
    const amount = one === returns.at(-1) ? missing : lesser(own, missing)
    if (!isLess('0', amount)) continue
    await reverseTransfer(em, transfer, { amount, of: kind === 'refund' ? { refundId: id } : { disputeId: id } }, at)
    missing = subtract(missing, amount)
  }
}

/** What has to be back and is not, given the returns that stand. Less than 0 where too much is back. */
function missingOf(charge: Payment, transfer: Transfer, returns: Standing[]): Amount {
  const byReturns = returns.reduce((sum, { taken }) => add(sum, taken), '0')
  const byCalls = subtract(transfer.reversedAmount, byReturns)
  const refunded = returns.reduce((sum, { kind, part }) => (kind === 'refund' ? add(sum, part) : sum), '0')
  const disputes = returns.filter(({ kind }) => kind === 'dispute')
  const parts = [
    { part: lesser(refunded, refundedOfSale(charge, transfer)), whole: wholeOf('refund', charge, transfer) },
    ...disputes.map(({ part }) => ({ part, whole: wholeOf('dispute', charge, transfer) })),
  ]
  return subtract(shareDueBack(transfer, byCalls, parts), transfer.reversedAmount)
}

const sumOf = (reversals: TransferReversal[]): Amount => reversals.reduce((sum, { amount }) => add(sum, amount), '0')

const idOf = (by: TakenBackBy): string => ('refundId' in by ? by.refundId : by.disputeId)

/** A refund is a part of what has settled, and a dispute a part of what the buyer has paid. */
function wholeOf(kind: ReturnKind, charge: Payment, transfer: Transfer): Amount {
  if (kind === 'refund') return transfer.settledAmount ?? '0'
  return subtract(charge.amountReceived, unsharedOf(charge, transfer))
}

/** How much the refunds of a charge return of the sale itself: they return first what is unshared. */
function refundedOfSale(charge: Payment, transfer: Transfer): Amount {
  const unshared = unsharedOf(charge, transfer)
  return isLess(charge.refundClaimed, unshared) ? '0' : subtract(charge.refundClaimed, unshared)
}

/**
 * What can be refunded of a charge beyond the settled sale, and of which nothing was passed on: a surplus, and of a
 * short payment that was accepted also what was refunded before.
 */
const unsharedOf = (charge: Payment, { settledAmount }: Transfer): Amount =>
  subtract(refundableOf(charge), settledAmount ?? '0')
