import type { Fact, Paper, PaperLine } from './paper.ts'
import {
  addPage,
  createSheet,
  drawRule,
  drawText,
  drawTextTo,
  embedLogo,
  ink,
  margin,
  paperSize,
  right,
  type Sheet,
  soft,
  type Style,
} from './sheet.ts'
import { oneLine, wrap, wrapShort } from './text.ts'

/** Below this nothing but the number of the page is drawn. */
const bottom = margin + 28
const logoMax = { width: 160, height: 44 }
/** The right ends of the columns of numbers, and the width of the names left of them. */
const columns = { quantity: 330, unitAmount: 438, total: right }
const nameWidth = 235
const amountWidth = 100
const middle = 330

/** Draws a document on A4. The same content makes the same bytes. */
export async function drawPaper(paper: Paper): Promise<Uint8Array> {
  const sheet = await createSheet(paper)
  await drawHead(sheet, paper)
  drawParties(sheet, paper)
  drawTableHead(sheet, paper)
  for (const line of paper.lines) drawLine(sheet, line, paper)
  drawSums(sheet, paper)
  drawFooters(sheet, paper)
  return sheet.document.save()
}

/** The merchant at the left; what the document is at the right. */
async function drawHead(sheet: Sheet, { letterhead, title, status }: Paper): Promise<void> {
  const { regular, bold, y: top } = sheet
  const logo = letterhead.logo && (await embedLogo(sheet, letterhead.logo))
  let left = top
  if (logo) {
    const { width, height } = logo.scaleToFit(logoMax.width, logoMax.height)
    sheet.page.drawImage(logo, { x: margin, y: top - height, width, height })
    left -= height + 10
  }
  const name = { face: bold, size: 12, color: ink }
  for (const text of wrapShort(letterhead.name, bold, name.size, middle - margin - 40)) {
    left -= 14
    drawText(sheet, text, margin, left, name)
  }
  if (letterhead.supportEmail) {
    const style = { face: regular, size: 9, color: soft }
    for (const text of wrap(letterhead.supportEmail, regular, 9, middle - margin - 40)) {
      left -= 13
      drawText(sheet, text, margin, left, style)
    }
  }
  let far = top
  for (const text of wrap(title, bold, 18, right - middle)) {
    far -= 20
    drawTextTo(sheet, text, right, far, { face: bold, size: 18, color: ink })
  }
  far -= 18
  drawTextTo(sheet, oneLine(status), right, far, { face: bold, size: 10, color: soft })
  sheet.y = Math.min(left, far) - 30
}

/** Whom the document is for at the left; its facts at the right. */
function drawParties(sheet: Sheet, { recipient, facts, language }: Paper): void {
  const { regular, bold, y: top } = sheet
  let left = top
  if (recipient.length > 0) {
    drawText(sheet, language.say('billed.to'), margin, (left -= 10), { face: bold, size: 9, color: soft })
    for (const text of recipient.flatMap((each) => wrapShort(each, regular, 10, middle - margin - 40))) {
      drawText(sheet, text, margin, (left -= 14), { face: regular, size: 10, color: ink })
    }
  }
  let far = top
  for (const { label, value } of facts) {
    drawText(sheet, label, middle, (far -= 14), { face: regular, size: 9, color: soft })
    const labelWidth = Math.max(regular.widthOf(label, 9) + 8, 55)
    for (const [index, text] of wrap(value, regular, 9, right - middle - labelWidth).entries()) {
      if (index > 0) far -= 12
      drawTextTo(sheet, text, right, far, { face: regular, size: 9, color: ink })
    }
  }
  sheet.y = Math.min(left, far) - 30
}

function drawTableHead(sheet: Sheet, { language: { say } }: Paper): void {
  const style = { face: sheet.bold, size: 9, color: soft }
  const y = sheet.y - 10
  drawText(sheet, say('description'), margin, y, style)
  drawTextTo(sheet, say('quantity'), columns.quantity, y, style)
  drawTextTo(sheet, say('unit.price'), columns.unitAmount, y, style)
  drawTextTo(sheet, say('amount'), columns.total, y, style)
  drawRule(sheet, y - 7, margin, soft)
  sheet.y = y - 7
}

/** Begins a new page, in the table with its head, where this much room is not left. */
function makeRoom(sheet: Sheet, height: number, table: Paper | null): void {
  if (sheet.y - height >= bottom) return
  addPage(sheet)
  if (table) drawTableHead(sheet, table)
}

/** The style in which an amount fits its column: one of very many digits is drawn smaller. */
function shrunk(text: string, style: Style): Style {
  const width = style.face.widthOf(text, style.size)
  return width <= amountWidth ? style : { ...style, size: (style.size * amountWidth) / width }
}

function drawLine(sheet: Sheet, { name, detail, quantity, unitAmount, total }: PaperLine, paper: Paper): void {
  const { regular } = sheet
  const names = wrapShort(name, regular, 10, nameWidth)
  const details = detail === null ? [] : wrap(detail, regular, 8, nameWidth)
  makeRoom(sheet, names.length * 13 + details.length * 11 + 12, paper)
  const style = { face: regular, size: 10, color: ink }
  let y = sheet.y - 16
  drawTextTo(sheet, quantity, columns.quantity, y, style)
  drawTextTo(sheet, unitAmount, columns.unitAmount, y, shrunk(unitAmount, style))
  drawTextTo(sheet, total, columns.total, y, shrunk(total, style))
  for (const [index, text] of names.entries()) drawText(sheet, text, margin, (y -= index === 0 ? 0 : 13), style)
  for (const text of details) drawText(sheet, text, margin, (y -= 11), { face: regular, size: 8, color: soft })
  drawRule(sheet, y - 7)
  sheet.y = y - 7
}

/** The sums and the remark, all on one page. */
function drawSums(sheet: Sheet, { sums, remark }: Paper): void {
  const { regular, bold } = sheet
  const remarks = remark === null ? [] : wrap(remark, regular, 9, right - margin)
  makeRoom(sheet, sums.length * 18 + remarks.length * 13 + 40, null)
  sheet.y -= 10
  for (const sum of sums) drawSum(sheet, sum, sum.isStrong ? bold : regular)
  sheet.y -= 22
  for (const text of remarks) drawText(sheet, text, margin, (sheet.y -= 13), { face: regular, size: 9, color: soft })
}

function drawSum(sheet: Sheet, { label, value }: Fact, face: Sheet['regular']): void {
  sheet.y -= 18
  const style = { face, size: 10, color: ink }
  drawText(sheet, label, middle, sheet.y, style)
  drawTextTo(sheet, value, right, sheet.y, style)
}

/** Numbers the pages once their count is known. */
function drawFooters(sheet: Sheet, { title, letterhead, language }: Paper): void {
  const { document, regular } = sheet
  const pages = document.getPages()
  const style = { face: regular, size: 8, color: soft }
  const [name = ''] = wrap(letterhead.name, regular, 8, paperSize.width / 2)
  for (const [index, page] of pages.entries()) {
    const on = { ...sheet, page }
    drawText(on, name, margin, margin, style)
    const number = language.say('page', { number: String(index + 1), count: String(pages.length) })
    drawTextTo(on, `${oneLine(title)} · ${number}`, right, margin, style)
  }
}
