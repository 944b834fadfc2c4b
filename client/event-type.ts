import { InvalidArgumentError } from 'commander'
import { type EventType, eventTypes } from '../domain/webhook/event.ts'

/** Reads an event type that the user has typed. The error for an unknown one names the nearest, and lists all. */
export function readEventType(text: string): EventType {
  const known = eventTypes.find((type) => type === text)
  if (known) return known
  throw new InvalidArgumentError(`Did you mean ${nearest(text)}? The event types:\n${listed}`)
}

/** Event types separated by commas. */
export const readEventTypes = (text: string): EventType[] => text.split(',').map((part) => readEventType(part.trim()))

export const listed = eventTypes.map((type) => `  ${type}`).join('\n')

const nearest = (text: string): EventType =>
  eventTypes.reduce((best, type) => (distance(text, type) < distance(text, best) ? type : best))

/** The number of letters to insert, delete or change (Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [done, letter] of [...from].entries()) {
    const next = [done + 1]
    for (const [index, other] of [...to].entries()) {
      const changed = (row[index] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
