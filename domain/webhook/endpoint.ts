import { hourMs } from '../duration.ts'

/** Whose events an endpoint receives: its account's own, those of the accounts connected to it, or both. */
export const accountScopes = ['own', 'connected', 'all'] as const
export type AccountScope = (typeof accountScopes)[number]

/**
 * The most endpoints of an account in one environment, beside the single-URL configuration (docs/contract/webhook.md,
 * "Endpoints").
 */
export const endpointsMax = 10

/** The most recoveries of an endpoint that are open at a time: each has a process that looks every second. */
export const recoveriesMax = 3

/** From the first failure of a run to the mail and to the switching off, and from the mail to the switching off. */
export const warnAfterMs = 24 * hourMs
export const disableAfterMs = 72 * hourMs
export const disableAfterMailMs = 48 * hourMs

/** Since when every attempt has failed and when its owner was mailed about it, in ms since the epoch. */
export type FailingRun = { failingSince: number; warnedAt: number | null }

/**
 * When a run of failures without a success has its next consequence (docs/contract/webhook.md, "Switching off"): the
 * mail after 24 hours; the switching off after 72 hours, and 48 hours after the mail at the earliest.
 */
export const nextConsequenceAt = ({ failingSince, warnedAt }: FailingRun): number =>
  warnedAt === null
    ? failingSince + warnAfterMs
    : Math.max(failingSince + disableAfterMs, warnedAt + disableAfterMailMs)

/** Whether an endpoint with this filter receives events of this type. */
export const isSubscribed = (filter: readonly string[], type: string): boolean =>
  filter.includes('*') || filter.includes(type)

/**
 * Whether an endpoint of this scope receives its account's own events, or a connected account's where `isOwn` is false.
 */
export const coversAccount = (scope: AccountScope, isOwn: boolean): boolean =>
  scope === 'all' || (scope === 'own') === isOwn
