/** The characters of a text as the schema of a field counts them: an emoji is one, although it takes two code units. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The beginning of a text, in code units. A character that would be cut in half is left out: it cannot be stored. */
export const cutText = (text: string, lengthMax: number): string =>
  text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '')
