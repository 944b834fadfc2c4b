import Type, { type Static } from 'typebox'
import type { MethodDetails } from '../../db/checkout/payment.ts'
import { nullable } from '../common.ts'

const text = nullable(Type.String())

/** The payment method as it is shown on a receipt. */
export const PaidWith = Type.Object(
  {
    brand: text,
    last4: text,
    provider: text,
    phone_number: text,
    asset: text,
    tx_hash: text,
    confirmations: nullable(
      Type.Integer({ description: 'For crypto: the number of blocks that confirm the transfer.' }),
    ),
  },
  { $id: 'PaidWith' },
)

/** The buyer's payment method, masked as it is stored. Only the merchant sees whose account a transfer came from. */
export function presentPaidWith(details: MethodDetails | null): Static<typeof PaidWith> | null {
  if (!details) return null
  const textOf = (key: string) => (details[key] === undefined || details[key] === null ? null : String(details[key]))
  const { confirmations } = details
  return {
    brand: textOf('brand'),
    last4: textOf('last4'),
    provider: textOf('provider'),
    phone_number: textOf('phone_number'),
    asset: textOf('asset'),
    tx_hash: textOf('tx_hash'),
    confirmations: typeof confirmations === 'number' ? confirmations : null,
  }
}
