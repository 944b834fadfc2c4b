import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import fontkit from '@pdf-lib/fontkit'
import { PDFDocument, type PDFImage } from 'pdf-lib'
import { evidenceTextKeys } from '../../domain/dispute/evidence.ts'
import type { EvidenceDocument, EvidenceOrder } from '../dispute-rail.ts'
import { embedImage } from '../pdf-image.ts'

const font = readFileSync(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'))

/** A4 in points, and a text of this size in columns of a font whose letters are all 0.602 of it wide. */
const paper = { width: 595.28, height: 841.89, margin: 48 }
const [size, lineHeight] = [9, 13]
const columns = Math.floor((paper.width - 2 * paper.margin) / (size * 0.603))
const linesOfPage = Math.floor((paper.height - 2 * paper.margin) / lineHeight)

/** The most pixels of a PNG that is shown, and of all PNGs of a file: each is unpacked in memory. */
export type PixelLimits = { image: number; file: number }

/** The evidence with the bytes of its documents. */
export type ReadEvidence = Pick<EvidenceOrder, 'texts'> & {
  documents: (Omit<EvidenceDocument, 'read'> & { bytes: Uint8Array })[]
}

type ReadDocument = ReadEvidence['documents'][number]

/**
 * The evidence as one PDF: the texts first, then the documents in their order. A document that cannot be shown as
 * pages, such as a locked PDF, is attached to the file. Without `opensPdfs` so is every PDF.
 */
export async function makeEvidenceFile(
  { texts, documents }: ReadEvidence,
  limits: PixelLimits,
  opensPdfs: boolean,
): Promise<Uint8Array> {
  const file = await PDFDocument.create({ updateMetadata: false })
  file.registerFontkit(fontkit)
  const lines = evidenceTextKeys.flatMap((key) => linesOf(key, texts[key]))
  for (const { purpose, fileName } of documents) lines.push(...linesOf(`document: ${purpose}`, fileName))
  await addText(file, lines)
  let pixelsLeft = limits.file
  for (const document of documents) {
    if (!(await show(document))) await attach(file, document)
  }
  return file.save()

  async function show({ contentType, bytes }: ReadDocument): Promise<boolean> {
    if (contentType === 'application/pdf') return opensPdfs && addPages(file, bytes)
    const image = await embedImage(file, bytes, contentType, takePixels)
    if (!image) return false
    await addImage(file, image)
    return true
  }

  /** Counts the pixels of a PNG that is about to be unpacked, whether or not it can be shown then. */
  function takePixels(count: number): boolean {
    if (count > Math.min(limits.image, pixelsLeft)) return false
    pixelsLeft -= count
    return true
  }
}

function linesOf(title: string, text: string | undefined): string[] {
  if (!text) return []
  const lines = text.replaceAll(/[^\S\n]|\p{Cf}/gu, ' ').split(/\n/)
  return [`${title.replaceAll('_', ' ')}:`, ...lines.flatMap((line) => inColumns(line.replaceAll(/\p{Cc}/gu, ''))), '']
}

/** A line in pieces that fit into the columns; letters outside of the basic plane count once. */
function inColumns(line: string): string[] {
  const letters = Array.from(line)
  const count = Math.max(1, Math.ceil(letters.length / columns))
  return Array.from({ length: count }, (_, n) => letters.slice(n * columns, (n + 1) * columns).join(''))
}

async function addText(file: PDFDocument, lines: string[]): Promise<void> {
  const embedded = await file.embedFont(font, { subset: true })
  for (let from = 0; from === 0 || from < lines.length; from += linesOfPage) {
    const page = file.addPage([paper.width, paper.height])
    for (const [row, line] of lines.slice(from, from + linesOfPage).entries()) {
      const y = paper.height - paper.margin - (row + 1) * lineHeight
      page.drawText(line, { x: paper.margin, y, size, font: embedded })
    }
  }
}

const attach = (file: PDFDocument, { bytes, fileName, contentType }: ReadDocument): Promise<void> =>
  file.attach(bytes, fileName, { mimeType: contentType })

/** Adds the pages of a PDF; false where it cannot be opened. */
async function addPages(file: PDFDocument, bytes: Uint8Array): Promise<boolean> {
  try {
    const source = await PDFDocument.load(bytes, { updateMetadata: false })
    for (const page of await file.copyPages(source, source.getPageIndices())) file.addPage(page)
    return true
  } catch {
    return false
  }
}

async function addImage(file: PDFDocument, image: PDFImage): Promise<void> {
  const { width, height } = image.scaleToFit(paper.width - 2 * paper.margin, paper.height - 2 * paper.margin)
  const page = file.addPage([paper.width, paper.height])
  page.drawImage(image, { x: paper.margin, y: paper.height - paper.margin - height, width, height })
  await image.embed() // now: otherwise it is kept until the file is saved
}
