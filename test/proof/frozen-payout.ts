import { setTimeout as pause } from 'node:timers/promises'
import { newTally, runMany } from './buyers.ts'
import { deploy, type Running } from './deployment.ts'
import { fingerprint } from './frozen-worker.ts'
import { countPayouts, makePayout, preparePayouts } from './payees.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

const wokenMs = 4_000

/** `size` is the number of workers, each frozen with one payout that the rail has accepted. */
export const frozenPayout: Scenario = {
  promise: 'when a worker is frozen with a payout and woken after another took over, nothing is sent or posted twice',
  size: 8,
  async run(size) {
    const deployment = await deploy()
    try {
      await deployment.sql('create table proof_signals (payment_id text primary key)')
      const payees = await preparePayouts(deployment, `${size * 10}.00`)
      const { merchant } = await deployment.startApi()
      const frozen: Running[] = []
      await runMany(size, 2, async () => {
        frozen.push(await deployment.startWorker(['test/proof/rigged-worker.ts', 'SIGSTOP']))
      })
      const tally = newTally()
      await runMany(size, size, async () => void (await makePayout(merchant, payees.completes, tally)))
      const frozenNow = async () => (await deployment.sql('select from proof_signals')).length === size
      await until(frozenNow, 'every worker holds a payout and is frozen')
      await deployment.startWorker()
      const areDone = async () => (await countPayouts(deployment, 'completed')) === size
      const takenOverMs = await until(areDone, 'the other worker has taken over')
      const { violations } = await waitUntilIdle(deployment, 60_000)
      const before = await fingerprint(deployment)
      for (const worker of frozen) worker.wake()
      await pause(wokenMs) // they write, report, and poll again
      if (frozen.some((worker) => !worker.isRunning())) violations.push('a woken worker has ended')
      if ((await fingerprint(deployment)) !== before) violations.push('the woken workers changed something')
      violations.push(...tally.errors, ...(await deployment.check()), ...(await findDuplicates(deployment)))
      return { figures: { frozen: size, takenOverMs: Math.round(takenOverMs) }, violations }
    } finally {
      await deployment.stop()
    }
  },
}
