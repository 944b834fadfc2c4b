import type { Merchant } from '../support/merchant.ts'
import { makeSale, newTally, runMany, type Tally } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

const patience = { withinMs: 120_000, everyMs: 250 }

/** `size` is the number of payments; for each of them a worker dies. */
export const dyingWorker: Scenario = {
  promise: 'when workers die after the rail accepted and before that is recorded, each payment is executed once',
  size: 200,
  async run(size) {
    const deployment = await deploy()
    try {
      await deployment.sql('create table proof_signals (payment_id text primary key)')
      const { merchant } = await deployment.startApi()
      const tally = newTally()
      const sales = buyByCard(merchant, size, tally)
      const paid = sales.then(() => until(async () => (await paidOnce(deployment)) === size, 'all is paid', patience))
      let deaths = 0
      for (;;) {
        const worker = await deployment.startWorker(['test/proof/rigged-worker.ts', 'SIGKILL'])
        await Promise.race([worker.exited, paid])
        if (worker.isRunning()) break
        deaths += 1
      }
      const { restMs, violations } = await waitUntilIdle(deployment, 120_000)
      violations.push(...tally.errors, ...(await findDuplicates(deployment)))
      const signals = await deployment.sql('select payment_id from proof_signals')
      if (signals.length !== size) violations.push(`${signals.length} payments of ${size} lost their worker`)
      return { figures: { payments: size, deaths, repeatedCalls: tally.repeats, restMs }, violations }
    } finally {
      await deployment.stop()
    }
  },
}

/** Sales by one valid card each; few at a time, because each may have to wait until the workers of all others died. */
async function buyByCard(merchant: Merchant, size: number, tally: Tally): Promise<void> {
  await runMany(size, 12, async (n) => void (await makeSale(merchant, n, tally, 'card')))
}

async function paidOnce(deployment: Deployment): Promise<number> {
  const [paid] = await deployment.sql<{ count: string }>(
    `select count(*) from simulated_charges c join payments p on p.id = c.payment_id
     where c.executions = 1 and p.status = 'succeeded'`,
  )
  return Number(paid?.count)
}
