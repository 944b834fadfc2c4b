import Type, { type Static } from 'typebox'
import type { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { corridorKeys } from '../../domain/corridor.ts'
import { id } from '../common.ts'

/** A saved card that a session offers: what a buyer needs to tell it from another one. */
export const OfferedCard = Type.Object(
  {
    payment_method_id: id('pm'),
    payment_method: Type.Enum([...corridorKeys]),
    card: Type.Object({
      brand: Type.String(),
      last4: Type.String(),
      exp_month: Type.Integer(),
      exp_year: Type.Integer(),
    }),
  },
  { $id: 'OfferedCard' },
)

export const presentOfferedCard = (row: SavedPaymentMethod): Static<typeof OfferedCard> => ({
  payment_method_id: row.id,
  payment_method: row.corridor,
  card: { brand: row.brand, last4: row.last4, exp_month: row.expMonth, exp_year: row.expYear },
})
