import { defineEntity, p } from '@mikro-orm/core'
import { conversionStatuses } from '../../domain/balance/conversion.ts'
import { currencyCode, moment, money, onClock, polled, holdable, tenant } from '../core/columns.ts'
import { simulatedOutcomes } from '../../domain/simulation.ts'

const schema = defineEntity({
  name: 'Conversion',
  tableName: 'conversions',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    quoteId: p.string().unique(),
    reference: p.string().length(128).strictNullable(),
    status: p.enum(conversionStatuses).default('pending'),
    // The amounts of the quote: all that is debited, fee included, and what is credited for it.
    fromAmount: money().check("from_amount > 0 and from_amount <> 'NaN'"),
    fromCurrency: currencyCode(),
    toAmount: money().check("to_amount > 0 and to_amount <> 'NaN'"),
    toCurrency: currencyCode(),
    rate: money().check("rate > 0 and rate <> 'NaN'"),
    fee: money().check("fee >= 0 and fee <> 'NaN'"),
    failureReason: p.string().length(500).strictNullable(),
    simulatedOutcome: p.enum(simulatedOutcomes).strictNullable(),
    ...polled,
    ...holdable,
    metadata: p.json<Record<string, string>>(),
    createdAt: moment(),
    updatedAt: moment(),
    completedAt: moment().strictNullable(),
  },
  checks: [
    { name: 'conversions_complete_at_a_time', expression: "(completed_at is not null) = (status = 'completed')" },
    { name: 'conversions_say_why_they_failed', expression: "(failure_reason is not null) = (status = 'failed')" },
  ],
  indexes: [
    { name: 'conversions_on_hold', properties: ['accountId', 'environment', 'id'], where: 'on_hold_since is not null' },
    { name: 'conversions_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'conversions_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    { name: 'conversions_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    { name: 'conversions_by_reference', properties: ['accountId', 'environment', 'reference', 'createdAt'] },
    {
      name: 'conversions_waiting',
      expression:
        'create index "conversions_waiting" on "conversions" ("account_id", "environment", ' +
        `(coalesce(next_poll_at, created_at)), "id") where status in ('pending', 'processing')`,
    },
    { name: 'conversions_open', properties: ['createdAt'], where: "status in ('pending', 'processing')" },
  ],
})
/** Money of one currency that is exchanged for another: reserved when the conversion is opened, exchanged by a rail. */
export class Conversion extends schema.class {}
schema.setClass(Conversion)
