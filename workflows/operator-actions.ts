import { defineUpdate, setCurrentDetails, setHandler } from '@temporalio/workflow'
import type { operatorUpdates } from '../domain/process-contract.ts'
import { validateId } from './id-validator.ts'
import { showStatus } from './search-attributes.ts'
import { waitFor } from './wait-until.ts'

type OperatorUpdate = keyof typeof operatorUpdates

/** Has a process carry out the actions of these updates. An update has the id of an action, whose row says the rest. */
export function followOperatorActions(
  updates: readonly OperatorUpdate[],
  carryOut: (actionId: string) => Promise<void>,
): void {
  let underWay: Promise<void> | null = null
  // One after the other: the result of a hold must not be heard after that of its release.
  async function inTurn(actionId: string): Promise<void> {
    while (underWay) await underWay.catch(() => undefined)
    underWay = carryOut(actionId).finally(() => (underWay = null))
    await underWay
  }
  for (const update of updates) {
    setHandler(defineUpdate<void, [actionId: string]>(update), inTurn, { validator: validateId('opa') })
  }
}

const onHoldDetails =
  'On hold. In the review desk (/ops): release it, or mark it as failed. Nothing is sent meanwhile; what the other ' +
  'side says by itself still counts.'

/** Waits without a deadline for staff to release what is on hold. */
export const waitOnHold = (unless: () => boolean): Promise<void> =>
  waitFor({ for: 'operator', helps: onHoldDetails, unless })

const contradictedDetails =
  'The provider reports a different outcome than our books. They stay as they are. Compare with the provider’s ' +
  'statement, and settle the difference with the merchant outside the service (docs/operating/providers.md, “What ' +
  'cannot be corrected here”).'

/** Shows the end of an order in the engine's list, and returns it. */
export function showOutcome<Shown extends string>(shown: Shown): Shown {
  const isContradicted = shown === 'contradicted'
  if (isContradicted) setCurrentDetails(contradictedDetails)
  showStatus(shown, isContradicted ? 'operator' : 'nobody')
  return shown
}
