import { defineEntity, p } from '@mikro-orm/core'
import { disabledReasons, failuresMax, payoutIntervals, type Weekday } from '../../domain/payout/schedule.ts'
import { currencyCode, moment, money, onClock, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'PayoutSchedule',
  tableName: 'payout_schedules',
  properties: {
    // Account, environment and currency in one text, which is also part of the process's id.
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    currency: currencyCode(),
    interval: p.enum(payoutIntervals),
    weeklyPayoutDays: p.array().$type<Weekday[]>(),
    monthlyPayoutDays: p.array(Number, String).columnType('smallint[]'),
    anchorHourUtc: p.smallint().check('anchor_hour_utc >= 0 and anchor_hour_utc <= 23'),
    minimumAmount: money().check("minimum_amount >= 0 and minimum_amount <> 'NaN'"),
    // Null while nothing is scheduled: the schedule is run by hand, or was stopped.
    nextRunAt: moment().strictNullable(),
    lastRunAt: moment().strictNullable(),
    // The last payout that it has opened. While that one is under way, the schedule opens no other.
    lastWithdrawalId: p.string().strictNullable(),
    disabledReason: p.enum(disabledReasons).strictNullable(),
    // How many of its payouts in a row have not arrived.
    consecutiveFailures: p
      .smallint()
      .default(0)
      .check(`consecutive_failures >= 0 and consecutive_failures <= ${failuresMax}`),
    createdAt: moment(),
    updatedAt: moment(),
  },
  indexes: [
    { name: 'payout_schedules_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    { name: 'payout_schedules_planned', properties: ['nextRunAt'], where: 'next_run_at is not null' },
  ],
  checks: [
    { name: 'payout_schedules_id', expression: "id = account_id || '/' || environment || '/' || currency" },
    {
      name: 'payout_schedules_are_planned',
      expression: "(next_run_at is null) = (interval = 'manual' or disabled_reason is not null)",
    },
    {
      name: 'payout_schedules_have_the_days_of_their_interval',
      expression: `(cardinality(weekly_payout_days) > 0) = (interval = 'weekly')
        and (cardinality(monthly_payout_days) > 0) = (interval = 'monthly')`.replaceAll(/\s+/g, ' '),
    },
  ],
})
/** When an account's balance of one currency is paid out automatically. */
export class PayoutSchedule extends schema.class {}
schema.setClass(PayoutSchedule)

/** What a merchant decides about a schedule. */
export type ScheduleTerms = Pick<
  PayoutSchedule,
  'interval' | 'weeklyPayoutDays' | 'monthlyPayoutDays' | 'anchorHourUtc' | 'minimumAmount'
>
