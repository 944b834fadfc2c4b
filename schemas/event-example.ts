import { idPrefixes, newId } from '../domain/id.ts'
import type { EventType } from '../domain/webhook/event.ts'
import { iso } from './common.ts'
import { sampleEvent } from './event-sample.ts'

/** When the events of the examples happened. */
const at = Date.UTC(2026, 0, 31, 12)
const randomDigits = 24
const anyId = new RegExp(`\\b(?:${Object.keys(idPrefixes).join('|')})_[0-9a-z]{${randomDigits + 10}}\\b`, 'g')

/** An event as a receiver gets it: the sandbox's sample, with ids and times that are always the same. */
export function exampleEvent(type: EventType): unknown {
  const event = { id: newId('evt', at), type, created_at: iso(new Date(at)), data: sampleEvent(type, at).data }
  const numbered = new Map<string, string>()
  const numberOf = (id: string) => {
    const known =
      numbered.get(id) ?? `${id.slice(0, -randomDigits)}${String(numbered.size + 1).padStart(randomDigits, '0')}`
    numbered.set(id, known)
    return known
  }
  return JSON.parse(JSON.stringify(event).replaceAll(anyId, numberOf))
}
