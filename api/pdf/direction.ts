// The order in which the letters of a line are seen: the Unicode Bidirectional Algorithm (UAX #9), without the marks
// that turn a direction, as `oneLine` has removed them.

type Direction = 'left' | 'right' | 'number' | 'neutral'

const fromRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const isLetter = /\p{L}/u
const isMark = /\p{M}/u
const isNumber = /\p{N}/u
/** What belongs to the number before and after it, such as the point in `2.50`, and to one of both, such as `%`. */
const separates = /^[.,:/+\u2212-]$/u
const accompanies = /^[\p{Sc}%#°]$/u

const mirrored = new Map([...'()[]{}<>«»‹›'].map((mark, index, all) => [mark, all[index ^ 1] ?? mark]))

/**
 * The parts of a line in the order in which they are seen, from left to right. Each is of one direction, in the order
 * of reading: the font turns the letters of a part that is read from the right. Without that a line that begins in
 * Arabic or Hebrew would be turned as a whole, with its numbers: `25` would be read as `52`.
 */
export function partsInSight(text: string): string[] {
  if (!fromRight.test(text)) return [text]
  const letters = [...text]
  const kinds = numbersJoined(letters, letters.map(directionOf))
  const base = kinds.find((kind) => kind === 'left' || kind === 'right') === 'right' ? 1 : 0
  const levels = levelsOf(neutralsResolved(numbersResolved(kinds, base), base), base)
  const parts: { text: string; level: number }[] = []
  for (const [index, letter] of letters.entries()) {
    const [level = 0, last] = [levels[index], parts.at(-1)]
    if (last?.level === level) last.text += letter
    else parts.push({ text: letter, level })
  }
  return turned(parts).map(({ text: part, level }) => (level === 1 ? readFromRight(part) : part))
}

function directionOf(letter: string, index: number, letters: readonly string[]): Direction {
  if (isMark.test(letter) && index > 0) return directionOf(letters[index - 1] ?? '', index - 1, letters)
  if (isNumber.test(letter)) return 'number'
  if (fromRight.test(letter)) return 'right'
  return isLetter.test(letter) ? 'left' : 'neutral'
}

/** Signs that belong to a number are a part of it. */
function numbersJoined(letters: readonly string[], kinds: readonly Direction[]): Direction[] {
  return kinds.map((kind, index) => {
    const [before, after] = [kinds[index - 1] === 'number', kinds[index + 1] === 'number']
    const letter = letters[index] ?? ''
    const isPart = (separates.test(letter) && before && after) || (accompanies.test(letter) && (before || after))
    return kind === 'neutral' && isPart ? 'number' : kind
  })
}

/** A number after letters that are read from the left goes with them. */
function numbersResolved(kinds: readonly Direction[], base: number): Direction[] {
  let before: Direction = base === 0 ? 'left' : 'right'
  return kinds.map((kind) => {
    if (kind === 'left' || kind === 'right') before = kind
    return kind === 'number' && before === 'left' ? 'left' : kind
  })
}

/** What has no direction has that of both its neighbours, else that of the line. */
function neutralsResolved(kinds: readonly Direction[], base: number): Direction[] {
  const line: Direction = base === 0 ? 'left' : 'right'
  const sideOf = (kind: Direction | undefined) => (kind === undefined ? line : kind === 'left' ? 'left' : 'right')
  return kinds.map((kind, index) => {
    if (kind !== 'neutral') return kind
    const before = sideOf(kinds.slice(0, index).findLast((each) => each !== 'neutral'))
    const after = sideOf(kinds.slice(index).find((each) => each !== 'neutral'))
    return before === after ? before : line
  })
}

/** How often a letter is turned: an odd number is read from the right. */
const levelsOf = (kinds: readonly Direction[], base: number): number[] =>
  kinds.map((kind) => (kind === 'right' ? 1 : kind === 'left' && base === 0 ? 0 : 2))

/** Turns the order of parts that stand in a text that is read from the right, and of that text in its line. */
function turned<T extends { level: number }>(parts: readonly T[]): T[] {
  let order = [...parts]
  for (const least of [2, 1]) {
    const next: T[] = []
    for (let index = 0; index < order.length;) {
      let end = index
      while (end < order.length && (order[end]?.level ?? 0) >= least) end += 1
      next.push(...order.slice(index, end).toReversed())
      if (end < order.length) next.push(...order.slice(end, (end += 1)))
      index = end
    }
    order = next
  }
  return order
}

/** A part that is read from the right, as it is drawn: the font turns letters, but neither brackets nor signs alone. */
function readFromRight(part: string): string {
  const letters = [...part].map((letter) => mirrored.get(letter) ?? letter)
  return (fromRight.test(part) ? letters : letters.toReversed()).join('')
}
