import Type, { type TSchema } from 'typebox'
import { corridorKeys } from '../../domain/corridor.ts'
import { assetKeys } from '../../domain/checkout/crypto.ts'

const Assets = Type.Object(Object.fromEntries(assetKeys.map((asset) => [asset, Type.Optional(Type.Boolean())])), {
  additionalProperties: false,
  propertyNames: { format: 'currency' },
})

const settingOf = (corridor: string): TSchema =>
  Type.Object({
    enabled: Type.Boolean(),
    ...(corridor === 'CRYPTO' && { currencies: Type.Optional(Assets) }),
  })

/** `enabled_payment_methods`: by corridor, whether it is on; `CRYPTO` also says in which assets. */
export const EnabledPaymentMethods = Type.Object(
  Object.fromEntries(corridorKeys.map((key) => [key, Type.Optional(settingOf(key))])),
  { additionalProperties: false },
)

export const FeePreference = Type.Enum(['customer_pays', 'org_pays'])

export const CheckoutSettings = Type.Object(
  {
    organization_id: Type.String(),
    enabled_payment_methods: EnabledPaymentMethods,
    fee_preference: FeePreference,
    message: Type.String({ description: 'For people; do not branch on it.' }),
  },
  { $id: 'CheckoutSettings' },
)
