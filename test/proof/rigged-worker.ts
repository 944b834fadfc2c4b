// A worker process with one fault per payment and payout, after the rail has accepted and before that is recorded:
// `node test/proof/rigged-worker.ts SIGKILL|SIGSTOP|LOST`. It is killed or frozen, or the rail's answer is lost. Only
// dying-worker.ts, frozen-worker.ts, frozen-payout.ts and lost-answers.ts run it.
import { setTimeout as pause } from 'node:timers/promises'
import type { PayoutRail } from '../../rails/payout-rail.ts'
import type { Rail } from '../../rails/rail.ts'
import type { Database } from '../../db/core/database.ts'
import { runWorker } from './run-worker.ts'

const fault = process.argv[2] as 'SIGKILL' | 'SIGSTOP' | 'LOST'

await runWorker((deps) => {
  const { rails, database } = deps
  const sandbox = rails.in('sandbox')
  const { of, paying } = sandbox
  sandbox.of = (corridor) => rig(of(corridor), database)
  sandbox.paying = (type, currency) => rigPayouts(paying(type, currency), database)
  return { deps, activitiesMax: fault === 'LOST' ? 20 : 1 }
})

function rig(rail: Rail<'sandbox'>, database: Database): Rail<'sandbox'> {
  return {
    ...rail,
    async charge(order, at) {
      const answer = await rail.charge(order, at)
      await strikeOnce(database, order.paymentId)
      return answer
    },
  }
}

function rigPayouts(rail: PayoutRail<'sandbox'>, database: Database): PayoutRail<'sandbox'> {
  return {
    ...rail,
    async payOut(order, at) {
      const answer = await rail.payOut(order, at)
      await strikeOnce(database, order.payoutId)
      return answer
    },
  }
}

async function strikeOnce({ orm }: Database, id: string): Promise<void> {
  const first = await orm.em
    .fork()
    .execute('insert into proof_signals (payment_id) values (?) on conflict do nothing returning 1', [id])
  if (first.length === 0) return
  if (fault === 'LOST') throw new Error('the rail’s answer is lost')
  await pause(200) // lets other steps here end, so that only this payment waits for a time-out
  process.kill(process.pid, fault)
}
