import { type Corridor, corridorOf } from './corridor.ts'

/** The providers of live rails. */
export const providerNames = ['stripe', 'paystack'] as const
export type ProviderName = (typeof providerNames)[number]

/** Each currency has one provider for all that is taken or sent in it. */
const byCurrency: Record<string, ProviderName> = {
  USD: 'stripe',
  NGN: 'paystack',
  GHS: 'paystack',
  KES: 'paystack',
  XOF: 'paystack',
}

/**
 * The provider that works for rows of an environment in a currency. The steps that call it run on a task queue of its
 * own. Null for the sandbox, and for a currency without a provider.
 */
export const providerOf = (environment: string, currency: string): ProviderName | null =>
  environment === 'live' && Object.hasOwn(byCurrency, currency) ? (byCurrency[currency] ?? null) : null

/** The provider of what is paid by a corridor; null in the sandbox, and before one is chosen. */
export const providerOfCorridor = (environment: string, corridor: Corridor | null): ProviderName | null =>
  corridor && providerOf(environment, corridorOf(corridor).currency)
