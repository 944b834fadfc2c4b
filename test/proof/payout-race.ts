import type { Merchant } from '../support/merchant.ts'
import { newTally, runMany } from './buyers.ts'
import { deploy } from './deployment.ts'
import { countPayouts, makePayout, preparePayouts } from './payees.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { percentile } from './pace.ts'
import { until } from '../support/until.ts'

/** `size` is the number of payouts of 10.00 that are created at once, on a balance of 3.333 times that number. */
export const payoutRace: Scenario = {
  promise: 'of parallel payouts on a balance for a third of them, exactly as many as it covers are accepted and paid',
  size: 1_000,
  async run(size) {
    const deployment = await deploy()
    try {
      const payees = await preparePayouts(deployment, (size * 3.333).toFixed(2))
      const apis = [await deployment.startApi(), await deployment.startApi()]
      await deployment.startWorker()
      const tally = newTally()
      const outcomes: string[] = []
      await runMany(size, size, async (n) => {
        const made = await makePayout(apis[n % 2]?.merchant as Merchant, payees.completes, tally)
        outcomes.push('id' in made ? 'accepted' : made.refused)
      })
      const accepted = outcomes.filter((outcome) => outcome === 'accepted').length
      const expected = Math.floor((size * 3.333) / 10)
      const violations = accepted === expected ? [] : [`${accepted} were accepted instead of ${expected}`]
      violations.push(...outcomes.filter((outcome) => outcome !== 'accepted' && outcome !== 'INSUFFICIENT_BALANCE'))
      const arrived = async () => (await countPayouts(deployment, 'completed')) === accepted
      const paidMs = await until(arrived, 'all accepted payouts have arrived', { withinMs: 120_000, everyMs: 250 })
      violations.push(...tally.errors, ...(await waitUntilIdle(deployment, 60_000)).violations)
      violations.push(...(await findDuplicates(deployment)))
      const slowestCallMs = percentile([...tally.durationsMs, ...tally.refusalsMs], 1)
      return { figures: { payouts: size, accepted, slowestCallMs, paidMs: Math.round(paidMs) }, violations }
    } finally {
      await deployment.stop()
    }
  },
}
