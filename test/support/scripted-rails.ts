import type { RefundAnswer } from '../../activities/rails/rail.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Stack } from './stack.ts'

/** An answer of a rail; `away` is none at all, `refuses` takes no such order. */
type Scripted = RefundAnswer | 'away' | 'refuses'

/**
 * Makes the rails of a stack answer about refunds as a script says, with their own book kept right, and tells at which
 * moments they were asked. With an empty script they answer as ever.
 */
export function scriptRefunds({ deps: { rails }, sql, clock }: Stack) {
  const { of } = rails
  const script: Scripted[] = []
  const asked: number[] = []

  async function next(refundId: string, answer: () => Promise<RefundAnswer>): Promise<RefundAnswer> {
    asked.push(await clock.now())
    const word = script.shift()
    if (word === 'away') throw new Error('the rail does not answer')
    if (word === 'refuses') throw new Refusal('CONFLICT', 'the rail does not take this order')
    if (word === 'succeeded' || word === 'failed') {
      await sql(
        `update simulated_refunds set status = ?, executions = executions + ?
         where refund_id = ? and status = 'processing'`,
        [word, word === 'succeeded' ? 1 : 0, refundId],
      )
    }
    return answer()
  }
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      async refund(order) {
        const held = script.length > 0 ? { ...order, reference: 'sandbox_no_answer' } : order
        if (script[0] !== 'refuses') await rail.refund(held)
        return next(order.refundId, () => rail.lookUpRefund(order.refundId))
      },
      lookUpRefund: (refundId) => next(refundId, () => rail.lookUpRefund(refundId)),
    }
  }
  return {
    answers(words: Scripted[]): void {
      script.splice(0, script.length, ...words)
      asked.length = 0
    },
    asked,
  }
}
