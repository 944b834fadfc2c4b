import { type Amount, isLess } from '../money.ts'
import type { Environment } from '../access/scope.ts'

/** The limits above which a payout is reviewed before it is sent; amounts in US dollars at the reference rate. */
export type RiskLimits = { amountUsd: Amount; firstToDestinationUsd: Amount; withinAnHour: number }

/** The sandbox's limits, which are too high to disturb tests. The limits of live are configured by the deployment. */
const sandboxLimits: RiskLimits = { amountUsd: '1000000', firstToDestinationUsd: '250000', withinAnHour: 10_000 }

/** A sandbox payout with this `reference` is held, so that a review can be tried out. */
export const heldInSandbox = 'sandbox_hold'

/**
 * The facts that the rule depends on. `withinAnHour` counts this payout and those that were looked at in one hour with
 * it, before or after it: of all such hours the one with the most.
 */
export type RiskFacts = {
  environment: Environment
  reference: string | null
  amountUsd: Amount
  isFirstToDestination: boolean
  withinAnHour: number
}

/** Why a payout is held for a reviewer, in a sentence without personal data; null: it is not held. */
export function holdReasonOf(facts: RiskFacts, live: RiskLimits): string | null {
  const limits = facts.environment === 'live' ? live : sandboxLimits
  const { amountUsd, isFirstToDestination, withinAnHour } = facts
  if (facts.environment === 'sandbox' && facts.reference === heldInSandbox) return `test reference \`${heldInSandbox}\``
  if (isLess(limits.amountUsd, amountUsd)) return `worth more than ${limits.amountUsd} USD`
  if (isFirstToDestination && isLess(limits.firstToDestinationUsd, amountUsd)) {
    return `the first payout to this destination, and worth more than ${limits.firstToDestinationUsd} USD`
  }
  if (withinAnHour > limits.withinAnHour) return `more than ${limits.withinAnHour} payouts within an hour`
  return null
}
