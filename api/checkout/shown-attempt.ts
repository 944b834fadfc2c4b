import { CardSetup } from '../../db/checkout/card-setup.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import { attemptOfConcern, awaitsMoney, refundProgressOf } from '../../domain/checkout/ended-session.ts'
import { recurrenceOf } from '../../domain/checkout/line-item.ts'
import { subtract } from '../../domain/money.ts'
import type { ShownAttempt } from '../../schemas/checkout/attempt.ts'
import { feeOnTop, soldFor } from '../../schemas/checkout/payment.ts'

/**
 * What a buyer sees of a session: the session with the choice that belongs to the attempt, the attempt, and whether its
 * money may still come though the session can no longer be paid.
 */
type Shown = { row: Checkout; attempt: ShownAttempt | null; awaitsMoney: boolean }

/**
 * The newest attempt of a session. Of one that has ended without success, or is open and takes no money any more
 * (`isRefused`), it is the attempt whose money has come or may still come, as the buyer would otherwise pay a second
 * time. `now` is the real time in ms since the epoch.
 */
export async function shownOf(em: EntityManager, row: Checkout, now: number, isRefused = false): Promise<Shown> {
  if (row.setup) return { row, attempt: await newestSetup(em, row), awaitsMoney: false }
  const newest = row.paymentId ? await readRow(em, Payment, { id: row.paymentId }) : null
  // What a rail still works on is decided first, also where the invoice is paid or void.
  const isOver = row.status === 'open' ? isRefused && row.paymentStatus !== 'processing' : row.status !== 'completed'
  if (!newest || !isOver) return { row, attempt: newest && shown(newest), awaitsMoney: false }
  const { expiresAt, listensUntil } = row
  const ended = { expiresAt, listensUntil, at: await timeOf(em, row, now) }
  const concern = attemptOfConcern(await attemptsOf(em, row, newest), ended)
  if (!concern) return { row, attempt: shown(newest), awaitsMoney: false }
  // Also the newest attempt may have to be shown in place of a choice: one that is not confirmed has no attempt yet.
  const attempt = { ...shown(concern), isInPlaceOfChoice: true }
  return { row: choiceOf(row, concern), attempt, awaitsMoney: awaitsMoney(concern, ended) }
}

const shown = (payment: Readonly<Payment>): ShownAttempt => ({
  ...payment,
  paymentId: payment.id,
  refundProgress: refundProgressOf(payment),
})

/** All attempts of a session, the newest first; one choice makes one at most. */
async function attemptsOf(em: EntityManager, { id, attempts }: Checkout, newest: Payment): Promise<Payment[]> {
  if (attempts <= 1) return [newest]
  return em.find(Payment, { checkoutId: id }, { orderBy: { createdAt: 'desc', id: 'desc' } })
}

/** The session as it was when an attempt of it was made: what was sold, for how much and how it was to be paid. */
function choiceOf(row: Checkout, payment: Readonly<Payment>): Checkout {
  const { lineItems } = payment
  return {
    ...row,
    lineItems,
    recurring: recurrenceOf(row, lineItems),
    amount: soldFor(payment),
    corridor: payment.corridor,
    billingCurrency: payment.currency,
    rate: payment.rate,
    quotedAmount: subtract(payment.amount, feeOnTop(payment)),
    quotedFee: payment.quotedFee ?? payment.fee,
  }
}

async function newestSetup(em: EntityManager, { id, requestId }: Checkout): Promise<ShownAttempt | null> {
  const setup = requestId ? await em.findOne(CardSetup, { id: requestId }) : null
  const saved = setup?.status === 'succeeded' ? await em.findOne(SavedPaymentMethod, { checkoutId: id }) : null
  const methodDetails = saved && { brand: saved.brand, last4: saved.last4 }
  const withoutMoney = { paymentId: null, amount: null, amountReceived: null, partial: false } as const
  return setup && { ...setup, ...withoutMoney, refundProgress: 'none', methodDetails }
}
