import type { ProviderAccess } from '../../rails/providers.ts'
import type { Entry } from '../doubles/stripe/books.ts'
import { startPaystack } from '../doubles/paystack/paystack.ts'
import { callbackOf } from '../doubles/paystack/callbacks.ts'
import { startStripeDouble } from '../doubles/stripe/double.ts'
import type { Stack, StackOptions } from './stack.ts'
import { use } from './use.ts'
import { useApi, useStack } from './use-stack.ts'

/** Stands in every secret of the providers, so that a search finds each place that they have come to. */
export const marker = 'markedsecret'
const stripeKey = `sk_live_${marker}1`
export const paystackKey = `sk_live_${marker}2`
export const stripeSecrets = [`whsec_${marker}1`, `whsec_${marker}2`] as const
export const publishableKey = 'pk_live_forpages'
export const oldPaystackKey = `sk_live_${marker}3`

/** A callback as a provider sends it. */
export type Sent = { bytes: Buffer; headers: Record<string, string> }

type Options = Pick<StackOptions, 'skipping' | 'workers'> & { invariants?: 'at the end' }

/** Doubles of both providers, for all tests of a file, and how a stack reaches them as live ones. */
export async function useLiveProviders() {
  const stripe = await use(
    () => startStripeDouble({ secretKeys: [stripeKey] }),
    (started) => started.close(),
  )
  const paystack = await use(
    () => startPaystack(paystackKey),
    (started) => started.close(),
  )
  const providers: { [Name in keyof ProviderAccess]: NonNullable<ProviderAccess[Name]> } = {
    stripe: {
      secretKey: stripeKey,
      publishableKey,
      callbackSecrets: stripeSecrets,
      url: stripe.url,
      livemode: true,
    },
    paystack: {
      secretKey: paystackKey,
      callbackSecrets: [paystackKey, oldPaystackKey],
      url: paystack.url,
      livemode: true,
    },
  }
  return { stripe, paystack, providers }
}

type StripeDouble = Awaited<ReturnType<typeof startStripeDouble>>

/** The callbacks of both providers to a stack. */
export function callbacksTo({ baseUrl }: Pick<Stack, 'baseUrl'>, stripe: StripeDouble) {
  /** Sends a callback, as it is, to the service. Returns the status of the answer. */
  async function send(provider: string, { bytes, headers }: Sent): Promise<number> {
    const url = `${baseUrl}/rails/${provider}/callbacks`
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) })
    await answer.text()
    return answer.status
  }

  /** An event of Stripe's, signed at the double's time. */
  function stripeCallback(event: Entry, secret: string = stripeSecrets[0], at = stripe.books.nowMs()): Sent {
    const { bytes, signature } = stripe.signed(event, secret, at)
    return { bytes, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
  }

  function paystackCallback(event: string, data: object, key = paystackKey): Sent {
    const { body, signature } = callbackOf(key, event, data)
    return { bytes: body, headers: { 'x-paystack-signature': signature, 'content-type': 'application/json' } }
  }

  return { send, stripeCallback, paystackCallback }
}

/**
 * The whole service with both providers, which are doubles, for all tests of a file. No test can skip the time for
 * which a line rests, so that is short.
 */
export async function useLiveStack(options: Options = {}) {
  const { stripe, paystack, providers } = await useLiveProviders()
  const stack = await useStack({ ...options, providers, line: { restsMs: 500 } })
  const api = await useApi(stack)
  return { stack, api, providers, stripe, paystack, ...callbacksTo(stack, stripe) }
}
