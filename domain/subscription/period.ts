import type { Interval, Recurrence } from '../catalogue/product.ts'
import { addDuration, addMonths, dayMs } from '../duration.ts'

/** How often a subscription renews itself: every `interval_count` intervals. */
export type Rhythm = Pick<Recurrence, 'interval' | 'interval_count'>

/** A time that is paid for, from `start` on and before `end`, both in milliseconds since the epoch. */
export type Period = { start: number; end: number }

const units: Record<Interval, string> = { day: 'D', week: 'W', month: 'M', year: 'Y' }

/**
 * The boundary with this number of the periods that begin at `anchor`, which is number 0. Each is counted from the
 * anchor and not from the one before: a subscription of the 31st renews on the last day of February, and then on 31
 * March again.
 */
export function boundaryAt(anchor: number, { interval, interval_count: count }: Rhythm, index: number): number {
  const at = addDuration(anchor, `P${index * count}${units[interval]}`)
  if (at === null) throw new Error(`no boundary ${index} of every ${count} ${interval}`)
  return at
}

/** The period with this number; number 0 begins at the anchor. */
export const periodAt = (anchor: number, rhythm: Rhythm, index: number): Period => ({
  start: boundaryAt(anchor, rhythm, index),
  end: boundaryAt(anchor, rhythm, index + 1),
})

/** No interval of the calendar is shorter, in milliseconds. */
const shortest: Record<Interval, number> = {
  day: dayMs,
  week: 7 * dayMs,
  month: 28 * dayMs,
  year: 365 * dayMs,
}

/** The number of the period to which a moment belongs. A boundary belongs to the period that begins at it. */
export function periodIndexOf(anchor: number, rhythm: Rhythm, at: number): number {
  if (at < anchor) throw new Error('the moment is before the first period')
  // As many periods at most have passed; some fewer if the calendar's intervals were longer.
  let index = Math.floor((at - anchor) / (shortest[rhythm.interval] * rhythm.interval_count))
  while (boundaryAt(anchor, rhythm, index) > at) index--
  return index
}

const monthsIn: Record<Interval, number> = { day: 0, week: 0, month: 1, year: 12 }

/**
 * Whether a period is one of a rhythm, whatever its anchor was. Where a month has no such day, the calendar cuts a
 * boundary: from 28 February to 31 March is a month by its end, and from 31 January to 28 February by its start.
 */
export const isPeriodOf = ({ start, end }: Period, rhythm: Rhythm): boolean =>
  boundaryAt(start, rhythm, 1) === end || addMonths(end, -monthsIn[rhythm.interval] * rhythm.interval_count) === start
