import Type, { type Static } from 'typebox'
import type { PayoutSchedule as PayoutScheduleRow } from '../../db/payout/schedule.ts'
import { format } from '../../domain/money.ts'
import { disabledReasons, payoutIntervals, weekdays } from '../../domain/payout/schedule.ts'
import { CurrencyCode, id, isoOrNull, Money, nullable, Timestamp } from '../common.ts'

export const PayoutInterval = Type.Enum([...payoutIntervals])
export const Weekday = Type.Enum([...weekdays])
export const MonthDay = Type.Integer({ minimum: 1, maximum: 31 })
export const Hour = Type.Integer({ minimum: 0, maximum: 23 })

export const PayoutSchedule = Type.Object(
  {
    currency: CurrencyCode,
    payout_currency: CurrencyCode,
    interval: PayoutInterval,
    weekly_payout_days: Type.Array(Weekday),
    monthly_payout_days: nullable(Type.Array(MonthDay)),
    anchor_hour_utc: Hour,
    minimum_amount: Money,
    next_run_at: nullable(Timestamp),
    last_run_at: nullable(Timestamp),
    last_withdrawal_id: nullable(id('pay')),
    disabled_reason: nullable(Type.Enum([...disabledReasons])),
  },
  { $id: 'PayoutSchedule' },
)

/** The schedules of an account, by the currency of the balance. A currency without a schedule is absent. */
export const BalanceSettings = Type.Object(
  { schedule_by_currency: Type.Record(Type.String(), PayoutSchedule) },
  { $id: 'BalanceSettings' },
)

export const presentBalanceSettings = (rows: PayoutScheduleRow[]): Static<typeof BalanceSettings> => ({
  schedule_by_currency: Object.fromEntries(rows.map((row) => [row.currency, presentPayoutSchedule(row)])),
})

function presentPayoutSchedule(row: PayoutScheduleRow): Static<typeof PayoutSchedule> {
  return {
    currency: row.currency,
    // A schedule converts no money: a balance is paid out in its own currency.
    payout_currency: row.currency,
    interval: row.interval,
    weekly_payout_days: row.weeklyPayoutDays,
    monthly_payout_days: row.interval === 'monthly' ? row.monthlyPayoutDays : null,
    anchor_hour_utc: row.anchorHourUtc,
    minimum_amount: format(row.minimumAmount, row.currency),
    next_run_at: isoOrNull(row.nextRunAt),
    last_run_at: isoOrNull(row.lastRunAt),
    last_withdrawal_id: row.lastWithdrawalId,
    disabled_reason: row.disabledReason,
  }
}
