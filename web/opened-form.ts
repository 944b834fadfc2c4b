import type { InputErrors } from './form-result.ts'

// Forms that change something which two people may have open at once: only what a person has changed is saved.

/** The texts of a form by the names of its inputs, or of rows by their keys. An empty text is none. */
export type Texts = ReadonlyMap<string, string>

/** Browsers send each line break of a text as two characters, and the API counts characters. */
export const withPlainBreaks = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** What a form changes. */
type Changes = {
  /** What the form shows then: what this person has changed, beside what stands there now. */
  shown: Map<string, string>
  changed: string[]
  /** What somebody else has changed meanwhile, so that it is not saved at once, and its present text. */
  clashes: Map<string, string>
}

/**
 * What a form changes of `current`. `opened` are the texts that it was opened with, and `typed` those that were sent.
 * The form is shown again as one that was opened with `current`, so that a second attempt replaces it. `parts` are the
 * names of the parts of one value, such as an address: those of two people are never mixed.
 */
export function compareTexts(typed: Texts, opened: Texts, current: Texts, parts: readonly string[] = []): Changes {
  const changes: Changes = { shown: new Map(), changed: [], clashes: new Map() }
  const thenOf = (name: string) => withPlainBreaks(opened.get(name) ?? '')
  const isTyped = (name: string) => !isSame(typed.get(name) ?? thenOf(name), thenOf(name))
  const together = parts.some(isTyped) ? parts : []
  for (const name of new Set([...typed.keys(), ...current.keys()])) {
    const then = thenOf(name)
    const now = withPlainBreaks(current.get(name) ?? '')
    const text = typed.get(name) ?? then
    const isChanged = isTyped(name) || together.includes(name)
    changes.shown.set(name, isChanged ? text : (current.get(name) ?? ''))
    if (!isChanged) continue
    changes.changed.push(name)
    if (!isSame(now, then) && !isSame(now, text)) changes.clashes.set(name, now)
  }
  return changes
}

/** Forms send texts without the blanks around them. */
const isSame = (one: string, other: string): boolean => one.trim() === other.trim()

/** Why a text is not saved at once, where somebody else has made another of it. */
export const clashWords = (now: string): string =>
  now === ''
    ? 'Somebody else has cleared this meanwhile. Save again to keep your text.'
    : `Somebody else has changed this meanwhile to “${now}”. Save again to replace it.`

/** The value of the input `opened_with` in a form that shows these texts. */
export const openedWith = (texts: Record<string, string>): string => JSON.stringify(Object.entries(texts))

/** The texts with which a form was opened, of its input of this name; null where it has none that can be read. */
export function openedTexts(form: URLSearchParams, input: string): Map<string, string> | null {
  const read = parsed(form.get(input) ?? '')
  if (!Array.isArray(read) || !read.every(isPairOfTexts)) return null
  return new Map(read)
}

const isPairOfTexts = (pair: unknown): pair is [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((each) => typeof each === 'string')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What a form changes: its texts as they are shown next, the names of those that differ, and why it is not saved. */
export type Edits<Name extends string> = { typed: Record<Name, string>; changed: Name[]; errors: InputErrors }

/**
 * What the inputs of a form change of `current`. Without an input `opened_with`, it was opened with `current`.
 * `namesOf` are the words for texts that are codes, and `parts` the names of the parts of one value.
 */
export function editsOf<Name extends string>(
  form: URLSearchParams,
  typed: Record<Name, string>,
  current: Record<Name, string>,
  namesOf: Partial<Record<string, (text: string) => string>> = {},
  parts: readonly NoInfer<Name>[] = [],
): Edits<Name> {
  const now = new Map<string, string>(Object.entries(current))
  const opened = openedTexts(form, 'opened_with') ?? now
  const { shown, changed, clashes } = compareTexts(new Map(Object.entries<string>(typed)), opened, now, parts)
  return {
    typed: Object.fromEntries(shown) as Record<Name, string>,
    changed: changed as Name[],
    errors: Object.fromEntries([...clashes].map(([name, text]) => [name, clashWords(namesOf[name]?.(text) ?? text)])),
  }
}
