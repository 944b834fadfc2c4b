import Type, { type Static } from 'typebox'
import type { SavedPaymentMethod as SavedRow } from '../../db/checkout/payment-method.ts'
import { corridorKeys, corridorOf, isOnByDefault, type Method, methods } from '../../domain/corridor.ts'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import { id as idOf, idParameter, iso, Timestamp } from '../common.ts'

/** A payment method of the platform (docs/contract/checkout.md, "Corridors"). */
const PaymentMethod = Type.Object(
  {
    id: Type.Enum([...methods]),
    display_name: Type.String(),
    icon: Type.String({ description: 'The name of an icon. The icon itself is yours to choose.' }),
    description: Type.String(),
    type: Type.Enum(['fiat', 'crypto']),
    enabled_by_default: Type.Boolean(),
    currencies: Type.Array(Type.String({ examples: ['USD'] })),
  },
  { $id: 'PaymentMethod' },
)
export const PaymentMethods = Type.Object({ payment_methods: Type.Array(PaymentMethod) }, { $id: 'PaymentMethods' })

const words: Record<Method, { display_name: string; description: string }> = {
  card: { display_name: 'Card', description: 'Credit and debit cards, with 3D Secure where the bank asks for it.' },
  bank_transfer: { display_name: 'Bank transfer', description: 'A transfer to an account made for the one payment.' },
  mobile_money: { display_name: 'Mobile money', description: 'A question on the buyer’s phone, paid from its wallet.' },
  crypto: { display_name: 'Crypto', description: 'Coins sent to an address made for the one payment.' },
}

const currenciesOf = (method: Method): string[] =>
  method === 'crypto'
    ? assetKeys
    : [...new Set(corridorKeys.map(corridorOf).flatMap((row) => (row.method === method ? [row.currency] : [])))]

export const presentPaymentMethods = (): Static<typeof PaymentMethods> => ({
  payment_methods: methods.map((id) => ({
    id,
    ...words[id],
    icon: id,
    type: id === 'crypto' ? ('crypto' as const) : ('fiat' as const),
    enabled_by_default: isOnByDefault(id),
    currencies: currenciesOf(id),
  })),
})

/** The saved card that a merchant attaches to a customer. */
export const AttachPaymentMethod = Type.Object({ payment_method_id: idParameter('pm') }, { $id: 'AttachPaymentMethod' })

/** A saved card of a customer: the details on it, without its number. */
export const SavedPaymentMethod = Type.Object(
  {
    payment_method_id: idOf('pm'),
    type: Type.Literal('card'),
    card: Type.Object({
      brand: Type.String(),
      last4: Type.String(),
      exp_month: Type.Integer(),
      exp_year: Type.Integer(),
      country: Type.String(),
    }),
    created_at: Timestamp,
  },
  { $id: 'SavedPaymentMethod' },
)

export const presentSavedPaymentMethod = (row: SavedRow): Static<typeof SavedPaymentMethod> => ({
  payment_method_id: row.id,
  type: 'card',
  card: {
    brand: row.brand,
    last4: row.last4,
    exp_month: row.expMonth,
    exp_year: row.expYear,
    country: row.country,
  },
  created_at: iso(row.createdAt),
})
