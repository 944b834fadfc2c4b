import { add, negate, subtract } from '../../domain/money.ts'
import { isPayoutEnded, movePayout } from '../../domain/payout/payout.ts'
import { totalDebitOf } from '../../domain/payout/terms.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { post, type Posting, releasePostings } from '../../db/ledger/ledger.ts'
import type { Payout } from '../../db/payout/payout.ts'
import { countPayoutEnd } from './set-schedule.ts'

/** How a payout has ended, and the reason when it has not arrived. */
export type PayoutEnding = { status: 'completed' } | { status: 'failed' | 'rejected'; reason: string }

/**
 * Ends a payout that the running transaction has locked: the reserved money is paid out, or released. False when the
 * payout had already ended, and then nothing changes.
 */
export async function endPayout(em: EntityManager, payout: Payout, ending: PayoutEnding, at: number): Promise<boolean> {
  if (isPayoutEnded(payout.status)) return false
  movePayout(payout, ending.status)
  payout.onHoldSince = null
  payout.updatedAt = new Date(at)
  const movement = { sourceId: payout.id, owner: payout }
  if (ending.status === 'completed') {
    payout.completedAt = new Date(at)
    await post(em, { ...movement, kind: 'payout_paid', postings: paidPostings(payout) }, at)
  } else {
    payout.failureReason = ending.reason
    const postings = await releasePostings(em, 'payout_hold', payout.id)
    await post(em, { ...movement, kind: 'payout_released', postings }, at)
  }
  await countPayoutEnd(em, payout, at)
  return true
}

/** What goes to the rail: the reserved money less the fees. */
const sentToRail = ({ sourceAmount, quoteFee }: Payout) => subtract(sourceAmount, quoteFee)

function paidPostings(payout: Payout): Posting[] {
  const currency = payout.sourceCurrency
  return [
    { ledgerAccount: 'reserved', currency, amount: negate(totalDebitOf(payout)) },
    { ledgerAccount: 'rail', currency, amount: sentToRail(payout) },
    { ledgerAccount: 'fees', currency, amount: add(payout.fee, payout.quoteFee) },
  ]
}

/**
 * Credits an account with the money of a completed payout that the bank has returned: what had gone to the rail,
 * without the fees. False when the return was posted before.
 */
export async function returnPayout(em: EntityManager, payout: Payout, at: number): Promise<boolean> {
  if (payout.returnedAt) return false
  payout.returnedAt = payout.updatedAt = new Date(at)
  const currency = payout.sourceCurrency
  const postings: Posting[] = [
    { ledgerAccount: 'rail', currency, amount: negate(sentToRail(payout)) },
    { ledgerAccount: 'merchant', currency, amount: sentToRail(payout) },
  ]
  await post(em, { kind: 'payout_returned', sourceId: payout.id, owner: payout, postings }, at)
  return true
}
