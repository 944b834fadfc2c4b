import type { Operation } from '../http/operation.ts'
import * as event from './event-trigger.ts'
import * as mail from './mail.ts'
import * as clock from './test-clock.ts'
import * as accountDeposit from './test-account-deposit.ts'
import * as disputeHelper from './test-dispute.ts'
import * as helper from './test-helper.ts'
import * as payoutHelper from './test-payout.ts'
import { runScenario } from './scenario.ts'

/** The operations of the area: what only the sandbox has. */
export const sandboxOperations: readonly Operation[] = [
  helper.simulatePay,
  helper.simulateDeposit,
  accountDeposit.simulateVirtualAccountDeposit,
  payoutHelper.settlePayout,
  disputeHelper.raiseDispute,
  disputeHelper.settleDispute,
  event.triggerEvent,
  mail.listEmails,
  clock.createClock,
  clock.listClocks,
  clock.getClock,
  clock.deleteClock,
  clock.attachToClock,
  clock.advanceClock,
  runScenario,
]
