import type { Refused } from '../api.ts'

// What the API says of a form, where a page has no better words: as sentences for people.

/** A text of the API as a sentence. */
export const sentenceOf = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** What the API says of the refusal as a whole. */
export const saidOf = ({ detail }: Refused): string => sentenceOf(detail ?? 'this is not possible')

/** What the API says of one field, which people know by this name, such as `The amount`. */
export function saidOfField({ errors }: Refused, field: string, name: string): string {
  const message = errors.find((each) => each.field === field)?.message ?? 'is not valid'
  return sentenceOf(/^[a-z]/.test(message) ? `${name} ${message}` : message)
}
