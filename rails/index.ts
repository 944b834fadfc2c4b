import type { Database } from '../db/core/database.ts'
import type { Environment } from '../domain/access/scope.ts'
import { noLiveRails } from './live.ts'
import type { RailSet } from './rail-set.ts'
import { createSandboxRails, type SandboxPace } from './sandbox/rail-set.ts'

type RailSets = { [E in Environment]: RailSet<E> }

/**
 * The rails that serve a deployment. Every look-up names an environment: that of the row that the call is about.
 *
 * An order is taken by rails of its own environment alone: a `ChargeOrder<'sandbox'>` does not fit a `Rail<'live'>`.
 * Where the environment is known only when the code runs, the compiler cannot tell that rail and order belong together,
 * unless a function that is generic over the environment looks the rail up by the order itself:
 *
 *     const charge = <E extends Environment>(order: ChargeOrder<E>, at: number) =>
 *       rails.in(order.environment).of(order.corridor).charge(order, at)
 */
export type Rails = { in: <E extends Environment>(environment: E) => RailSets[E] }

/** The sandbox's simulators for sandbox orders. Live orders have no rails yet, and never reach the simulators. */
export function createRails(database: Database, pace?: SandboxPace): Rails {
  const sets: RailSets = { sandbox: createSandboxRails(database, pace), live: { ...noLiveRails } }
  return { in: (environment) => sets[environment] }
}
