import { defineEntity, p } from '@mikro-orm/core'
import type { Flow } from '../../domain/subscription/customer-session.ts'
import { moment, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'CustomerSession',
  tableName: 'customer_sessions',
  properties: {
    id: p.string().primary(),
    ...tenant,
    customerId: p.string().index('customer_sessions_by_customer'),
    // The token itself is shown once and is not stored.
    tokenHash: p.string().length(64),
    // Where the portal sends the customer back to.
    returnUrl: p.string().length(2048),
    // What the customer may do in it; null: everything.
    flow: p.json<Flow>().strictNullable(),
    createdAt: moment(),
    expiresAt: moment().index('customer_sessions_by_end'),
  },
})
/** An hour in which a customer may use the portal of a merchant, without an account of their own. */
export class CustomerSession extends schema.class {}
schema.setClass(CustomerSession)
