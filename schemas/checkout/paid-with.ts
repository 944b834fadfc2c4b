import Type, { type Static } from 'typebox'
import type { MethodDetails } from '../../db/checkout/payment.ts'
import { nullable } from '../common.ts'

const text = nullable(Type.String())

/** What a receipt says of the means of payment. */
export const PaidWith = Type.Object(
  {
    brand: text,
    last4: text,
    provider: text,
    phone_number: text,
    asset: text,
    tx_hash: text,
    confirmations: nullable(Type.Integer({ description: 'Of crypto: how many blocks have confirmed the coins.' })),
  },
  { $id: 'PaidWith' },
)

/** A buyer's own means of payment, masked as it is kept. Whose account a transfer came from stays with the merchant. */
export function presentPaidWith(details: MethodDetails | null): Static<typeof PaidWith> | null {
  if (!details) return null
  const said = (key: string) => (details[key] === undefined || details[key] === null ? null : String(details[key]))
  const { confirmations } = details
  return {
    brand: said('brand'),
    last4: said('last4'),
    provider: said('provider'),
    phone_number: said('phone_number'),
    asset: said('asset'),
    tx_hash: said('tx_hash'),
    confirmations: typeof confirmations === 'number' ? confirmations : null,
  }
}
