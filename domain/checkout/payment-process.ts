/** What of a payment says which process works for it. */
type Owned = { id: string; checkoutId: string | null; subscriptionId?: string | null }

/**
 * The process that works for a payment, and the resource of that process: its session's; without a session its
 * subscription's, which charges a saved card; otherwise its own, as it is a deposit into a virtual account.
 */
export function paymentProcessOf({
  id,
  checkoutId,
  subscriptionId = null,
}: Owned): [process: 'checkout' | 'subscription' | 'deposit', resourceId: string] {
  if (checkoutId !== null) return ['checkout', checkoutId]
  return subscriptionId === null ? ['deposit', id] : ['subscription', subscriptionId]
}
