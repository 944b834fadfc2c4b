import { setTimeout as sleep } from 'node:timers/promises'
import type { MoneyKind, StatementLine } from '../domain/reconciliation.ts'
import { unansweredIn } from './unanswered.ts'

/** A span of the provider's time, in milliseconds since the epoch; `to` is the first moment after it. */
export type Span = { from: number; to: number }

/** A line, and what of ours it is about, by the rail's own book and by what was sent along with the order. */
export type Identified = {
  line: StatementLine
  isOurs: boolean
  /** Our id of a payment, a refund or a payout. A dispute has the provider's id only. */
  ourId: string | null
  /** Our payment that it is, or is about. */
  paymentId: string | null
}

/** One payment, refund, payout or dispute of ours. Of a dispute `networkId` is the provider's id. */
export type Asked = { kind: MoneyKind; id: string; networkId: string | null; paymentId: string | null }

/** A provider's own list of what it has moved. Only reads. */
export type Statement = {
  /** All lines of a span, in pages. */
  pages(span: Span): AsyncIterable<StatementLine[]>
  identify(lines: readonly StatementLine[]): Promise<Identified[]>
  /** Which of these payments and payouts of ours went to this provider. */
  knows(ids: readonly string[]): Promise<Set<string>>
  /** What the provider says about one of ours, of whatever day; null: it knows of none. */
  find(asked: Asked): Promise<StatementLine | null>
}

const triesMax = 6
const waitMaxMs = 120_000

/**
 * Asks until the provider answers: after a limit as long as it says, after a failure of its own or no answer after 1,
 * 2, 4, 8 and 16 seconds. What it refuses is thrown at once.
 */
export function patiently(pause: (ms: number) => Promise<unknown> = sleep) {
  return async <T>(question: () => Promise<T>): Promise<T> => {
    for (let tried = 1; ; tried++) {
      try {
        return await question()
      } catch (error) {
        const unanswered = unansweredIn(error)
        const { status = 0, retryAfterMs = null } = unanswered ?? {}
        const isPassing = status === null || status === 429 || status >= 500
        if (!isPassing || tried >= triesMax) throw error
        await pause(Math.min(retryAfterMs ?? 1000 * 2 ** (tried - 1), waitMaxMs))
      }
    }
  }
}
