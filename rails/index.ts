import type { Database } from '../db/core/database.ts'
import type { Environment } from '../domain/access/scope.ts'
import { createLiveRails, type VaultLogger } from './live.ts'
import type { Providers } from './providers.ts'
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

/** The sandbox's simulators for sandbox orders, and the rails of the configured providers for live ones. */
export function createRails(
  database: Database,
  { logger = silent, providers = { stripe: null, paystack: null }, pace }: Options = {},
): Rails {
  const sets: RailSets = { sandbox: createSandboxRails(database, pace), live: createLiveRails(providers, logger) }
  return { in: (environment) => sets[environment] }
}

const silent: VaultLogger = { warn: () => undefined }

type Options = {
  logger?: VaultLogger
  providers?: Pick<Providers, 'stripe' | 'paystack'>
  pace?: SandboxPace | undefined
}
