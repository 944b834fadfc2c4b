import { defineEntity, p } from '@mikro-orm/core'
import { moment } from '../core/columns.ts'

const schema = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_keys',
  properties: {
    // The `kid` of the tokens that this key has signed.
    id: p.string().length(43).primary(),
    publicJwk: p.json<{ kty: string; crv: string; x: string }>(),
    encryptedPrivateJwk: p.text().fieldName('sealed_private_jwk'),
    createdAt: moment(),
    // Set when a newer key takes over the signing; tokens of this key stay valid for a short time.
    retiredAt: moment().strictNullable(),
  },
  indexes: [{ name: 'signing_keys_retired', properties: ['retiredAt'], where: 'retired_at is not null' }],
})
/** A key that signs access tokens; its private half is stored encrypted. */
export class SigningKey extends schema.class {}
schema.setClass(SigningKey)
