// A worker process whose rail sends it a signal once per payment, after the rail has accepted and before that is
// written down: `node test/proof/rigged-worker.ts SIGKILL|SIGSTOP`. Run by dying-worker.ts and frozen-worker.ts alone.
import type { Rail } from '../../activities/rails/rail.ts'
import type { Database } from '../../db/database.ts'
import { runWorker } from './run-worker.ts'
import { pause } from './until.ts'

const signal = process.argv[2] as 'SIGKILL' | 'SIGSTOP'

await runWorker((deps) => {
  const { rails, database } = deps
  const rigged = { ...rails, of: (corridor: Parameters<typeof rails.of>[0]) => rig(rails.of(corridor), database) }
  return { deps: { ...deps, rails: rigged }, activitiesMax: 1 }
})

function rig(rail: Rail, { orm }: Database): Rail {
  return {
    ...rail,
    async charge(order, at) {
      const answer = await rail.charge(order, at)
      const first = await orm.em
        .fork()
        .execute('insert into proof_signals (payment_id) values (?) on conflict do nothing returning 1', [
          order.paymentId,
        ])
      if (first.length === 0) return answer
      await pause(200) // what else is under way here may end, so that only this payment waits for a time-out
      process.kill(process.pid, signal)
      return answer
    },
  }
}
