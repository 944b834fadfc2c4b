import fontkit from '@pdf-lib/fontkit'
import { type Color, PDFDocument, type PDFImage, type PDFPage, rgb } from 'pdf-lib'
import { embedImage } from '../../rails/pdf-image.ts'
import { partsInSight } from './direction.ts'
import { embedFaces, type Face } from './face.ts'
import type { Logo, Paper } from './paper.ts'

/** A4, in points. */
export const paperSize = { width: 595.28, height: 841.89 }
export const margin = 48
export const right = paperSize.width - margin

export const ink = rgb(0.09, 0.13, 0.11)
export const soft = rgb(0.34, 0.39, 0.37)
export const faint = rgb(0.87, 0.9, 0.88)

/** How a text is drawn. */
export type Style = { face: Face; size: number; color: Color }

export type Sheet = {
  document: PDFDocument
  page: PDFPage
  regular: Face
  bold: Face
  /** The top of what is drawn next, in points from the bottom. */
  y: number
}

/** A new document with its first page. Its dates come from the content, so that its bytes do too. */
export async function createSheet(paper: Paper): Promise<Sheet> {
  const { title, letterhead, issuedAt, language } = paper
  const document = await PDFDocument.create({ updateMetadata: false })
  document.registerFontkit(fontkit)
  const at = new Date(issuedAt)
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setAuthor(letterhead.name)
  document.setProducer('steadypay')
  document.setLanguage(language.code)
  document.setCreationDate(at)
  document.setModificationDate(at)
  const faces = await embedFaces(document, JSON.stringify({ ...paper, letterhead: { ...letterhead, logo: null } }))
  const page = document.addPage([paperSize.width, paperSize.height])
  return { document, page, ...faces, y: paperSize.height - margin }
}

/** Begins a page. */
export function addPage(sheet: Sheet): void {
  sheet.page = sheet.document.addPage([paperSize.width, paperSize.height])
  sheet.y = paperSize.height - margin
}

/** Draws a line of text with its left end at `x`. */
export function drawText(sheet: Sheet, text: string, x: number, y: number, style: Style): void {
  drawParts(sheet, partsInSight(text), x, y, style)
}

function drawParts({ page }: Sheet, parts: readonly string[], x: number, y: number, { face, ...style }: Style): void {
  let left = x
  for (const { text, font } of parts.flatMap(face.runsOf)) {
    page.drawText(text, { x: left, y, font, ...style })
    left += font.widthOfTextAtSize(text, style.size)
  }
}

/** Draws a line of text with its right end at `x`. */
export function drawTextTo(sheet: Sheet, text: string, x: number, y: number, style: Style): void {
  const parts = partsInSight(text)
  const width = parts.reduce((sum, part) => sum + style.face.widthOf(part, style.size), 0)
  drawParts(sheet, parts, x - width, y, style)
}

export function drawRule({ page }: Sheet, y: number, from = margin, color = faint): void {
  page.drawLine({ start: { x: from, y }, end: { x: right, y }, thickness: 0.75, color })
}

/** The most pixels of a logo. */
const pixelsMax = 4_000_000

/** A logo for the document; null where its file is damaged or too large to be unpacked. */
export const embedLogo = ({ document }: Sheet, { bytes, contentType }: Logo): Promise<PDFImage | null> =>
  embedImage(document, bytes, contentType, (count) => count <= pixelsMax)
