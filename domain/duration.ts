// Lengths of time in milliseconds. A day is 24 hours: all days are those of UTC.
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The days of a month of a year; the month counts from 1. */
export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Whether a text is a day of the calendar, as `YYYY-MM-DD`, in the years from 1000 to 2999. */
export function isDay(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^([12]\d{3})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

const form = /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** The pattern of a duration in a request: ISO 8601, in whole numbers. */
export const durationPattern = form.source

/**
 * A moment that is later by a duration of ISO 8601, such as `P1M` or `PT72H`, in milliseconds since the epoch; null for
 * a text that is no duration, and for a moment that is later than any date. Years and months are those of the calendar
 * in UTC: a day that the month does not have is its last day.
 */
export function addDuration(at: number, duration: string): number | null {
  const found = form.exec(duration)
  if (!found) return null
  const [years, months, weeks, days, hours, minutes, seconds] = found.slice(1).map((text) => Number(text ?? 0))
  const span = ((weeks ?? 0) * 7 + (days ?? 0)) * dayMs + (hours ?? 0) * hourMs + (minutes ?? 0) * minuteMs
  const end = addMonths(at, (years ?? 0) * 12 + (months ?? 0)) + span + (seconds ?? 0) * 1_000
  return Number.isNaN(new Date(end).getTime()) ? null : end
}

/**
 * A moment moved on by months of the calendar in UTC, or back by a number below zero; in milliseconds since the epoch,
 * NaN where it is beyond any date. A day that the month does not have is its last day.
 */
export function addMonths(at: number, count: number): number {
  const start = new Date(at)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + count]
  return new Date(at).setUTCFullYear(year, month, Math.min(start.getUTCDate(), daysInMonth(year, month + 1)))
}
