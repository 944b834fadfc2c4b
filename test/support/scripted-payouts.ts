import type { PayoutAnswer } from '../../rails/payout-rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import { type ErrorCode, Refusal } from '../../domain/refusal.ts'
import { isErrorCode } from './scripted-words.ts'
import type { Stack } from './stack.ts'

/**
 * An answer of a rail; `refuses` refuses the order, and `from its table` answers by the rail's table. With an error
 * code the rail takes the order, and the adapter then throws that refusal of our own.
 */
type Scripted = 'unknown' | 'completed' | 'failed' | 'no answer' | 'refuses' | 'from its table' | ErrorCode

/**
 * Makes the rails of a stack answer about payouts by a script, keeps their table in step, and records when they were
 * asked. With an empty script they answer as usual.
 */
export function scriptPayouts({ deps, sql, clock }: Stack) {
  const rails = deps.rails.in('sandbox')
  const { paying } = rails
  const script: Scripted[] = []
  const asked: number[] = []
  const rail = { isUnavailable: false }

  async function next(payoutId: string, answer: () => Promise<PayoutAnswer>): Promise<PayoutAnswer> {
    asked.push(await clock.now())
    const word = rail.isUnavailable ? 'no answer' : script.shift()
    if (word === 'no answer') throw new Error('the rail does not answer')
    if (word === 'refuses') throw new RailRefusal('the rail does not take this order')
    if (isErrorCode(word)) throw new Refusal(word, 'the service itself has failed on its way to the rail')
    if (word === 'completed' || word === 'failed') {
      await sql(
        `update simulated_payouts set status = ?, executions = executions + ?
         where payout_id = ? and status = 'processing'`,
        [word, word === 'completed' ? 1 : 0, payoutId],
      )
    }
    const { traceId, ...rest } = await answer()
    return word === 'unknown' ? { status: 'unknown', traceId, newsDueAt: null } : { ...rest, traceId }
  }
  rails.paying = (type, currency) => {
    const known = paying(type, currency)
    return {
      async payOut(order, at) {
        const isLost = rail.isUnavailable || script[0] === 'refuses' || script[0] === 'no answer'
        if (!isLost) await known.payOut(order, at)
        return next(order.payoutId, () => known.lookUpPayout(order.payoutId, at))
      },
      lookUpPayout: (payoutId, at) => next(payoutId, () => known.lookUpPayout(payoutId, at)),
      cancelPayout: (payoutId, at) => next(payoutId, () => known.cancelPayout(payoutId, at)),
    }
  }
  return {
    answers(words: Scripted[]): void {
      script.splice(0, script.length, ...words)
      asked.length = 0
    },
    asked,
    /** While it is unavailable, it throws at every call, and orders to it are lost. */
    rail,
  }
}
