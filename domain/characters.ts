/** The characters of a text as the schema of a field counts them: an emoji is one, although it takes two code units. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
