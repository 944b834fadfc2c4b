import { newTally, runMany } from './buyers.ts'
import { deploy } from './deployment.ts'
import { countPayouts, makePayout, preparePayouts } from './payees.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

/** `size` is the number of payouts whose first answer is lost; every tenth of them fails at the rail. */
export const lostAnswers: Scenario = {
  promise: 'when the rail accepts a payout and its answer is lost, the order is repeated and nothing is sent twice',
  size: 200,
  async run(size) {
    const deployment = await deploy()
    try {
      await deployment.sql('create table proof_signals (payment_id text primary key)')
      const payees = await preparePayouts(deployment, `${size * 10}.00`)
      const { merchant } = await deployment.startApi()
      await deployment.startWorker(['test/proof/rigged-worker.ts', 'LOST'])
      const tally = newTally()
      await runMany(size, 20, async (n) => {
        const made = await makePayout(merchant, n % 10 === 9 ? payees.fails : payees.completes, tally)
        if (!('id' in made)) tally.errors.push(`payout ${n} was refused: ${made.refused}`)
      })
      const failing = Math.floor(size / 10)
      const areDone = async () =>
        (await countPayouts(deployment, 'completed')) === size - failing &&
        (await countPayouts(deployment, 'failed')) === failing
      const doneMs = await until(areDone, 'every payout has ended', { withinMs: 120_000, everyMs: 250 })
      const { violations } = await waitUntilIdle(deployment, 60_000)
      violations.push(...tally.errors, ...(await findDuplicates(deployment)))
      const lost = (await deployment.sql('select from proof_signals')).length
      const repeated = (await deployment.sql('select from simulated_payouts where orders > 1')).length
      const sent = (await deployment.sql('select from simulated_payouts where executions = 1')).length
      if (lost !== size || repeated !== size) violations.push(`${lost} answers lost, ${repeated} orders repeated`)
      if (sent !== size - failing) violations.push(`${sent} sent instead of ${size - failing}`)
      return { figures: { payouts: size, lost, repeated, sent, doneMs: Math.round(doneMs) }, violations }
    } finally {
      await deployment.stop()
    }
  },
}
