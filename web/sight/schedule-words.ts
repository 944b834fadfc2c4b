import type { Static } from 'typebox'
import type { PayoutInterval, Weekday } from '../../domain/payout/schedule.ts'
import type { PayoutSchedule } from '../../schemas/payout/schedule.ts'

export const intervalNames: Record<PayoutInterval, string> = {
  manual: 'By hand: nothing is paid out by itself',
  daily: 'Every day',
  weekly: 'On days of the week',
  monthly: 'On days of the month',
}

export const weekdayNames: Record<Weekday, string> = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
}

/** A full hour of the day, such as `09:00`. */
export const hourName = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

type Rhythm = Pick<
  Static<typeof PayoutSchedule>,
  'interval' | 'weekly_payout_days' | 'monthly_payout_days' | 'anchor_hour_utc'
>

/** When a schedule runs, such as `Monday, Thursday, at 09:00 UTC`. */
export function rhythmOf({ interval, weekly_payout_days: weekly, monthly_payout_days: monthly, ...rest }: Rhythm) {
  if (interval === 'manual') return 'By hand'
  const days = {
    daily: 'Every day',
    weekly: weekly.map((day) => weekdayNames[day]).join(', '),
    monthly: `Each month on day ${(monthly ?? []).join(', ')}`,
  }
  return `${days[interval]}, at ${hourName(rest.anchor_hour_utc)} UTC`
}
