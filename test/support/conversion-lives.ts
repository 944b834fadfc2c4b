import { endow, exchanging } from './conversion.ts'
import type { Life } from './life.ts'
import { endConversion } from './rail-books.ts'
import type { Stack } from './stack.ts'

const hour = 3_600_000

const exchange = (body: Record<string, unknown>, then?: (stack: Stack, id: string) => Promise<unknown>): Life => ({
  process: 'conversion',
  async play(stack) {
    await endow(stack, stack.organizationId)
    const { conversion_id } = await exchanging(stack.merchant).convert(body)
    await stack.dispatched()
    await then?.(stack, conversion_id)
    return conversion_id
  },
})

/** Conversions from start to end. */
export const lives: Record<string, Life> = {
  'conversion-completed': exchange({}),
  'conversion-failed': exchange({ simulated_outcome: 'failed' }),
  'conversion-polled': exchange({ reference: 'sandbox_no_answer' }, async (stack, id) => {
    await stack.skip(2 * hour)
    await endConversion(stack, id, 'completed')
  }),
}
