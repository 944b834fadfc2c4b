// TypeScript's library lacks the third argument, which ECMAScript 2026 has and our Node too.
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown
const keepDigits: Reviver = (_, value, { source }) => (typeof value === 'number' ? source : value)

/** Reads JSON from outside and gives each number as the text that was sent, so that no digit is lost. */
export const parseExactly = (text: string): unknown => parseWith(text, keepDigits)
