import type { Merchant } from '../support/merchant.ts'
import { makeSale, newTally, runMany, type Tally } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

const patience = { withinMs: 120_000, everyMs: 250 }

/** `size` is the number of payments; for each of them a worker dies. */
export const dyingWorker: Scenario = {
  promise:
    'when workers die after the rail accepted and before that is recorded, each order is repeated, with one effect',
  size: 200,
  async run(size) {
    const deployment = await deploy()
    try {
      await deployment.sql('create table proof_signals (payment_id text primary key)')
      await logOrders(deployment)
      const { merchant } = await deployment.startApi()
      const tally = newTally()
      const sales = buyByCard(merchant, size, tally)
      const paid = sales.then(() => until(async () => (await countPaid(deployment)) === size, 'all is paid', patience))
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
      const orders = await deployment.sql<{ count: number }>(
        'select count(*)::int from proof_orders group by payment_id',
      )
      if (orders.some(({ count }) => count < 2)) violations.push('an order was not repeated: it proves nothing')
      const asked = orders.reduce((sum, { count }) => sum + count, 0)
      return { figures: { payments: size, deaths, asked, repeatedCalls: tally.repeats, restMs }, violations }
    } finally {
      await deployment.stop()
    }
  },
}

/** Sales by one valid card each; few at a time, because each may have to wait until the workers of all others died. */
async function buyByCard(merchant: Merchant, size: number, tally: Tally): Promise<void> {
  await runMany(size, 12, async (n) => void (await makeSale(merchant, n, tally, 'card')))
}

/** Keeps each order that the card rail is given, also a repeated one, which its own book leaves as it is. */
async function logOrders({ sql }: Deployment): Promise<void> {
  await sql('create table proof_orders (payment_id text)')
  await sql(`create function log_order() returns trigger language plpgsql
    as 'begin insert into proof_orders values (new.payment_id); return new; end'`)
  await sql('create trigger log_order before insert on simulated_charges for each row execute function log_order()')
}

async function countPaid(deployment: Deployment): Promise<number> {
  const [paid] = await deployment.sql<{ count: string }>(
    `select count(*) from simulated_charges c join payments p on p.id = c.payment_id
     where c.status = 'succeeded' and p.status = 'succeeded'`,
  )
  return Number(paid?.count)
}
