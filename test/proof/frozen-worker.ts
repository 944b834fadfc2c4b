import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '../support/receiver.ts'
import { makeSale, newTally, runMany } from './buyers.ts'
import { deploy, type Deployment, type Running } from './deployment.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

const wokenMs = 4_000

/** `size` is the number of workers, each frozen with one payment that the rail has accepted. */
export const frozenWorker: Scenario = {
  promise: 'when a worker is frozen beyond its time-out and woken after another took over, nothing happens twice',
  size: 8,
  async run(size) {
    const deployment = await deploy()
    const receiver = await startReceiver()
    try {
      await deployment.sql('create table proof_signals (payment_id text primary key)')
      const { merchant } = await deployment.startApi()
      await merchant.setWebhook(receiver.url)
      const frozen: Running[] = []
      await runMany(size, 2, async () => {
        frozen.push(await deployment.startWorker(['test/proof/rigged-worker.ts', 'SIGSTOP']))
      })
      const tally = newTally()
      const sales = runMany(size, size, async (n) => void (await makeSale(merchant, n, tally, 'card')))
      const frozenNow = async () => (await deployment.sql('select from proof_signals')).length === size
      await until(frozenNow, 'every worker holds a payment and is frozen')

      await deployment.startWorker()
      const takenOverMs = await until(async () => (await paid(deployment)) === size, 'the other worker has taken over')
      await sales
      const { violations } = await waitUntilIdle(deployment, 60_000)
      const before = await fingerprint(deployment)
      for (const worker of frozen) worker.wake()
      await pause(wokenMs) // they write, report, and poll again
      if (frozen.some((worker) => !worker.isRunning())) violations.push('a woken worker has ended')
      const after = await fingerprint(deployment)
      if (after !== before) violations.push(`the woken workers changed something: ${before} became ${after}`)
      violations.push(...tally.errors, ...(await deployment.check()), ...(await findDuplicates(deployment, receiver)))
      return {
        figures: { frozen: size, takenOverMs: Math.round(takenOverMs), received: receiver.received.length },
        violations,
      }
    } finally {
      await receiver.close()
      await deployment.stop()
    }
  },
}

async function paid(deployment: Deployment): Promise<number> {
  return (await deployment.sql(`select from payments where status = 'succeeded'`)).length
}

/** Changes when a payment, a payout, a session, the ledger, an event, a delivery or the length of the outbox does. */
export async function fingerprint(deployment: Deployment): Promise<string> {
  const tables = [
    'payments',
    'checkouts',
    'ledger_entries',
    'events',
    'deliveries',
    'delivery_attempts',
    'simulated_charges',
    'payouts',
    'simulated_payouts',
  ]
  const parts = tables.map(
    (table) => `(select md5(string_agg(t::text, '|' order by t::text)) from ${table} t) as ${table}`,
  )
  return JSON.stringify(await deployment.sql(`select ${parts.join(', ')}, (select count(*) from outbox) as outbox`))
}
