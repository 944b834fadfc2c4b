/**
 * A revision is a whole number that only grows: of two, the higher is the newer. There are three kinds, because each is
 * held against another thing:
 *
 * - **Of a snapshot**: which of two answers about one row is the later one. A session stores it and counts every change
 *   (`checkouts.revision`). Payouts and destinations work it out of what their row holds, and store nothing for it.
 * - **Of a review's subject**: what exactly the reviewers have seen. A decision about an earlier one is refused. It
 *   counts how often a destination was stated (`payout_destinations.revision`) or how often a payout was held
 *   (`payouts.held_again` plus one), and `reviews.revision` names the one that a review is about.
 * - **Of a routing**: where exactly a payout may go. It counts every change of what a rail is told
 *   (`payout_destinations.routing_revision`), also a change that nobody reviews, and `payouts.destination_revision`
 *   names the one that a payout is bound to.
 */
export type Revised = { revision: number }

/** Increases the row's revision after a change. */
export function revise(row: Revised): void {
  row.revision += 1
}

export const isOlder = (one: Revised, other: Revised): boolean => one.revision < other.revision

type Routed = { routingRevision: number }
type Bound = { destinationRevision: number | null }

/** Increases the routing revision after a change of where a destination's money goes. */
export function reviseRouting(destination: Routed): void {
  destination.routingRevision += 1
}

/** Whether a payout is bound to where its destination's money goes now. */
export const isBound = (payout: Bound, destination: Routed): boolean =>
  payout.destinationRevision === destination.routingRevision

/** Binds a payout to where its destination's money goes now. */
export function bind(payout: Bound, destination: Routed): void {
  payout.destinationRevision = destination.routingRevision
}
