/** What is made of each value that was read. `source` is the text of a number, exactly as it was sent. */
export type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/** `JSON.parse` with each number's source: ECMAScript 2026 has it, and our Node; TypeScript's library lacks it. */
export const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown

const keepDigits: Reviver = (_, value, { source }) => (typeof value === 'number' ? source : value)

/** Reads JSON from outside and gives each number as the text that was sent, so that no digit is lost. */
export const parseExactly = (text: string): unknown => parseWith(text, keepDigits)

/** The same, and null for a text that is no JSON. */
export function parseOrNull(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return null
  }
}

// Like the source of a number, TypeScript's library lacks it.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * A decimal number as a value for `JSON.stringify`, which writes it with all its digits: a float might lose some of
 * them. Zeros before the number are left out, as JSON allows none. Throws a SyntaxError if the text is no number.
 */
export const exactNumber = (digits: string): unknown => rawJSON(digits.replace(/^0+(?=\d)/, ''))
