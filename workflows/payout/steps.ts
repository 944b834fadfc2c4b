import type { PayoutActivities } from '../../activities/payout/payout.ts'
import { railPolicy, railPolicyForTwoMinutes } from '../policies.ts'
import { proxyRailSteps } from '../rail-steps.ts'

const order = 'Send the payout to the rail'
const question = 'Ask the rail for the payout’s status'
const stepsBy = (policy: typeof railPolicy) => ({
  submitPayout: proxyRailSteps<PayoutActivities>(policy(order)).submitPayout,
  lookUpPayout: proxyRailSteps<PayoutActivities>(policy(question)).lookUpPayout,
})

/** The steps of a payout at its rail, tried for two minutes. */
export const forTwoMinutes = stepsBy(railPolicyForTwoMinutes)

/** The same steps, tried until the rail answers. */
export const patiently = stepsBy(railPolicy)

export type RailStep = keyof typeof forTwoMinutes
