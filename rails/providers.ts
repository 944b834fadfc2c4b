import type { Database } from '../db/core/database.ts'
import type { Encrypter } from '../db/core/encryption.ts'
import type { ProviderName } from '../domain/rail-provider.ts'
import type { LineOptions } from './line.ts'
import { createPaystack, type PaystackRail } from './paystack/paystack.ts'
import type { CardField } from '../domain/checkout/card-entry.ts'
import type { RailNews } from './rail-news.ts'
import { createStripe, type StripeRail } from './stripe/stripe.ts'

/** How a provider is reached, and what its callbacks are signed with: several secrets while one is being replaced. */
type Access = {
  /** It is in no error and no log. */
  secretKey: string
  callbackSecrets: readonly string[]
  /** Another origin of its API than its own; null: its own. */
  url: string | null
  /** Whether the keys are of the provider's live mode, not of its test mode. */
  livemode: boolean
}

/** The providers that a deployment is configured for; null where it is not. `publishableKey` is for Stripe's field. */
export type ProviderAccess = {
  stripe: (Access & { publishableKey: string }) | null
  paystack: Access | null
}

export const noProviders: ProviderAccess = { stripe: null, paystack: null }

/** A callback as it was received: the bytes of its body, and a header by its name in lower case. */
export type Callback = { bytes: Uint8Array; header: (name: string) => string | undefined; now: number }

/** The providers that serve live calls in this process; null where one is not configured. */
export type Providers = {
  stripe: (StripeRail & { cardField: CardField }) | null
  paystack: PaystackRail | null
  /**
   * Reads a callback: whom it concerns (an empty list: nobody of ours), or `forged` where its signature is not the
   * provider's. Null where the provider is not configured. It changes nothing.
   */
  readCallback(provider: ProviderName, callback: Callback): Promise<RailNews[] | 'forged' | null>
  /** Ends the connections to them. */
  close(): Promise<void>
}

/** Connects the configured providers. Nothing is sent before the first call. Throws for a key of the wrong mode. */
export function connectProviders(
  { stripe: toStripe, paystack: toPaystack }: ProviderAccess,
  parts: { database: Database; encrypter: Encrypter; line?: LineOptions },
): Providers {
  const stripe = toStripe && {
    ...createStripe({ ...parts, ...toStripe, address: toStripe.url }),
    cardField: { provider: 'stripe' as const, publishableKey: toStripe.publishableKey },
  }
  const paystack = toPaystack && createPaystack({ ...parts, ...toPaystack, url: toPaystack.url ?? undefined })
  const readers = {
    stripe: async ({ bytes, header, now }: Callback) =>
      stripe?.readCallback({
        bytes,
        signature: header('stripe-signature'),
        secrets: toStripe?.callbackSecrets ?? [],
        now,
      }),
    paystack: async ({ bytes, header }: Callback) =>
      paystack?.readCallback({
        bytes,
        signature: header('x-paystack-signature'),
        secrets: toPaystack?.callbackSecrets ?? [],
      }),
  }
  return {
    stripe,
    paystack,
    readCallback: async (provider, callback) => (await readers[provider](callback)) ?? null,
    async close() {
      await stripe?.close()
      await paystack?.close()
    },
  }
}
