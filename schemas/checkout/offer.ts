import Type, { type Static } from 'typebox'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { cardEntries, type CardField, cardFieldProviders } from '../../domain/checkout/card-entry.ts'
import { corridorKeys, corridorOf, methods, offeredAssets } from '../../domain/corridor.ts'
import { awaitsPick } from '../../domain/checkout/line-item.ts'
import type { PaymentPlaces } from '../../domain/checkout/payment-places.ts'
import { type Quote, shownFee } from '../../domain/balance/quote.ts'
import { CurrencyCode, Money, nullable } from '../common.ts'

/** A payment method of a session, with its price. All amounts are in `currency`. */
export const Offer = Type.Object({
  payment_method: Type.Enum([...corridorKeys]),
  type: Type.Enum([...methods]),
  currency: CurrencyCode,
  // These three are null until the buyer has picked a product.
  amount: nullable(Money),
  fee: nullable(Money),
  total: nullable(Money),
  rate: nullable(
    Type.String({ description: 'Units of the currency for one of the session’s; null if they are the same.' }),
  ),
  providers: Type.Array(Type.String(), { description: 'The mobile money providers; empty for other methods.' }),
  calling_codes: Type.Array(Type.String(), {
    description: 'How a mobile money number begins: the calling codes of its countries; empty for other methods.',
  }),
  assets: Type.Array(Type.String(), { description: 'The crypto assets; empty for other methods.' }),
  card_entry: nullable(
    Type.Enum([...cardEntries], {
      description:
        'Where the buyer enters a card: its numbers on your page (sandbox only), in the provider’s field on your ' +
        'page, or on the provider’s own page; null for other methods.',
    }),
  ),
  card_field: nullable(
    Type.Object(
      {
        provider: Type.Enum([...cardFieldProviders], { description: 'The provider whose field takes the card.' }),
        publishable_key: Type.String({ description: 'The key with which a page opens the field. It is public.' }),
      },
      { description: 'The provider’s field for cards, where `card_entry` is `field`; else null.' },
    ),
  ),
})

export function presentOffer(row: Checkout, quote: Quote, places: PaymentPlaces): Static<typeof Offer> {
  const { corridor, currency, rate } = quote
  const { method } = corridorOf(corridor)
  const isOpenPrice = awaitsPick(row)
  const wallets = method === 'mobile_money' ? places.walletsOf(corridor) : null
  return {
    payment_method: corridor,
    type: method,
    currency,
    amount: isOpenPrice ? null : quote.amount,
    fee: isOpenPrice ? null : shownFee(quote, row),
    total: isOpenPrice ? null : quote.customerPays,
    rate,
    providers: [...(wallets?.providers ?? [])],
    calling_codes: (wallets?.callingCodes ?? []).map((code) => `+${code}`),
    assets: corridor === 'CRYPTO' ? offeredAssets(row.methodOptions) : [],
    card_entry: method === 'card' ? places.cardEntryOf(corridor) : null,
    card_field: presentField(method === 'card' ? places.cardFieldOf(corridor) : null),
  }
}

const presentField = (field: CardField | null) =>
  field && { provider: field.provider, publishable_key: field.publishableKey }
