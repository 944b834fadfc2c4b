import { assertMove, type Moves } from '../move.ts'

export const setupStatuses = ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'] as const
export type SetupStatus = (typeof setupStatuses)[number]

/**
 * Every legal move of a card setup. One that has ended stays as it is: a card whose setup was given up is not saved,
 * whatever the network answers later.
 */
export const setupMoves: Moves<SetupStatus> = {
  // A repeated step sends the buyer's code a second time.
  processing: ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'],
  requires_action: ['processing', 'succeeded', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
}

/** Moves a card setup on. */
export function moveSetup(setup: { status: SetupStatus }, to: SetupStatus): void {
  assertMove('card setup', setupMoves, setup.status, to)
  setup.status = to
}

/** Whether the rail or the buyer still has to act on saving a card. */
export const isSetupPending = (status: SetupStatus): boolean => status === 'processing' || status === 'requires_action'
