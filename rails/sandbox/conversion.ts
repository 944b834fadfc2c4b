import type { Database } from '../../db/core/database.ts'
import { SimulatedConversion } from './book.ts'
import type { ConversionAnswer, ConversionOrder, ConversionRail } from '../rail.ts'
import { unansweredReference } from './test-values.ts'

/** The sandbox's exchange: one book, keyed by our conversion id, so that a repeated order is the same exchange. */
export function createSimulatedConversions({ orm }: Database): ConversionRail<'sandbox'> {
  async function lookUpConversion(conversionId: string): Promise<ConversionAnswer> {
    const known = await orm.em.fork().findOne(SimulatedConversion, { conversionId })
    if (!known) return 'not_found'
    return known.status === 'processing' ? 'unknown' : known.status
  }
  return {
    async convert(order) {
      const { conversionId, sold, bought } = order
      await orm.em.fork().execute(
        `insert into simulated_conversions (conversion_id, sold_amount, sold_currency, bought_amount, bought_currency,
           status, executions)
         values (?, ?, ?, ?, ?, ?, ?) on conflict (conversion_id) do nothing`,
        [conversionId, sold.amount, sold.currency, bought.amount, bought.currency, ...outcomeOf(order)],
      )
      return lookUpConversion(conversionId)
    },
    lookUpConversion,
  }
}

/** Columns `status` and `executions` of a new exchange. */
function outcomeOf({ reference, simulatedOutcome }: ConversionOrder): unknown[] {
  if (reference === unansweredReference) return ['processing', 0]
  return simulatedOutcome === 'failed' ? ['failed', 0] : ['completed', 1]
}
