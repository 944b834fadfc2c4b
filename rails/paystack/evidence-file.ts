import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import fontkit from '@pdf-lib/fontkit'
import { PDFDocument } from 'pdf-lib'
import { evidenceTextKeys } from '../../domain/dispute/evidence.ts'
import type { EvidenceDocument, EvidenceOrder } from '../dispute-rail.ts'

const font = readFileSync(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'))

/** A4 in points, and a text of this size in columns of a font whose letters are all 0.602 of it wide. */
const paper = { width: 595.28, height: 841.89, margin: 48 }
const [size, lineHeight] = [9, 13]
const columns = Math.floor((paper.width - 2 * paper.margin) / (size * 0.603))
const linesOfPage = Math.floor((paper.height - 2 * paper.margin) / lineHeight)

/** A PNG is unpacked in memory, and while it is nothing else runs. One with more pixels is attached as it is. */
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
    const isShown = opensPdfs || document.contentType !== 'application/pdf'
    if (!isShown || !(await showDocument(file, document, takePixels))) await attach(file, document)
  }
  return file.save()

  function takePixels(count: number): void {
    if (count > Math.min(limits.image, pixelsLeft)) throw new Error('too many pixels')
    pixelsLeft -= count
  }
}

/** Counts the pixels of an image that is about to be unpacked; throws where they are too many. */
type TakePixels = (count: number) => void

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

/** Adds a document as pages; false where that cannot be done. */
async function showDocument(file: PDFDocument, document: ReadDocument, takePixels: TakePixels): Promise<boolean> {
  const { contentType, bytes } = document
  try {
    if (contentType === 'application/pdf') await addPages(file, bytes)
    else {
      if (contentType === 'image/png') takePixels(pixelsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)))
      await addImage(file, bytes, contentType === 'image/png')
    }
    return true
  } catch {
    return false
  }
}

const attach = (file: PDFDocument, { bytes, fileName, contentType }: ReadDocument): Promise<void> =>
  file.attach(bytes, fileName, { mimeType: contentType })

async function addPages(file: PDFDocument, bytes: Uint8Array): Promise<void> {
  const source = await PDFDocument.load(bytes, { updateMetadata: false })
  for (const page of await file.copyPages(source, source.getPageIndices())) file.addPage(page)
}

/** The width and the height stand in the first chunk of a PNG, which has a fixed place. */
function pixelsOf(png: Buffer): number {
  if (png.includes('acTL')) throw new Error('animated: all of its images would be unpacked, to be refused then')
  return png.readUInt32BE(16) * png.readUInt32BE(20)
}

async function addImage(file: PDFDocument, bytes: Uint8Array, isPng: boolean): Promise<void> {
  const image = await (isPng ? file.embedPng(bytes) : file.embedJpg(bytes))
  const { width, height } = image.scaleToFit(paper.width - 2 * paper.margin, paper.height - 2 * paper.margin)
  const page = file.addPage([paper.width, paper.height])
  page.drawImage(image, { x: paper.margin, y: paper.height - paper.margin - height, width, height })
  await image.embed() // packed again now: otherwise its pixels are kept until the file is saved
}
