/** A card as Stripe knows it: its PaymentMethod, and the customer for whom it is saved, or null. */
type CardToken = { paymentMethod: string; customer: string | null }

/** The longest token that our rows keep. */
const lengthMax = 64

/** The token of a saved card: `cus_…:pm_…`. Stripe charges a saved card only together with its customer. */
export function savedToken(customer: string, paymentMethod: string): string {
  const token = `${customer}:${paymentMethod}`
  if (token.length > lengthMax) throw new Error('the ids of a card saved at Stripe are longer than can be stored')
  return token
}

export const isPaymentMethod = (text: string): boolean => text.length <= lengthMax && /^pm_\w+$/.test(text)

/** Reads a token that `savedToken` or Stripe's field has made. */
export function readToken(token: string | null): CardToken {
  const [, customer = null, paymentMethod] = /^(?:(cus_\w+):)?(pm_\w+)$/.exec(token ?? '') ?? []
  if (paymentMethod === undefined) throw new Error('the token is not one of a card at Stripe')
  return { paymentMethod, customer }
}
