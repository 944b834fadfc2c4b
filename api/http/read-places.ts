import { Refusal } from '../../domain/refusal.ts'
import { createTurns } from './turns.ts'

/** The share of a process's connections that the reads of one account may use at a time. */
const shareMax = 0.7

/** How long a read waits for those of its account that are under way. */
const patience = {
  ms: 1_500,
  refusal: () =>
    new Refusal('SERVICE_UNAVAILABLE', 'too many reads of this organization are under way; try again', [], 2),
}

/**
 * Runs the reads of each account in at most 7 of 10 connections of this process, so that one account's slow lists leave
 * some for the sales of all others. Further reads of the account wait in the order of their arrival, and are refused
 * with `SERVICE_UNAVAILABLE` after 1.5 s.
 */
export function createReadPlaces(connections: number) {
  const max = Math.max(1, Math.floor(connections * shareMax))
  return createTurns(() => max, patience).take
}
