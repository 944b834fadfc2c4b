import type { Face } from './face.ts'

// Marks that turn the direction of what follows: a name could use them to change how an amount beside it reads.
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

// They ask for another shape of the letter before them. Our fonts have one of each, and would draw a box for them.
const selectors = /\p{Variation_Selector}/gu

/** A text that can be drawn on one line: without line breaks, tabs, selectors and marks that turn the direction. */
export const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(turning, '')
    .replaceAll(selectors, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** Breaks a text into lines of this width, in points: between words, and inside a word that is wider than a line. */
export function wrap(text: string, face: Face, size: number, width: number): string[] {
  const fits = (line: string) => face.widthOf(line, size) <= width
  const lines: string[] = []
  let line = ''
  for (const word of oneLine(text).split(' ')) {
    if (word === '') continue
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = fits(word) ? [word] : breakWord(word, (letter) => face.widthOf(letter, size), width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** The pieces of a word, each as long as fits. Only letters are measured: a long word would take too long otherwise. */
function breakWord(word: string, widthOf: (letter: string) => number, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let taken = 0
  for (const letter of word) {
    const own = widthOf(letter)
    if (piece !== '' && taken + own > width) {
      pieces.push(piece)
      piece = ''
      taken = 0
    }
    piece += letter
    taken += own
  }
  return [...pieces, piece]
}

const maxLines = 6

/** The lines of a text, at most six; the last one says that more was left out. */
export function wrapShort(text: string, face: Face, size: number, width: number): string[] {
  const lines = wrap(text, face, size, width)
  if (lines.length <= maxLines) return lines
  const [last = '', ...before] = lines.slice(0, maxLines).toReversed()
  return [...before.toReversed(), `${[...last].slice(0, -2).join('')}…`]
}
