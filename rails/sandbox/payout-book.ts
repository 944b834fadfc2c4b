import { defineEntity, p } from '@mikro-orm/core'
import { destinationTypes, type PayoutCurrency } from '../../domain/payout/destination.ts'
import { moment, money } from '../../db/core/columns.ts'

const schema = defineEntity({
  name: 'SimulatedPayout',
  tableName: 'simulated_payouts',
  properties: {
    payoutId: p.string().primary(),
    // The rail's own id for it.
    traceId: p.string().length(64).unique(),
    type: p.enum(destinationTypes),
    amount: money(),
    // Empty where it was cancelled before it was ordered.
    currency: p.string().$type<PayoutCurrency | ''>().length(10),
    status: p.enum(['processing', 'completed', 'failed', 'cancelled', 'returned']).default('processing'),
    // What becomes of it at `answers_at`, unless somebody settles it by hand.
    outcome: p.enum(['completed', 'failed', 'never']),
    answersAt: moment(),
    // How often it was ordered, and how often money was really sent.
    orders: p.integer().default(1),
    executions: p.smallint().default(0),
  },
})
/** The simulated rails' own book of payouts, keyed by our payout id. */
export class SimulatedPayout extends schema.class {}
schema.setClass(SimulatedPayout)
