import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { PDFDocument, PDFFont } from 'pdf-lib'
import { isFromRight } from './direction.ts'
import { spareFont } from './spare-font.ts'

const require = createRequire(import.meta.url)
const files = {
  regular: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')),
  bold: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
}

/** A part of a text whose letters are all in one font. */
export type Run = { text: string; font: PDFFont }

/** How the letters of a text look: in a font, or in another one where that lacks them. */
export type Face = {
  runsOf: (text: string) => Run[]
  /** The width of a line, in points. */
  widthOf: (text: string, size: number) => number
}

/**
 * The faces of a document. The other font is embedded only where the document's own texts need it: most have none of
 * its letters, and reading it takes a tenth of a second.
 */
export async function embedFaces(document: PDFDocument, texts: string): Promise<Record<'regular' | 'bold', Face>> {
  const regular = await embed(document, files.regular)
  const bold = await embed(document, files.bold)
  const isComplete = hasAll(regular, texts) && hasAll(bold, texts)
  const spare = isComplete ? null : await embed(document, spareFont())
  return { regular: faceOf(regular, spare), bold: faceOf(bold, spare) }
}

type Letters = { font: PDFFont; letters: ReadonlySet<number> }

async function embed(document: PDFDocument, file: Uint8Array): Promise<Letters> {
  const font = await document.embedFont(file, { subset: true })
  return { font, letters: new Set(font.getCharacterSet()) }
}

const hasAll = ({ letters }: Letters, text: string): boolean =>
  [...text].every((letter) => letters.has(letter.codePointAt(0) ?? 0))

function faceOf(own: Letters, spare: Letters | null): Face {
  const { font } = own
  const runsOf = (text: string) =>
    spare === null || hasAll(own, text) ? [{ text, font }] : splitByFont(text, own, spare)
  const widthOf = (text: string, size: number) =>
    runsOf(text).reduce((sum, run) => sum + run.font.widthOfTextAtSize(run.text, size), 0)
  return { runsOf, widthOf }
}

/** A letter as its reader sees it, with its accents, which one font has to draw. */
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** What neither font has stays with the first. A text that is read from the right stays whole, as its font turns it. */
function splitByFont(text: string, own: Letters, spare: Letters): Run[] {
  if (isFromRight(text)) return [{ text, font: hasAll(spare, text) ? spare.font : own.font }]
  const runs: Run[] = []
  for (const { segment } of graphemes.segment(text)) {
    const { font } = !hasAll(own, segment) && hasAll(spare, segment) ? spare : own
    const last = runs.at(-1)
    if (last?.font === font) last.text += segment
    else runs.push({ text: segment, font })
  }
  return runs
}
