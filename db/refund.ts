import { defineEntity, p } from '@mikro-orm/core'
import type { Currency } from '../domain/currency.ts'
import { newId } from '../domain/id.ts'
import { add, type Amount, format, isLess, negate, subtract } from '../domain/money.ts'
import {
  feeBearers,
  heldFor,
  isEnded,
  moveRefund,
  type RefundEnd,
  refundStatuses,
  type RefundWish,
  returnedBy,
  termsOf,
} from '../domain/refund.ts'
import { moment, money, tenant } from './columns.ts'
import type { EntityManager } from './database.ts'
import { lockedTotal, post, type Posting, releasePostings } from './ledger.ts'
import type { Payment } from './payment.ts'
import { type About, startProcess } from './start-process.ts'

export const simulatedOutcomes = ['success', 'failed'] as const

const schema = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    id: p.string().primary(),
    ...tenant,
    chargeId: p.string(),
    reference: p.string().length(128),
    status: p.enum(refundStatuses).default('pending'),
    // The currency that the charge has settled in.
    currency: p.string().length(10),
    requestedAmount: money().check("requested_amount > 0 and requested_amount <> 'NaN'"),
    refundedAmount: money().strictNullable(),
    feeAmount: money().check("fee_amount >= 0 and fee_amount <> 'NaN'"),
    feeBearer: p.enum(feeBearers),
    reason: p.string().length(500).strictNullable(),
    refundAddress: p.string().length(255).strictNullable(),
    simulatedOutcome: p.enum(simulatedOutcomes).strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
    completedAt: moment().strictNullable(),
  },
  checks: [
    { name: 'refunds_end_at_a_time', expression: "(completed_at is not null) = (status in ('succeeded', 'failed'))" },
    { name: 'refunds_say_what_went_back', expression: "(refunded_amount is not null) = (status = 'succeeded')" },
  ],
  indexes: [
    { name: 'refunds_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'refunds_by_charge', properties: ['chargeId', 'createdAt', 'id'] },
  ],
})
/** Money that goes back to a payer: reserved when it is asked for, and gone or returned once the rail has answered. */
export class Refund extends schema.class {}
schema.setClass(Refund)

/** What is asked for; the account's books and the charge decide whether it can be. */
export type NewRefund = RefundWish & Pick<Refund, 'reference' | 'reason' | 'simulatedOutcome'>

/**
 * Opens a refund of a charge that the running transaction has locked: claims its amount of the charge, holds it back
 * from the account's balance and promises its process. Refused where the rules or the balance do not allow it.
 */
export async function openRefund(em: EntityManager, charge: Payment, asked: NewRefund, at: number): Promise<Refund> {
  const { requested, fee: fullFee } = termsOf(charge, asked)
  const fee = asked.feeBearer === 'ORG' ? await bearable(em, charge, requested, fullFee, at) : fullFee
  const { accountId, environment } = charge
  const { reference, reason, simulatedOutcome, feeBearer, address: refundAddress } = asked
  const refund = em.create(Refund, {
    ...{ accountId, environment, reference, reason, simulatedOutcome, feeBearer, refundAddress },
    ...{ id: newId('ref', at), chargeId: charge.id, status: 'pending' as const, currency: charge.currency },
    ...{ requestedAmount: requested, refundedAmount: null, feeAmount: fee },
    ...{ createdAt: new Date(at), updatedAt: new Date(at), completedAt: null },
  })
  charge.refundClaimed = add(charge.refundClaimed, requested)
  const held = heldFor(refund)
  const postings: Posting[] = [
    { ...line(refund, 'merchant', negate(held)), drawsPending: true },
    line(refund, 'reserved', held),
  ]
  await post(em, { kind: 'refund_hold', sourceId: refund.id, owner: refund, postings }, at)
  startProcess(em, 'refund', refund.id, aboutRefund(refund))
  return refund
}

/** As much of the fee as the balance can bear beside the refund: nobody is kept from a refund by its fee alone. */
async function bearable(em: EntityManager, charge: Payment, requested: Amount, fee: Amount, at: number) {
  const spare = subtract(await lockedTotal(em, charge, charge.currency as Currency, at), requested)
  if (isLess(spare, '0')) return fee // and the hold is refused
  return isLess(spare, fee) ? spare : fee
}

const line = ({ currency }: Refund, book: Posting['book'], amount: Amount): Posting => ({
  ...{ book, amount },
  currency: currency as Currency,
})

/** What operators read of a refund's process in the engine's list. */
export const aboutRefund = (refund: Refund): About => ({
  accountId: refund.accountId,
  environment: refund.environment,
  status: refund.status,
  waitingOn: 'rail',
  summary: `${format(refund.requestedAmount, refund.currency as Currency)} ${refund.currency} of ${refund.chargeId}`,
})

/**
 * Ends a refund as the rail has said: the held money goes out, or back to the account. The transaction has locked the
 * refund and its charge.
 */
export async function endRefund(em: EntityManager, refund: Refund, charge: Payment, end: RefundEnd, at: number) {
  if (isEnded(refund.status)) return
  moveRefund(refund, end)
  refund.completedAt = refund.updatedAt = charge.updatedAt = new Date(at)
  const { id: sourceId, requestedAmount } = refund
  if (end === 'failed') {
    charge.refundClaimed = subtract(charge.refundClaimed, requestedAmount)
    const postings = await releasePostings(em, 'refund_hold', sourceId)
    return post(em, { kind: 'refund_released', sourceId, owner: refund, postings }, at)
  }
  refund.refundedAmount = returnedBy(refund)
  charge.refundedAmount = add(charge.refundedAmount, requestedAmount)
  const postings = [
    line(refund, 'reserved', negate(heldFor(refund))),
    line(refund, 'rail', refund.refundedAmount),
    line(refund, 'fees', refund.feeAmount),
  ]
  return post(em, { kind: 'refund_paid', sourceId, owner: refund, postings }, at)
}
