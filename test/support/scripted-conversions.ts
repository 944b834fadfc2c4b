import type { ConversionAnswer, ConversionOrder } from '../../rails/rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import { type ErrorCode, Refusal } from '../../domain/refusal.ts'
import { isErrorCode } from './scripted-words.ts'
import type { Stack } from './stack.ts'

/**
 * An answer of the exchange; `refuses` refuses the order. With an error code the exchange takes the order, and the
 * adapter then throws that refusal of our own.
 */
type Scripted = ConversionAnswer | 'no answer' | 'refuses' | ErrorCode

/**
 * Makes the exchange of a stack answer by a script, keeps its table in step, and records its orders and when it was
 * asked. With an empty script it answers as usual.
 */
export function scriptConversions({ deps, sql, clock }: Stack) {
  const rails = deps.rails.in('sandbox')
  const { conversions } = rails
  const script: (Scripted | Promise<Scripted>)[] = []
  const asked: number[] = []
  const orders: ConversionOrder[] = []

  async function next(id: string): Promise<ConversionAnswer> {
    asked.push(await clock.now())
    const word = await script.shift()
    if (word === 'no answer') throw new Error('the rail does not answer')
    if (word === 'refuses') throw new RailRefusal('the rail does not take this order')
    if (isErrorCode(word)) throw new Refusal(word, 'the service itself has failed on its way to the rail')
    if (word === 'completed' || word === 'failed') {
      await sql(
        `update simulated_conversions set status = ?, executions = executions + ?
         where conversion_id = ? and status = 'processing'`,
        [word, word === 'completed' ? 1 : 0, id],
      )
    }
    return conversions.lookUpConversion(id)
  }
  rails.conversions = {
    async convert(order) {
      orders.push(order)
      const silent = script.length > 0 ? { ...order, reference: 'sandbox_no_answer' } : order
      if (script[0] !== 'refuses') await conversions.convert(silent)
      return next(order.conversionId)
    },
    lookUpConversion: next,
  }
  return {
    /** A word that is a promise is waited for. */
    answers(words: (Scripted | Promise<Scripted>)[]): void {
      script.splice(0, script.length, ...words)
      asked.length = orders.length = 0
    },
    asked,
    orders,
  }
}
