import Type, { type Static } from 'typebox'
import type { Payout } from '../../db/payout/payout.ts'
import { formatPaid } from '../../domain/payout/terms.ts'
import { id, iso, Money, PayoutCurrencyCode, Timestamp } from '../common.ts'
import { sampleMoment } from '../sample.ts'

/** The fields of every event about a payout. The `status` is that of the event, not the payout's. */
const commonFields = { payout_id: id('pay'), payout_amount: Money, payout_currency: PayoutCurrencyCode }

export const PayoutCreated = Type.Object({ ...commonFields, status: Type.Literal('created'), created_at: Timestamp })
export const PayoutPaid = Type.Object({ ...commonFields, status: Type.Literal('paid'), completed_at: Timestamp })
export const PayoutFailed = Type.Object({ ...commonFields, status: Type.Literal('failed'), failed_at: Timestamp })
/** The bank has returned a completed payout (docs/contract/payout.md, "Transitions"). */
export const PayoutReturned = Type.Object({ ...commonFields, status: Type.Literal('returned'), returned_at: Timestamp })

/** The amount that arrives, in the destination's currency. */
const present = ({ id: payout_id, amount, currency: payout_currency }: Payout) => ({
  payout_id,
  payout_currency,
  payout_amount: formatPaid(amount, payout_currency),
})

export const payoutCreated = (row: Payout): Static<typeof PayoutCreated> => ({
  ...present(row),
  status: 'created',
  created_at: iso(row.createdAt),
})

export const payoutPaid = (row: Payout, at: Date): Static<typeof PayoutPaid> => ({
  ...present(row),
  status: 'paid',
  completed_at: iso(at),
})

export const payoutFailed = (row: Payout, at: Date): Static<typeof PayoutFailed> => ({
  ...present(row),
  status: 'failed',
  failed_at: iso(at),
})

export const payoutReturned = (row: Payout, at: Date): Static<typeof PayoutReturned> => ({
  ...present(row),
  status: 'returned',
  returned_at: iso(at),
})

const sample = (payoutId: string) => ({
  payout_id: payoutId,
  payout_amount: '150000.00',
  payout_currency: 'NGN' as const,
})

export const samplePayoutCreated = (payoutId: string, at: number): Static<typeof PayoutCreated> => ({
  ...sample(payoutId),
  status: 'created',
  created_at: sampleMoment(at),
})

export const samplePayoutPaid = (payoutId: string, at: number): Static<typeof PayoutPaid> => ({
  ...sample(payoutId),
  status: 'paid',
  completed_at: sampleMoment(at),
})

export const samplePayoutFailed = (payoutId: string, at: number): Static<typeof PayoutFailed> => ({
  ...sample(payoutId),
  status: 'failed',
  failed_at: sampleMoment(at),
})

export const samplePayoutReturned = (payoutId: string, at: number): Static<typeof PayoutReturned> => ({
  ...sample(payoutId),
  status: 'returned',
  returned_at: sampleMoment(at),
})
