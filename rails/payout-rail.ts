import type { Environment } from '../domain/access/scope.ts'
import type { Amount } from '../domain/money.ts'
import type { DestinationType } from '../domain/payout/destination.ts'

/** Where money goes: what a destination's type needs, and null for the rest. It never leaves the step that sends it. */
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
 * What is asked of a rail of the payout's environment. The payout's id is the rail's key: the same order again is the
 * same payout.
 */
export type PayoutOrder<E extends Environment = Environment> = {
  environment: E
  payoutId: string
  target: PayoutTarget
  /** What arrives, in the destination's currency. */
  amount: Amount
  currency: string
  reference: string | null
  /** What a sandbox is asked to do; a live rail is never given one. */
  simulatedOutcome: 'success' | 'failed' | null
}

/**
 * What a rail says about a payout. `unknown` is no word at all, or none about this id: neither is a refusal.
 * `not_found` is said to a question alone, by a rail that is sure that no order of this id has reached it: the order is
 * then given again. `returned` was completed before. `reason` names no personal data.
 */
export type PayoutAnswer = (
  | { status: 'completed' | 'returned' | 'processing' | 'unknown' | 'not_found' }
  | { status: 'failed'; reason: string }
) & {
  /** The rail's own id for it. */
  traceId: string | null
  /** When it is worth asking, in milliseconds since the epoch, where the rail does not tell by itself in time. */
  newsDueAt: number | null
}

/**
 * A rail that sends money out. Every call may be repeated; an unknown outcome is `unknown` or an exception, never a
 * guess: any error but a `RailRefusal` is asked again. `at` is the process's time in milliseconds since the epoch, by
 * which the simulators live.
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
