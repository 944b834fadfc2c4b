import { createHash } from 'node:crypto'
import type { Sent } from '../token-site.ts'
import type { InputErrors } from '../words.ts'
import type { Field } from './onboarding-field.ts'

// A seller may have the form of a step open in two tabs, or on a computer and a phone. The older one must not undo what
// the newer one has saved.

/** What tells a text from others. The texts themselves would make a long form twice as long. */
const markOf = (text: string): string => createHash('sha256').update(plain(text)).digest('base64url').slice(0, 11)

/** Browsers send each line break of a text as two characters. */
const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim()

/** The value of the input `opened_with` in a form that was opened while these values were stored. */
export const openedWith = (stored: Record<string, string>): string =>
  new URLSearchParams(Object.entries(stored).map(([name, text]) => [name, markOf(text)])).toString()

/** `text` is what is stored of a field and `typed` what the form shows again; `errors` says what is not saved. */
type Edits = { text: (name: string) => string; typed: Record<string, string>; errors: InputErrors }

/**
 * Reads a form beside what is stored now. A field that was not changed in this form keeps what is stored. One that was
 * changed here and elsewhere is not saved; the form is shown as opened anew, so that a second attempt replaces it.
 */
export function editsIn(fields: readonly Field[], { form, text: sent }: Sent, stored: Record<string, string>): Edits {
  const opened = new URLSearchParams(form.get('opened_with') ?? openedWith(stored))
  const typed: Record<string, string> = {}
  const errors: InputErrors = {}
  for (const [name, now] of Object.entries(stored)) {
    const isChanged = form.has(name) && markOf(sent(name)) !== opened.get(name)
    typed[name] = isChanged ? sent(name) : now
    const isStale = isChanged && opened.has(name) && opened.get(name) !== markOf(now)
    if (isStale && plain(sent(name)) !== plain(now)) errors[name] = clashWords(wordsOf(fields, name, now))
  }
  return { text: (name) => (errors[name] ? stored[name] : typed[name]) ?? sent(name), typed, errors }
}

const wordsOf = (fields: readonly Field[], name: string, value: string): string =>
  fields.find((field) => field.name === name)?.options?.find(({ code }) => code === value)?.name ?? value

const clashWords = (now: string): string =>
  now === ''
    ? 'This was cleared in another tab meanwhile. Save again to keep what you have typed.'
    : `This was changed in another tab to “${now}” meanwhile. Save again to replace it.`
