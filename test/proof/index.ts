import { clocksDiffer } from './clocks-differ.ts'
import { databaseFaults } from './database-faults.ts'
import { bothLost, databaseRestored } from './database-restored.ts'
import { diskFull } from './disk-full.ts'
import { dyingRelay } from './dying-relay.ts'
import { dyingWorker } from './dying-worker.ts'
import { engineUnavailable } from './engine-away.ts'
import { engineLost } from './engine-lost.ts'
import { engineOlder } from './engine-older.ts'
import { equalKeys } from './equal-keys.ts'
import { exitAfterCommit } from './exit-after-commit.ts'
import { frozenPayout } from './frozen-payout.ts'
import { frozenWorker } from './frozen-worker.ts'
import { generatedClients } from './generated-clients.ts'
import { ledgerOperations } from './ledger-operations.ts'
import { killedClock } from './killed-clock.ts'
import { killedApi } from './killed-api.ts'
import { killedWorker } from './killed-worker.ts'
import { killStorm } from './kill-storm.ts'
import { killedBetweenAttempts } from './killed-between-attempts.ts'
import { lostAnswers } from './lost-answers.ts'
import { noCache } from './no-cache.ts'
import { noisyNeighbour } from './noisy-neighbour.ts'
import { overload } from './overload.ts'
import { payoutRace } from './payout-race.ts'
import { poolExhausted } from './pool-exhausted.ts'
import { renewalStorm } from './renewal-storm.ts'
import type { Scenario } from './scenario.ts'
import { sideBySide } from './side-by-side.ts'
import { splitSales } from './split-sales.ts'
import { tableLocks } from './table-locks.ts'
import { webhookRotation } from './webhook-rotation.ts'
import { webhookStorm } from './webhook-storm.ts'

/** Every scenario by its name in `npm run proof`. */
export const scenarios: Record<string, Scenario> = {
  'renewal-storm': renewalStorm,
  'exit-after-commit': exitAfterCommit,
  'killed-worker': killedWorker,
  'killed-clock': killedClock,
  'killed-api': killedApi,
  'dying-worker': dyingWorker,
  'dying-relay': dyingRelay,
  'frozen-worker': frozenWorker,
  'frozen-payout': frozenPayout,
  'lost-answers': lostAnswers,
  'payout-race': payoutRace,
  'engine-away': engineUnavailable,
  'database-faults': databaseFaults,
  'clocks-differ': clocksDiffer,
  'disk-full': diskFull,
  'pool-exhausted': poolExhausted,
  'table-locks': tableLocks,
  'equal-keys': equalKeys,
  'no-cache': noCache,
  'webhook-storm': webhookStorm,
  'noisy-neighbour': noisyNeighbour,
  overload,
  'webhook-rotation': webhookRotation,
  'kill-storm': killStorm,
  'killed-between-attempts': killedBetweenAttempts,
  'ledger-operations': ledgerOperations,
  'split-sales': splitSales,
  'side-by-side': sideBySide,
  'engine-lost': engineLost,
  'engine-older': engineOlder,
  'database-restored': databaseRestored,
  'both-lost': bothLost,
  'generated-clients': generatedClients,
}
