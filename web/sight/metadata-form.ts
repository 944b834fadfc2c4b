import { metadataKeysMax } from '../../domain/metadata.ts'
import type { InputErrors } from '../form-result.ts'
import { typedText } from '../form.ts'
import type { FieldWords } from './board-form.ts'
import { clashWords, compareTexts, openedTexts, openedWith, withPlainBreaks } from '../opened-form.ts'

// The rows of a form in which people write metadata: a key and its value. The API merges what is sent, so a form sends
// only what it changes, and an empty value removes its key.

export type Metadata = Record<string, string>

type Row = { key: string; value: string }

/** The data of `dashboard/metadata-form`. */
export type MetadataForm = {
  /** The keys that are there, each with an input for its value. */
  rows: (Row & { name: string })[]
  /** Rows for new keys. */
  added: (Row & { keyName: string; valueName: string })[]
  /** What the form was opened with, for its input `metadata_opened`. */
  opened: string
  isOpen: boolean
}

/** What a form does to metadata: what is sent of it, what the form shows then, and where the API's errors belong. */
export type MetadataEdits = { sent: Metadata; form: MetadataForm; errors: InputErrors; words: FieldWords }

const addedShown = 3
/** A form may have more rows for new keys than are shown first: those of keys that somebody else has removed. */
const addedMax = 15

const nameOfRow = (index: number): string => `metadata_${index}`
const namesOfAdded = (index: number) => ({ keyName: `metadata_key_${index}`, valueName: `metadata_value_${index}` })

/** The rows for metadata that nobody has changed yet. */
export const metadataForm = (current: Metadata): MetadataForm => formOf(current, new Map(Object.entries(current)), [])

function formOf(current: Metadata, shown: ReadonlyMap<string, string>, added: Row[]): MetadataForm {
  const rows = Object.keys(current).map((key, index) => ({ key, value: shown.get(key) ?? '', name: nameOfRow(index) }))
  const count = Math.max(addedShown, added.length)
  return {
    rows,
    added: Array.from({ length: count }, (_, index) => ({
      ...(added[index] ?? { key: '', value: '' }),
      ...namesOfAdded(index),
    })),
    opened: openedWith(current),
    isOpen: rows.length > 0 || added.length > 0,
  }
}

/** What a form changes of the metadata `current`. */
export function metadataIn(form: URLSearchParams, current: Metadata): MetadataEdits {
  const opened = openedTexts(form, 'metadata_opened') ?? new Map<string, string>()
  const typed = new Map([...opened].map(([key, value], index) => [key, textIn(form, nameOfRow(index)) ?? value]))
  const added = addedIn(form)
  const unfit = added.filter((row) => errorOf(row, added, opened) !== null)
  for (const { key, value } of added.filter((row) => !unfit.includes(row))) typed.set(key, value)
  const { shown, changed, clashes } = compareTexts(typed, opened, new Map(Object.entries(current)))
  const isKnown = (key: string) => Object.hasOwn(current, key)
  const rest = changed.filter((key) => !isKnown(key) && shown.get(key) !== '')
  const rows = [...rest.map((key) => ({ key, value: shown.get(key) ?? '' })), ...unfit]
  const next = formOf(current, shown, rows)
  const inputOf = new Map([
    ...next.rows.map(({ key, name }) => [key, name] as const),
    ...rest.map((key, index) => [key, namesOfAdded(index).valueName] as const),
  ])
  const errors: InputErrors = {}
  for (const [key, text] of clashes) errors[inputOf.get(key) ?? ''] = clashWords(text)
  unfit.forEach((row, index) => {
    const names = namesOfAdded(rest.length + index)
    const [part, words] = errorOf(row, added, opened) ?? ['key', '']
    errors[part === 'key' ? names.keyName : names.valueName] = words
  })
  return {
    sent: Object.fromEntries(changed.map((key) => [key, shown.get(key) ?? ''])),
    form: { ...next, isOpen: next.isOpen || Object.keys(errors).length > 0 },
    errors,
    words: wordsOf(changed, inputOf),
  }
}

const textIn = (form: URLSearchParams, name: string): string | null => {
  const text = form.get(name)
  return text === null ? null : withPlainBreaks(text)
}

/** The rows for new keys of which anything is filled in. */
const addedIn = (form: URLSearchParams): Row[] =>
  Array.from({ length: addedMax }, (_, index) => namesOfAdded(index))
    .map(({ keyName, valueName }) => ({ key: typedText(form, keyName), value: textIn(form, valueName) ?? '' }))
    .filter(({ key, value }) => key !== '' || value.trim() !== '')

/** What is wrong with a row for a new key, and with which part of it. */
function errorOf(row: Row, all: Row[], opened: ReadonlyMap<string, string>): ['key' | 'value', string] | null {
  const { key, value } = row
  if (key === '') return ['key', 'Enter a key for this value, or clear both.']
  if (opened.has(key)) return ['key', 'This key is above already. Change its value there.']
  if (all.find((each) => each.key === key) !== row) return ['key', 'This key is there twice.']
  return value === '' ? ['value', 'Enter a value for this key, or clear both.'] : null
}

/** The words of the API's errors, and the inputs that they belong to. */
function wordsOf(changed: string[], inputOf: ReadonlyMap<string, string>): FieldWords {
  const ofKeys = changed.map((key) => {
    const words = 'A key has at most 40 characters and its value at most 500.'
    return [`metadata.${key}`, [inputOf.get(key) ?? '', words] as const] as const
  })
  const first = inputOf.get(changed[0] ?? '') ?? namesOfAdded(0).keyName
  const tooMany = `There are at most ${metadataKeysMax} keys. Each has at most 40 characters and its value at most 500.`
  return Object.fromEntries([...ofKeys, ['metadata', [first, tooMany] as const]])
}
