import type { Environment } from '../domain/access/scope.ts'
import type { Amount } from '../domain/money.ts'
import type { DestinationType, PayoutCurrency } from '../domain/payout/destination.ts'

/**
 * Where money goes: the fields of the destination's type, and null for the rest. Only the step that sends the money has
 * them.
 */
export type PayoutTarget = {
  type: DestinationType
  scheme: string | null
  accountNumber: string | null
  accountName: string | null
  bankCode: string | null
  phoneNumber: string | null
  mobileProvider: string | null
  walletAddress: string | null
  network: string | null
}

/**
 * An order for a rail of the payout's environment. The payout's id is the rail's key: the same order again is the same
 * payout.
 */
export type PayoutOrder<E extends Environment = Environment> = {
  environment: E
  payoutId: string
  target: PayoutTarget
  /** What arrives, in the destination's currency. */
  amount: Amount
  currency: PayoutCurrency
  reference: string | null
  /** What a sandbox is asked to do; a live rail is never given one. */
  simulatedOutcome: 'success' | 'failed' | null
}

/**
 * A rail's answer about a payout. `unknown`: the rail has not answered, or not about this id; it is no refusal.
 * `not_found` answers a question only: the rail is sure that it has received no order with this id, and the order is
 * sent again. `returned`: the payout was completed before, and its money has come back. `revoked`: the rail reported it
 * as completed before, and now as failed, so only people can tell where the money is. `reason` names no personal data.
 */
export type PayoutAnswer = (
  | { status: 'completed' | 'returned' | 'revoked' | 'processing' | 'unknown' | 'not_found' }
  | { status: 'failed'; reason: string }
) & {
  /** The rail's own id for it. */
  traceId: string | null
  /** When the rail should be asked, in milliseconds since the epoch, where it does not send its news in time. */
  newsDueAt: number | null
}

/**
 * A rail that sends money out. Every call may be repeated. An unknown outcome is `unknown` or an exception, never a
 * guess: after any error but a `RailRefusal` the rail is asked again. `at` is the process's time in milliseconds since
 * the epoch, which the simulators use.
 */
export type PayoutRail<E extends Environment> = {
  /** Throws a `RailRefusal` where the rail does not take the order; then nothing was sent, and nothing will be. */
  payOut: (order: PayoutOrder<E>, at: number) => Promise<PayoutAnswer>
  lookUpPayout(payoutId: string, at: number): Promise<PayoutAnswer>
  /**
   * Makes sure, where the rail can, that nothing is sent under this id from now on, even if the order only comes later.
   * `failed` says that nothing was and will be; another answer says how the payout stands in spite of it.
   */
  cancelPayout(payoutId: string, at: number): Promise<PayoutAnswer>
}
