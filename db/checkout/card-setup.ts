import { defineEntity, p } from '@mikro-orm/core'
import { setupStatuses } from '../../domain/checkout/card-setup.ts'
import type { FailureCode, NextAction } from '../../domain/checkout/payment.ts'
import { corridorKey, moment, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'CardSetup',
  tableName: 'card_setups',
  properties: {
    // The id of its payment request, and the rail's key for it.
    id: p.string().primary(),
    ...tenant,
    checkoutId: p.string().index('card_setups_by_checkout'),
    corridor: corridorKey(),
    status: p.enum(setupStatuses),
    nextAction: p.json<NextAction>().strictNullable(),
    failureCode: p.string().$type<FailureCode>().length(64).strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
})
/** One attempt to save a card. It is like a payment, but moves no money. */
export class CardSetup extends schema.class {}
schema.setClass(CardSetup)
