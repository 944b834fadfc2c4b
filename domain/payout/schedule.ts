import { dayMs, daysInMonth, hourMs } from '../duration.ts'
import { type Amount, isLess } from '../money.ts'

export const payoutIntervals = ['daily', 'weekly', 'monthly', 'manual'] as const
export type PayoutInterval = (typeof payoutIntervals)[number]

/** The days of the week, in their order. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

/** Why a schedule has stopped by itself (docs/contract/payout.md, "Schedule"). */
export const disabledReasons = [
  'no_default_destination',
  'destination_not_usable',
  'consecutive_failures',
  'account_restricted',
] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** This many failed payouts in a row stop a schedule. */
export const failuresMax = 3

/** When a schedule runs. Only the days of its own interval count; month days beyond a month's last mean its last. */
export type ScheduleTiming = {
  interval: PayoutInterval
  weeklyPayoutDays: readonly Weekday[]
  monthlyPayoutDays: readonly number[]
  anchorHourUtc: number
}

/** The longest gap between two runs, from the last day of one month to that of the next. */
const gapMaxDays = 31

/**
 * The first run after a moment, both in milliseconds since the epoch; null for a schedule that is run by hand. Days and
 * hours are UTC, whose days all last as long.
 */
export function nextRunAt(rhythm: ScheduleTiming, after: number): number | null {
  let at = Math.floor(after / dayMs) * dayMs + rhythm.anchorHourUtc * hourMs
  if (at <= after) at += dayMs
  for (let days = 0; days <= gapMaxDays; days++, at += dayMs) if (isPayoutDay(rhythm, new Date(at))) return at
  return null
}

function isPayoutDay({ interval, weeklyPayoutDays, monthlyPayoutDays }: ScheduleTiming, day: Date): boolean {
  if (interval === 'weekly')
    return weeklyPayoutDays.some((name) => weekdays.indexOf(name) === (day.getUTCDay() + 6) % 7)
  if (interval !== 'monthly') return interval === 'daily'
  const last = daysInMonth(day.getUTCFullYear(), day.getUTCMonth() + 1)
  return monthlyPayoutDays.some((wanted) => Math.min(wanted, last) === day.getUTCDate())
}

/** Whether a run opens a payout: the available amount is above zero and reaches the merchant's minimum. */
export const isWorthRun = (available: Amount, minimum: Amount): boolean =>
  isLess('0', available) && !isLess(available, minimum)
