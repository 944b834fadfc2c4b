import { mergeMetadata } from '../metadata.ts'

type Metadata = Record<string, string>

/**
 * The metadata of a subscription after a change. `checkout_id` is always the id of its checkout: nobody overwrites or
 * removes it (docs/contract/subscription.md, "Metadata").
 */
export function mergeSubscriptionMetadata(known: Metadata, sent: Metadata | string, checkoutId: string): Metadata {
  const { checkout_id: _own, ...merged } = mergeMetadata(known, sent)
  return { ...merged, checkout_id: checkoutId }
}
