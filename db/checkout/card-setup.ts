import { defineEntity, p } from '@mikro-orm/core'
import { setupStatuses } from '../../domain/checkout/card-setup.ts'
import type { FailureCode, NextAction } from '../../domain/checkout/payment.ts'
import { corridorKey, moment, onClock, polled, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'CardSetup',
  tableName: 'card_setups',
  properties: {
    // The id of its payment request, and the rail's key for it.
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    checkoutId: p.string().index('card_setups_by_checkout'),
    corridor: corridorKey(),
    status: p.enum(setupStatuses),
    nextAction: p.json<NextAction>().strictNullable(),
    failureCode: p.string().$type<FailureCode>().length(64).strictNullable(),
    ...polled,
    createdAt: moment(),
    updatedAt: moment(),
  },
  indexes: [
    { name: 'card_setups_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    {
      name: 'card_setups_waiting',
      expression:
        'create index "card_setups_waiting" on "card_setups" ("account_id", "environment", ' +
        `(coalesce(next_poll_at, created_at)), "checkout_id") where status = 'processing'`,
    },
  ],
})
/** One attempt to save a card. It is like a payment, but moves no money. */
export class CardSetup extends schema.class {}
schema.setClass(CardSetup)
