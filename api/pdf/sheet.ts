import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import fontkit from '@pdf-lib/fontkit'
import { type Color, PDFDocument, type PDFFont, type PDFImage, type PDFPage, rgb } from 'pdf-lib'
import { partsInSight } from './direction.ts'
import type { Logo, Paper } from './paper.ts'

const require = createRequire(import.meta.url)
const regular = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'))
const bold = readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'))

/** A4, in points. */
export const paperSize = { width: 595.28, height: 841.89 }
export const margin = 48
export const right = paperSize.width - margin

export const ink = rgb(0.09, 0.13, 0.11)
export const soft = rgb(0.34, 0.39, 0.37)
export const faint = rgb(0.87, 0.9, 0.88)

/** How a text is drawn. */
export type Style = { font: PDFFont; size: number; color: Color }

export type Sheet = {
  document: PDFDocument
  page: PDFPage
  regular: PDFFont
  bold: PDFFont
  /** The top of what is drawn next, in points from the bottom. */
  y: number
}

/** A new document with its first page. Its dates come from the content, so that its bytes do too. */
export async function createSheet({ title, letterhead, issuedAt, language }: Paper): Promise<Sheet> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.registerFontkit(fontkit)
  const at = new Date(issuedAt)
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setAuthor(letterhead.name)
  document.setProducer('steadypay')
  document.setLanguage(language.code)
  document.setCreationDate(at)
  document.setModificationDate(at)
  const fonts = {
    regular: await document.embedFont(regular, { subset: true }),
    bold: await document.embedFont(bold, { subset: true }),
  }
  const page = document.addPage([paperSize.width, paperSize.height])
  return { document, page, ...fonts, y: paperSize.height - margin }
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

function drawParts({ page }: Sheet, parts: readonly string[], x: number, y: number, style: Style): void {
  let left = x
  for (const part of parts) {
    page.drawText(part, { x: left, y, ...style })
    left += widthOf(part, style)
  }
}

const widthOf = (part: string, { font, size }: Style): number => font.widthOfTextAtSize(part, size)

/** Draws a line of text with its right end at `x`. */
export function drawTextTo(sheet: Sheet, text: string, x: number, y: number, style: Style): void {
  const parts = partsInSight(text)
  const width = parts.reduce((sum, part) => sum + widthOf(part, style), 0)
  drawParts(sheet, parts, x - width, y, style)
}

export function drawRule({ page }: Sheet, y: number, from = margin, color = faint): void {
  page.drawLine({ start: { x: from, y }, end: { x: right, y }, thickness: 0.75, color })
}

/** The most pixels of a logo: a PNG is unpacked in memory. */
const pixelsMax = 4_000_000

/** A logo for the document; null where its file is damaged or too large to be unpacked. */
export async function embedLogo({ document }: Sheet, { bytes, contentType }: Logo): Promise<PDFImage | null> {
  try {
    if (contentType === 'image/jpeg') return await document.embedJpg(bytes)
    const header = Buffer.from(bytes)
    // The width and the height stand in the first chunk of a PNG, which has a fixed place.
    const pixels = header.readUInt32BE(16) * header.readUInt32BE(20)
    return pixels <= pixelsMax ? await document.embedPng(bytes) : null
  } catch {
    return null
  }
}
