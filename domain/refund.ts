import type { PaymentStatus } from './checkout/payment.ts'
import type { Corridor } from './corridor.ts'
import type { Currency } from './currency.ts'
import { type Amount, add, format, isLess, isZero, lesser, subtract } from './money.ts'
import { assertMove, type Moves } from './move.ts'
import { Refusal } from './refusal.ts'

export const refundStatuses = ['pending', 'processing', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** Who bears the refund fee: `ORG` pays it from the balance, `CUSTOMER` gets that much less back. */
export const feeBearers = ['ORG', 'CUSTOMER'] as const
export type FeeBearer = (typeof feeBearers)[number]

/** How a rail's answer ends a refund. */
export type RefundEnd = 'succeeded' | 'failed'

/** The fee of one refund, in the currency in which its corridor settles: about what a rail charges for sending it. */
export const refundFees: Partial<Record<Corridor, Amount>> = {
  USD_CARD: '0.30',
  NGN_CARD: '50.00',
  NGN_BANK_TRANSFER: '25.00',
  MOMO_GHS: '1.00',
  MOMO_KES: '10.00',
  MOMO_RWF: '100',
  MOMO_TZS: '200.00',
  MOMO_UGX: '300',
  MOMO_XAF: '50',
  MOMO_XOF: '50',
  MOMO_ZMW: '2.00',
  CRYPTO: '1.00',
}

/** The corridors that have a refund fee; test/refund/refund.test.ts holds them against those that can be paid with. */
export const refundableCorridors = Object.keys(refundFees)

/**
 * The part of a payment that refunds depend on. `refundClaimed` is the sum of refunds that have not failed, and
 * `disputeClaimed` that of the disputes that hold or have taken their amount.
 */
export type Charge = {
  status: PaymentStatus
  corridor: Corridor
  currency: Currency
  amountReceived: Amount
  fee: Amount
  refundClaimed: Amount
  refundedAmount: Amount
  disputeClaimed: Amount
}

/**
 * The most that can be refunded of a charge: what has settled, which is all that arrived less the fee of the sale. A
 * short payment has not settled and paid no fee, so it is all that arrived.
 */
export function refundableOf({
  status,
  amountReceived,
  fee,
}: Pick<Charge, 'status' | 'amountReceived' | 'fee'>): Amount {
  if (status === 'underpaid') return amountReceived
  return isLess(amountReceived, fee) ? '0' : subtract(amountReceived, fee)
}

/** `refund_status` of a payment. */
export function refundStatusOf(charge: Pick<Charge, 'status' | 'amountReceived' | 'fee' | 'refundedAmount'>) {
  if (isZero(charge.refundedAmount)) return 'none'
  return isLess(charge.refundedAmount, refundableOf(charge)) ? 'partial' : 'full'
}

/** What is to be refunded. `amount` null: all that is left. `isFree`: nobody pays a fee for sending it. */
export type RefundRequest = { amount: Amount | null; feeBearer: FeeBearer; address: string | null; isFree?: boolean }

/** The amounts of a refund that may be made: what is taken from the charge, and what sending it costs. */
export type RefundTerms = { requested: Amount; fee: Amount }

/**
 * What can still be refunded of a charge: what has settled, less other refunds, and never more than what refunds and
 * disputes together leave of what the buyer has paid.
 */
export function remainingOf(charge: Charge): Amount {
  const unrefunded = subtract(refundableOf(charge), charge.refundClaimed)
  const undisputed = subtract(subtract(charge.amountReceived, charge.refundClaimed), charge.disputeClaimed)
  return lesser(undisputed, unrefunded)
}

/** Whether a refund of a charge has not ended yet. */
export const hasOpenRefund = ({ refundClaimed, refundedAmount }: Pick<Charge, 'refundClaimed' | 'refundedAmount'>) =>
  isLess(refundedAmount, refundClaimed)

/**
 * Whether refunds have returned all that can be refunded of a charge. What a dispute has taken cannot be refunded, and
 * a refund that has not succeeded has returned nothing yet.
 */
export const isRefundedInFull = (charge: Charge): boolean =>
  isZero(remainingOf(charge)) && !isZero(charge.refundedAmount) && !hasOpenRefund(charge)

/** The terms of a refund, or a refusal that says why there can be none. */
export function termsOf(charge: Charge, { amount, feeBearer, address, isFree = false }: RefundRequest): RefundTerms {
  const refundable = refundableOf(charge)
  const fee = isFree ? '0' : refundFees[charge.corridor]
  const hasMoney = charge.status === 'succeeded' || charge.status === 'underpaid'
  if (!hasMoney || isZero(refundable) || fee === undefined) {
    throw new Refusal('CHARGE_NOT_REFUNDABLE', 'nothing of this charge has settled')
  }
  if (charge.corridor === 'CRYPTO' && address === null) {
    throw new Refusal('REFUND_ADDRESS_REQUIRED', 'a payment in crypto is refunded to the address that you name')
  }
  const currency = charge.currency
  const remaining = remainingOf(charge)
  const requested = format(amount ?? remaining, currency)
  if (isZero(remaining) || isLess(remaining, requested)) {
    const disputed = isZero(charge.disputeClaimed) ? '' : ': its buyer has disputed it'
    const left = `${format(remaining, currency)} ${currency} are left to refund`
    throw new Refusal('REFUND_EXCEEDS_REMAINING', `${left}${disputed}`)
  }
  if (feeBearer === 'CUSTOMER' && !isLess(fee, requested)) {
    throw new Refusal('AMOUNT_BELOW_MINIMUM', `the refund fee of ${fee} ${currency} leaves nothing to send back`)
  }
  return { requested, fee }
}

/** Whether a refund may be made on these terms. */
export function mayRefund(charge: Charge, wish: RefundRequest): boolean {
  try {
    termsOf(charge, wish)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The amounts of a refund. */
export type RefundAmounts = { requestedAmount: Amount; feeAmount: Amount; feeBearer: FeeBearer }

/** What is reserved from the account's balance until the refund has ended. */
export const heldAmountOf = ({ requestedAmount, feeAmount, feeBearer }: RefundAmounts): Amount =>
  feeBearer === 'ORG' ? add(requestedAmount, feeAmount) : requestedAmount

/** What the payer gets back. */
export const returnedAmountOf = ({ requestedAmount, feeAmount, feeBearer }: RefundAmounts): Amount =>
  feeBearer === 'CUSTOMER' ? subtract(requestedAmount, feeAmount) : requestedAmount

/** Every legal move of a refund. */
export const refundMoves: Moves<RefundStatus> = {
  pending: ['processing', 'failed'],
  processing: ['succeeded', 'failed'],
  // The payer's bank may return the money.
  succeeded: ['failed'],
  failed: [],
}

export const isRefundEnded = (status: string): status is RefundEnd => status === 'succeeded' || status === 'failed'

/** Moves a refund to another status (docs/contract/refund.md, "Refunds"). */
export function moveRefund(refund: { status: RefundStatus }, to: RefundStatus): void {
  assertMove('refund', refundMoves, refund.status, to)
  refund.status = to
}
