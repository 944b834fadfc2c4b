import { defineEntity, p } from '@mikro-orm/core'
import { feeBearers, refundStatuses } from '../../domain/refund.ts'
import { simulatedOutcomes } from '../../domain/simulation.ts'
import { currencyCode, moment, money, onClock, polled, holdable, announced, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    chargeId: p.string(),
    reference: p.string().length(128),
    status: p.enum(refundStatuses).default('pending'),
    // The currency in which the charge has settled.
    currency: currencyCode(),
    requestedAmount: money().check("requested_amount > 0 and requested_amount <> 'NaN'"),
    refundedAmount: money().strictNullable(),
    feeAmount: money().check("fee_amount >= 0 and fee_amount <> 'NaN'"),
    feeBearer: p.enum(feeBearers),
    reason: p.string().length(500).strictNullable(),
    refundAddress: p.string().length(255).strictNullable(),
    // Whether it takes back, in proportion, what its sale has passed on to others.
    takesBackShare: p.boolean().default(false),
    simulatedOutcome: p.enum(simulatedOutcomes).strictNullable(),
    ...polled,
    ...holdable,
    ...announced,
    createdAt: moment(),
    updatedAt: moment(),
    completedAt: moment().strictNullable(),
  },
  checks: [
    { name: 'refunds_end_at_a_time', expression: "(completed_at is not null) = (status in ('succeeded', 'failed'))" },
    { name: 'refunds_say_what_went_back', expression: "(refunded_amount is not null) = (status = 'succeeded')" },
  ],
  indexes: [
    { name: 'refunds_awaiting_news', properties: ['newsDueAt'], where: 'news_due_at is not null' },
    { name: 'refunds_on_hold', properties: ['accountId', 'environment', 'id'], where: 'on_hold_since is not null' },
    { name: 'refunds_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'refunds_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'refunds_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    { name: 'refunds_by_reference', properties: ['accountId', 'environment', 'reference', 'createdAt', 'id'] },
    { name: 'refunds_by_charge', properties: ['chargeId', 'createdAt', 'id'] },
    {
      name: 'refunds_waiting',
      expression:
        'create index "refunds_waiting" on "refunds" ("account_id", "environment", ' +
        `(coalesce(next_poll_at, created_at)), "id") where status in ('pending', 'processing')`,
    },
    { name: 'refunds_open', properties: ['createdAt'], where: "status in ('pending', 'processing')" },
  ],
})
/**
 * Money that goes back to a payer: reserved when the refund is created, then paid out or released once the rail has
 * answered.
 */
export class Refund extends schema.class {}
schema.setClass(Refund)
