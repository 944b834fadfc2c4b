// Lengths of time in milliseconds. A day is 24 hours: all days are those of UTC.
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

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
  const start = new Date(at)
  const month = start.getUTCMonth() + (years ?? 0) * 12 + (months ?? 0)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const moved = new Date(at)
  moved.setUTCFullYear(start.getUTCFullYear(), month, Math.min(start.getUTCDate(), lastDay))
  const span = ((weeks ?? 0) * 7 + (days ?? 0)) * dayMs + (hours ?? 0) * hourMs + (minutes ?? 0) * minuteMs
  const end = moved.getTime() + span + (seconds ?? 0) * 1_000
  return Number.isNaN(new Date(end).getTime()) ? null : end
}
