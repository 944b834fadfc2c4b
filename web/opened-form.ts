import { createHash } from 'node:crypto'
import type { Sent } from './token-site.ts'

// Somebody may have one form open in two tabs, or on a computer and a phone. The older one must not undo what the newer
// one has saved: what was not changed in a form keeps what is stored now.

/** Browsers send each line break of a text as two characters. */
const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim()

/** What tells a text from others. The texts themselves would make a long form twice as long. */
const markOf = (text: string): string => createHash('sha256').update(plain(text)).digest('base64url').slice(0, 11)

/** The value of the input `opened_with` in a form that was opened while these texts were stored. */
export const openedWith = (stored: Record<string, string>): string =>
  new URLSearchParams(Object.entries(stored).map(([name, text]) => [name, markOf(text)])).toString()

/**
 * Reads a form beside the texts that are stored now: `typed` has what was changed in the form, and of all else what is
 * stored. `clashes` are the names of those that were changed to another text elsewhere too.
 */
export function readBeside<Name extends string>({ form, text: sent }: Sent, stored: Record<Name, string>) {
  const opened = new URLSearchParams(form.get('opened_with') ?? openedWith(stored))
  const typed = { ...stored }
  const clashes: Name[] = []
  for (const [name, now] of Object.entries(stored) as [Name, string][]) {
    const before = opened.get(name)
    if (!form.has(name) || markOf(sent(name)) === before) continue
    typed[name] = sent(name)
    const isStale = before !== null && before !== markOf(now)
    if (isStale && plain(typed[name]) !== plain(now)) clashes.push(name)
  }
  return { typed, clashes }
}
