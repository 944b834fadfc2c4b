import { dayMs, hourMs, minuteMs } from '../../domain/duration.ts'

/** The end of an account number, phone number or wallet address, as staff see it. */
export const endingIn = (lastFour: string | null): string | null => (lastFour ? `•••• ${lastFour}` : null)

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A span of time in its largest unit, such as `3 days`. */
export function spanWords(ms: number): string {
  if (ms < hourMs) return many(Math.max(1, Math.floor(ms / minuteMs)), 'minute')
  return ms < 2 * dayMs ? many(Math.floor(ms / hourMs), 'hour') : many(Math.floor(ms / dayMs), 'day')
}
