import { LockMode } from '@mikro-orm/core'
import type { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import { findReturns, type ReturnKind, sumReturns } from '../db/standing-returns.ts'
import { Transfer, TransferReversal } from '../db/transfer/transfer.ts'
import { add, type Amount, isLess, lesser, subtract } from '../domain/money.ts'
import { refundableOf } from '../domain/refund.ts'
import { type PartOfSale, shareDueBack, shareOfPart } from '../domain/transfer/transfer.ts'
import { lockParties, restoreTransfer, reverseTransfer, type TakenBackBy } from './transfer/transfer.ts'

/** Which shares of a sale its refund or dispute takes back. */
export type SharesTakenBack = { reversesTransfer: boolean; refundsPlatformFee: boolean }

/** A refund or a dispute that returns a part of a sale, in the currency of its payment. */
export type Return = { by: TakenBackBy; amount: Amount }

/** Returns of a sale that stand: which part of it they are together, and what they have taken back of the share. */
type Standing = PartOfSale & { taken: Amount }

/** At most so many returns take what they lacked. The last of them takes what more is missing. */
const takingMax = 100

/**
 * Takes back, in proportion, what a sale has passed on, because a part of it is refunded or disputed. Returns whether
 * this return does so. Locks the balances of both accounts, as the return takes from one of them too. `charge` is
 * locked.
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
  const others = await sumsOfReturns(em, charge, transfer, by)
  const whole = wholeOf('refundId' in by ? 'refund' : 'dispute', charge, transfer)
  // A dispute whose amount has grown has taken a part before.
  const taken = sumOf(await em.find(TransferReversal, { ...by, canceledAt: null }))
  const missing = missingOf(transfer, [...others, { part, whole, taken }])
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
  let missing = missingOf(transfer, await sumsOfReturns(em, charge, transfer, except))
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

/** What has to be back and is not, given the returns that stand. Less than 0 where rounding has taken a unit more. */
function missingOf(transfer: Transfer, returns: Standing[]): Amount {
  const byReturns = returns.reduce((sum, { taken }) => add(sum, taken), '0')
  const byCalls = subtract(transfer.reversedAmount, byReturns)
  return subtract(shareDueBack(transfer, byCalls, returns), transfer.reversedAmount)
}

/** The returns of a sale that stand, without one: the refunds together, and the disputes. */
async function sumsOfReturns(em: EntityManager, charge: Payment, transfer: Transfer, except: TakenBackBy) {
  const sums = await sumReturns(em, transfer, idOf(except))
  return sums.map(({ kind, part, taken }): Standing => ({ part, taken, whole: wholeOf(kind, charge, transfer) }))
}

const sumOf = (reversals: TransferReversal[]): Amount => reversals.reduce((sum, { amount }) => add(sum, amount), '0')

const idOf = (by: TakenBackBy): string => ('refundId' in by ? by.refundId : by.disputeId)

/** A refund is a part of what has settled, and a dispute a part of what the buyer has paid. */
function wholeOf(kind: ReturnKind, charge: Payment, { settledAmount }: Transfer): Amount {
  const settled = settledAmount ?? '0'
  // Of a short payment that was accepted, what was refunded before has never settled.
  const unsettled = subtract(refundableOf(charge), settled)
  return kind === 'refund' ? settled : subtract(charge.amountReceived, unsettled)
}
