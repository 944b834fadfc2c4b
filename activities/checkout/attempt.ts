import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment, PaymentRequest } from '../../db/checkout/payment.ts'
import type { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import { lateMoneyMs } from '../../domain/checkout/checkout.ts'
import { type Corridor, corridorOf } from '../../domain/corridor.ts'
import { format, inUsd } from '../../domain/money.ts'
import { storedQuote } from '../../domain/balance/quote.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import type { Buyer, ChargeOrder } from '../../rails/rail.ts'

/** Who pays, and the page to which they return. These data go from the database to the rail and never to the engine. */
export const buyerOf = (session: Checkout, { encryptedReturnUrl }: PaymentRequest, encrypter: Encrypter): Buyer => ({
  email: session.customerDetails?.email ?? null,
  returnUrl: encryptedReturnUrl && encrypter.decrypt(encryptedReturnUrl),
})

/**
 * The corridor that the buyer chose. Only the request of a free session has none, and such a request goes to no rail.
 */
export function corridorIn({ id, corridor }: PaymentRequest): Corridor {
  if (corridor === null) throw new Error(`${id} names no corridor`)
  return corridor
}

/** Who pays, and the saved card that they have chosen; null where they have typed a card, or pay in another way. */
type Payer = { buyer: Buyer; saved: SavedPaymentMethod | null }

/** The order for the rail. The amount is read from the payment, so that a repeated order is identical to the first. */
export function orderOf(
  session: Checkout,
  request: PaymentRequest,
  { amount, currency, statementText }: Payment,
  { buyer, saved }: Payer,
): ChargeOrder {
  const corridor = corridorIn(request)
  const expiresAt = session.expiresAt.getTime()
  return {
    ...buyer,
    environment: session.environment,
    paymentId: request.id,
    corridor,
    currency,
    amount: format(amount, currency),
    token: saved?.railToken ?? request.railToken,
    securityCode: request.securityCodeToken ?? null,
    statementText,
    savesCard: isSubscribed(session) && corridorOf(corridor).method === 'card',
    provider: request.provider,
    asset: request.asset,
    expiresAt,
    listensUntil: expiresAt + lateMoneyMs,
  }
}

/** Whether a session sells or pays a subscription, so that its card is saved for the next charges. */
const isSubscribed = ({ recurring, invoiceId }: Checkout): boolean => Boolean(recurring ?? invoiceId)

/** A new payment: what it pays for, how its amount is split, and the quote that the buyer was shown. */
export function newPayment(
  session: Checkout,
  request: PaymentRequest,
  { statementText, at }: { statementText: string | null; at: number },
) {
  const { id, rate } = request
  const { corridor, customerPays, settles, fee, currency } = storedQuote(session, corridorIn(request), request)
  const { accountId, environment, feePreference, customerId, customerDetails, reference, metadata } = session
  const { lineItems, platformFee, transferAmount, transferDestination } = session
  return {
    id,
    accountId,
    environment,
    corridor,
    currency,
    settles,
    fee,
    feePreference,
    rate,
    baseAmount: rate && session.amount,
    baseCurrency: rate === null ? null : session.currency,
    customerId,
    customerDetails,
    reference,
    metadata,
    lineItems,
    platformFee,
    transferAmount,
    transferDestination,
    checkoutId: session.id,
    savedMethodId: request.savedMethodId ?? null,
    statementText,
    status: 'processing' as const,
    amount: customerPays,
    feeUsd: inUsd(fee, currency),
    nextAction: null,
    methodDetails: null,
    failureCode: null,
    newsDueAt: null,
    nextPollAt: new Date(nextPollAt(at, at)),
    cancelling: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
    completedAt: null,
  }
}
