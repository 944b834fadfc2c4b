import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import type { CheckoutStatus } from '../../domain/checkout/checkout.ts'
import { isPending, isShortPayment, mayReceive } from '../../domain/checkout/payment.ts'
import { type ProviderName, providerOfCorridor } from '../../domain/rail-provider.ts'
import { attemptsOf } from './session.ts'
import { pendingSetup } from './setup.ts'

/** The state of a sale that its process needs: no personal data, times in milliseconds since the epoch. */
export type CheckoutSnapshot = {
  /** Of two snapshots the one with the higher revision is the newer. */
  revision: number
  status: CheckoutStatus
  paymentStatus: string
  expiresAt: number
  listensUntil: number | null
  /** The attempt that the rail or the buyer still has to decide, if there is one. */
  pending: string | null
  /** When its rail is asked next; null where nothing is asked. */
  pollAt: number | null
  /** The attempt about which a rail has news, and when to ask for them. */
  newsDue: { paymentId: string; at: number } | null
  /** Whether money may still arrive for an attempt, so that its rail is asked one last time. */
  awaitsMoney: boolean
  /** Whether a rail still has to be asked to cancel an attempt that was replaced or given up. */
  cancelDue: boolean
  /** Whether some money of a short payment is neither refunded nor about to be. */
  isShort: boolean
  /** The time of the session's test clock; null: the real time. */
  clockTime: number | null
  /** The provider of live rails by which the buyer pays; null: none is chosen, or it is the sandbox. */
  provider: ProviderName | null
}

/** The session's state, including the changes of the running transaction. */
export async function snapshotOf(em: EntityManager, session: Checkout): Promise<CheckoutSnapshot> {
  const payments = await attemptsOf(em, session)
  const { revision, status, paymentStatus } = session
  const attempt = session.setup ? await pendingSetup(em, session) : pendingPayment(session, payments)
  const pending = attempt?.id ?? null
  return {
    revision,
    status,
    paymentStatus,
    expiresAt: session.expiresAt.getTime(),
    listensUntil: session.listensUntil?.getTime() ?? null,
    pending,
    pollAt: attempt?.nextPollAt?.getTime() ?? null,
    awaitsMoney: pending !== null || payments.some(mayReceive),
    newsDue: newsDueOf(payments),
    cancelDue: payments.some(({ cancelling }) => cancelling === 'due'),
    isShort: payments.some(isShortPayment),
    clockTime: await clockTimeOf(em, session),
    provider: providerOfCorridor(session.environment, session.corridor),
  }
}

function pendingPayment({ paymentId }: Checkout, payments: Payment[]): Payment | null {
  const newest = payments.find(({ id }) => id === paymentId)
  return newest && isPending(newest.status) ? newest : null
}

/**
 * The earliest news that a rail has announced, also about an attempt that was given up, because its money is still
 * posted.
 */
function newsDueOf(payments: Payment[]): { paymentId: string; at: number } | null {
  const [first] = payments
    .flatMap(({ id: paymentId, newsDueAt }) => (newsDueAt ? [{ paymentId, at: newsDueAt.getTime() }] : []))
    .toSorted((one, other) => one.at - other.at)
  return first ?? null
}
