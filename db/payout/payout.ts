import { defineEntity, p } from '@mikro-orm/core'
import { payoutStatuses } from '../../domain/payout/payout.ts'
import { destinationTypes, type PayoutCurrency } from '../../domain/payout/destination.ts'
import { currencyCode, moment, money, onClock, polled, holdable, announced, tenant } from '../core/columns.ts'
import { simulatedOutcomes } from '../../domain/simulation.ts'

const schema = defineEntity({
  name: 'Payout',
  tableName: 'payouts',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    destinationId: p.string().index('payouts_by_destination'),
    // The kind of rail, and the statement of the destination (its `routingRevision`) on which the fee and the last
    // review are based: no other statement is ever sent. Null only in rows from before 2026-11-23 that ended unsent.
    destinationType: p.enum(destinationTypes),
    destinationRevision: p.integer().strictNullable(),
    // How often it was held again because its destination was restated. The review of each hold has this number plus
    // one.
    heldAgain: p.integer().default(0),
    status: p.enum(payoutStatuses).default('requested'),
    // What arrives, in the destination's currency.
    amount: money().check("amount > 0 and amount <> 'NaN'"),
    currency: p.string().$type<PayoutCurrency>().length(10),
    // What is debited from the balance for it, and the fee on top; both in the balance's currency.
    sourceAmount: money().check("source_amount > 0 and source_amount <> 'NaN'"),
    sourceCurrency: currencyCode(),
    fee: money().check("fee >= 0 and fee <> 'NaN'"),
    // The part of the source amount that is the fee of the exchange.
    quoteFee: money().check("quote_fee >= 0 and quote_fee <> 'NaN'"),
    // The schedule that has opened it; null where it was created by a call.
    scheduleId: p.string().strictNullable(),
    quoteId: p.string().strictNullable().unique(),
    reference: p.string().length(128).strictNullable(),
    description: p.string().length(500).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    simulatedOutcome: p.enum(simulatedOutcomes).strictNullable(),
    // Why it is held for a reviewer, and why it has failed.
    holdReason: p.string().length(500).strictNullable(),
    failureReason: p.string().length(500).strictNullable(),
    // The rail's own id for it.
    traceId: p.string().length(128).strictNullable(),
    ...polled,
    ...holdable,
    ...announced,
    submittedAt: moment().strictNullable(),
    returnedAt: moment().strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
    completedAt: moment().strictNullable(),
  },
  checks: [
    { name: 'payouts_complete_at_a_time', expression: "(completed_at is not null) = (status = 'completed')" },
    {
      name: 'payouts_say_why_they_failed',
      expression: "(failure_reason is not null) = (status in ('failed', 'rejected'))",
    },
    { name: 'payouts_quote_fee_is_a_part', expression: 'quote_fee < source_amount' },
    {
      name: 'payouts_are_sent_somewhere',
      expression: 'submitted_at is null or destination_revision is not null',
    },
    { name: 'payouts_return_once_completed', expression: "returned_at is null or status = 'completed'" },
  ],
  uniques: [
    {
      name: 'payouts_one_open_per_schedule',
      properties: ['scheduleId'],
      where: "status in ('requested', 'pending', 'approved', 'processing')",
    },
  ],
  indexes: [
    { name: 'payouts_awaiting_news', properties: ['newsDueAt'], where: 'news_due_at is not null' },
    { name: 'payouts_on_hold', properties: ['accountId', 'environment', 'id'], where: 'on_hold_since is not null' },
    { name: 'payouts_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'payouts_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] },
    {
      name: 'payouts_by_reference',
      properties: ['accountId', 'environment', 'reference', 'createdAt', 'id'],
      where: 'reference is not null',
    },
    { name: 'payouts_by_status', properties: ['accountId', 'environment', 'status', 'createdAt', 'id'] },
    {
      name: 'payouts_waiting',
      expression:
        'create index "payouts_waiting" on "payouts" ("account_id", "environment", ' +
        `(coalesce(next_poll_at, created_at)), "id") where status in ('requested', 'approved', 'processing')`,
    },
    { name: 'payouts_unfinished', properties: ['submittedAt'], where: "status = 'processing'" },
    {
      name: 'payouts_open',
      properties: ['createdAt'],
      where: "status in ('requested', 'pending', 'approved', 'processing')",
    },
  ],
})
/**
 * Money that is sent to an account's own destination: reserved when the payout is created, then paid out or released.
 */
export class Payout extends schema.class {}
schema.setClass(Payout)
