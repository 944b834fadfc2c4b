import bidiFactory, { type Bidi } from 'bidi-js'

// A line of a document in the order in which it is seen, which bidi-js works out as Unicode says (UAX #9).

// Its types are those of the build for bundlers. In Node the package is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)()

/** Letters of the scripts that are read from the right. A line without them is seen as it is written. */
const fromRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Whether a text has letters that are read from the right. */
export const isFromRight = (text: string): boolean => fromRight.test(text)

/**
 * The parts of a line in the order in which they are seen, from left to right. Each is of one direction, in the order
 * of reading: the font turns the letters of a part that is read from the right. Without that a line that begins in
 * Arabic or Hebrew would be turned as a whole, with its numbers: `25` would be read as `52`.
 */
export function partsInSight(text: string): string[] {
  if (!fromRight.test(text)) return [text]
  const embedding = bidi.getEmbeddingLevels(text)
  const parts: { level: number; from: number; to: number }[] = []
  for (const index of bidi.getReorderedIndices(text, embedding)) {
    const [level = 0, last] = [embedding.levels[index], parts.at(-1)]
    const isNext = last?.level === level && (index === last.to + 1 || index === last.from - 1)
    if (isNext) Object.assign(last, { from: Math.min(last.from, index), to: Math.max(last.to, index) })
    else parts.push({ level, from: index, to: index })
  }
  return parts.map(({ level, from, to }) => {
    const part = text.slice(from, to + 1)
    return level % 2 === 0 ? part : readFromRight(part)
  })
}

/** A part that is read from the right, as it is drawn: the font turns letters, but neither brackets nor signs alone. */
function readFromRight(part: string): string {
  const letters = [...part].map((letter) => bidi.getMirroredCharacter(letter) ?? letter)
  return (fromRight.test(part) ? letters : letters.toReversed()).join('')
}
