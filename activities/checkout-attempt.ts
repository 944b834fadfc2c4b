import type { Checkout } from '../db/checkout.ts'
import type { PaymentRequest } from '../db/payment.ts'
import { lateMoneyMs } from '../domain/checkout.ts'
import { type Corridor, corridorOf, priceOf } from '../domain/corridor.ts'
import type { CryptoAsset } from '../domain/crypto.ts'
import { inUsd } from '../domain/money.ts'
import type { ChargeOrder } from './rails/rail.ts'

/** What the rail is asked for, for what the buyer chose. */
export function orderOf(session: Checkout, request: PaymentRequest): ChargeOrder {
  const corridor = request.corridor as Corridor
  const expiresAt = session.expiresAt.getTime()
  return {
    paymentId: request.id,
    corridor,
    amount: priceOf(session.amount, corridor, session.feePreference).customerPays,
    currency: corridorOf(corridor).currency,
    token: request.railToken,
    provider: request.provider,
    asset: request.asset as CryptoAsset | null,
    expiresAt,
    listensUntil: expiresAt + lateMoneyMs,
  }
}

/** The attempt as it begins, with what it pays for and how that is split. */
export function newPayment(session: Checkout, id: string, corridor: Corridor, at: number) {
  const { customerPays, settles, fee } = priceOf(session.amount, corridor, session.feePreference)
  const { currency } = corridorOf(corridor)
  const { accountId, environment, feePreference, customerId, customerDetails, reference, metadata } = session
  const { lineItems, platformFee, transferAmount, transferDestination } = session
  return {
    ...{ id, accountId, environment, corridor, currency, settles, fee, feePreference },
    ...{ customerId, customerDetails, reference, metadata },
    ...{ lineItems, platformFee, transferAmount, transferDestination },
    checkoutId: session.id,
    status: 'processing' as const,
    amount: customerPays,
    feeUsd: inUsd(fee, currency),
    nextAction: null,
    methodDetails: null,
    failureCode: null,
    newsDueAt: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
    completedAt: null,
  }
}
