import { compareTexts, openedTexts, withPlainBreaks } from '../opened-form.ts'
import type { Sent } from '../token-site.ts'
import type { InputErrors } from '../form-result.ts'
import { type Field, isOfAddress } from './onboarding-field.ts'

/** `text` is what is to be stored of a field and `typed` what the form shows again; `errors` says what is not saved. */
type Edits = { text: (name: string) => string; typed: Record<string, string>; errors: InputErrors }

/**
 * Reads a form beside what is stored now. A field that was not changed in this form keeps what is stored. One that was
 * changed here and elsewhere is not saved; the form is shown again with what is stored now, so a second attempt
 * replaces it. An address is one value: of one that was changed here and elsewhere no part is saved.
 */
export function editsIn(fields: readonly Field[], { form, text: sent }: Sent, stored: Record<string, string>): Edits {
  const now = new Map(Object.entries(stored))
  const names = [...now.keys()].filter((name) => form.has(name))
  const texts = new Map(names.map((name) => [name, withPlainBreaks(sent(name))]))
  const parts = fields.filter(({ path }) => isOfAddress(path)).map(({ name }) => name)
  const { shown, clashes } = compareTexts(texts, openedTexts(form, 'opened_with') ?? now, now, parts)
  const kept = parts.some((name) => clashes.has(name)) ? [...clashes.keys(), ...parts] : [...clashes.keys()]
  const words = [...clashes].map(([name, text]) => [name, clashWords(wordsOf(fields, name, text))])
  const text = (name: string) => (kept.includes(name) ? now.get(name) : shown.get(name)) ?? sent(name)
  return { text, typed: Object.fromEntries(shown), errors: Object.fromEntries(words) }
}

/**
 * A box of a form, such as that of a role of a person, and whether it is chosen in what is stored. `field` is the name
 * of the input that only counts where the box is chosen, such as the share of an owner.
 */
export type Box = { name: string; isChosen: boolean; field?: string }

/** The texts by which `opened_with` tells which boxes were chosen when a form was opened. */
export const boxTexts = (boxes: readonly Box[]): Record<string, string> =>
  Object.fromEntries(boxes.map(({ name, isChosen }) => [name, isChosen ? '1' : '']))

/**
 * Gives each box that was not changed in a form the state that is stored now. Who takes a box off cannot mean to keep
 * what counts only with it: its field is emptied.
 */
export function keepUnchangedBoxes({ form }: Sent, stored: readonly Box[]): void {
  const opened = openedTexts(form, 'opened_with')
  for (const { name, isChosen, field } of stored) {
    const isUnchanged = opened?.has(name) && form.has(name) === (opened.get(name) === '1')
    if (isUnchanged && isChosen) form.set(name, '1')
    else if (isUnchanged) form.delete(name)
    else if (field !== undefined && isChosen && !form.has(name)) form.set(field, '')
  }
}

const wordsOf = (fields: readonly Field[], name: string, value: string): string =>
  fields.find((field) => field.name === name)?.options?.find(({ code }) => code === value)?.name ?? value

const clashWords = (now: string): string =>
  now === ''
    ? 'This was cleared in another tab meanwhile. Save again to keep what you have typed.'
    : `This was changed in another tab to “${now}” meanwhile. Save again to replace it.`
