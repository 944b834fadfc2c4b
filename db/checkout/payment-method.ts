import { defineEntity, p } from '@mikro-orm/core'
import { corridorKey, moment, tenant } from '../core/columns.ts'

/** What may be shown of a card: never its number. */
export type CardDetails = { brand: string; last4: string; exp_month: number; exp_year: number; country: string }

const schema = defineEntity({
  name: 'SavedPaymentMethod',
  tableName: 'saved_payment_methods',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // Whose it is; null until the merchant says so, where a buyer only typed the email of a customer there was.
    customerId: p.string().strictNullable(),
    // The corridor whose rail knows the token.
    corridor: corridorKey(),
    // The rail's own name for the card, good for charges without its owner; it leaves this table for the rail alone.
    railToken: p.string().length(64).index('saved_payment_methods_by_token'),
    brand: p.string().length(20),
    last4: p.string().length(4),
    expMonth: p.smallint(),
    expYear: p.smallint(),
    country: p.string().length(2),
    // The session that saved it: each saves one, which the database holds too.
    checkoutId: p.string().unique('saved_payment_methods_once'),
    createdAt: moment(),
  },
  indexes: [{ name: 'saved_payment_methods_of_customer', properties: ['customerId', 'createdAt', 'id'] }],
})
/**
 * A card that a customer has left for later. `railToken` was verified with its owner present and is made for charges in
 * their absence: a subscription renews by an ordinary `ChargeOrder` on `corridor` with it as `token`.
 */
export class SavedPaymentMethod extends schema.class {}
schema.setClass(SavedPaymentMethod)
