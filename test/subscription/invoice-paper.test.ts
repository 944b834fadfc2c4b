import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fontkit from '@pdf-lib/fontkit'
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import { drawPaper } from '../../api/pdf/draw.ts'
import type { Logo, Paper, PaperLine } from '../../api/pdf/paper.ts'
import { english, paperLanguageOf, paperWords } from '../../api/pdf/language.ts'
import { currencyText } from '../../api/pdf/words.ts'
import { languageCodes } from '../../domain/language.ts'
import { pngChunk, pngHeader, pngOfChunks } from '../support/png-file.ts'
import { jpeg, png } from '../support/upload.ts'

const require = createRequire(import.meta.url)

const line = (name: string): PaperLine => ({
  name,
  detail: '3 May 2026 to 3 June 2026',
  quantity: '2',
  unitAmount: '₦2,500.00',
  total: '₦5,000.00',
})

const paper = (more: Partial<Paper> = {}): Paper => ({
  language: english,
  title: 'Invoice INV-000001',
  status: 'Due by 3 May 2026',
  letterhead: { name: 'Ọlátúnjí & Söhne', supportEmail: 'help@example.com', logo: null },
  recipient: ['Ada Buyer', 'ada@example.com'],
  facts: [{ label: 'Currency', value: currencyText('GHS') }],
  lines: [line('Team plan')],
  sums: [{ label: 'Amount due', value: '₦5,000.00', isStrong: true }],
  remark: null,
  issuedAt: Date.UTC(2026, 3, 30),
  ...more,
})

const pagesOf = async (content: Paper): Promise<number> =>
  (await PDFDocument.load(await drawPaper(content), { updateMetadata: false })).getPageCount()

test('amounts have the symbol of their currency, groups of thousands and a minus before both', () => {
  assert.equal(english.amount('5000', 'NGN'), '₦5,000.00')
  assert.equal(english.amount('-1234567.5', 'NGN'), '−₦1,234,567.50')
  assert.equal(english.amount('12', 'GHS'), 'GH₵12.00')
  assert.equal(english.amount('10', 'KES'), 'KSh\u00a010.00')
  assert.equal(english.amount('25', 'USD'), '$25.00')
  assert.equal(english.amount('1000', 'XOF'), 'CFA\u00a01,000')
  assert.equal(english.amount('-0.00', 'USD'), '$0.00')
  assert.equal(currencyText('GHS'), 'GHS (GH₵)')
})

test('the same content makes the same bytes, with the date of the content', async () => {
  const [one, two] = [await drawPaper(paper()), await drawPaper(paper())]
  assert.deepEqual(one, two)
  assert.notDeepEqual(one, await drawPaper(paper({ status: 'Paid on 3 May 2026' })))
  const document = await PDFDocument.load(one, { updateMetadata: false })
  assert.equal(document.getTitle(), 'Invoice INV-000001')
  assert.equal(document.getAuthor(), 'Ọlátúnjí & Söhne')
  assert.equal(document.getCreationDate()?.toISOString(), '2026-04-30T00:00:00.000Z')
  assert.deepEqual(document.getPage(0).getSize(), { width: 595.28, height: 841.89 })
})

test('many lines break over pages, and few do not', async () => {
  assert.equal(await pagesOf(paper()), 1)
  const lines = Array.from({ length: 100 }, (_, index) => line(`Product ${index}`))
  const pages = await pagesOf(paper({ lines }))
  assert.ok(pages >= 4 && pages <= 7, `${pages} pages`)
})

test('names of any letters and any length are drawn', async () => {
  const strange = ['\u202e\u0007a\nb\tc', '', ' ', '😀 日本 العربية', 'x'.repeat(255), 'ẹ̀ '.repeat(80), '\ud83d']
  const lines = strange.map(line)
  assert.ok((await pagesOf(paper({ lines, recipient: strange, title: 'y'.repeat(200) }))) >= 1)
  assert.ok((await pagesOf(paper({ lines: Array.from({ length: 100 }, () => line('x'.repeat(255))) }))) > 4)
})

/** The letters that each font of a document draws, by the name of the font. */
async function lettersByFont(content: Paper): Promise<Record<string, Set<string>>> {
  const { context } = await PDFDocument.load(await drawPaper(content), { updateMetadata: false })
  const fonts = context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFDict && object.has(PDFName.of('ToUnicode')) ? [object] : []))
  return Object.fromEntries(
    fonts.map((font) => {
      const name = String(font.get(PDFName.of('BaseFont'))).replace(/^\/|-\d+$/g, '')
      const map = font.lookup(PDFName.of('ToUnicode'))
      assert.ok(map instanceof PDFRawStream)
      const text = Buffer.from(decodePDFRawStream(map).decode())
      const codes = text.toString().matchAll(/<\w+> <((?:\w{4})+)>/g)
      return [name, new Set(Array.from(codes, ([, hex = '']) => Buffer.from(hex, 'hex').swap16().toString('utf16le')))]
    }),
  )
}

test('a name in any script is drawn in letters, whose font is only in documents that need it', async () => {
  const usual = await lettersByFont(paper())
  assert.equal(Object.keys(usual).length, 2)
  const names = ['田中 太郎', '김민수', 'राम', 'সোহেল', 'สมชาย', 'አበበ', 'ޙަސަން', 'Ọlátúnjí']
  const strange = await lettersByFont(paper({ recipient: names, letterhead: { ...paper().letterhead, name: 'A 中' } }))
  const [spare = '', ...others] = Object.keys(strange).filter((name) => !(name in usual))
  assert.deepEqual([others, /unifont/i.test(spare)], [[], true], Object.keys(strange).join())
  for (const letter of '田中太郎김रมአޙ') assert.ok(strange[spare]?.has(letter), letter)
  assert.ok(!strange[spare]?.has('O') && !strange[spare]?.has('A'))
})

test('a letter with a variation selector, as in registers of Japan, is drawn as the letter alone', async () => {
  const plain = await drawPaper(paper({ recipient: ['葛城'] }))
  for (const name of ['葛\u{E0100}城', '葛\uFE00城'])
    assert.deepEqual(await drawPaper(paper({ recipient: [name] })), plain)
})

test('a logo is drawn; a damaged or a huge one is left out', async () => {
  const withLogo = (logo: Logo) => drawPaper(paper({ letterhead: { name: 'A', supportEmail: null, logo } }))
  const without = await drawPaper(paper({ letterhead: { name: 'A', supportEmail: null, logo: null } }))
  assert.notDeepEqual(await withLogo({ bytes: png, contentType: 'image/png' }), without)
  const huge = Buffer.from(png)
  huge.writeUInt32BE(60_000, 16)
  huge.writeUInt32BE(60_000, 20)
  const endless = pngOfChunks(pngHeader(1, 1), pngChunk('tEXt', 'AAAA'))
  for (const bytes of [huge, png.subarray(0, 20), png.subarray(0, 50), endless, Buffer.from('no image')]) {
    assert.deepEqual(await withLogo({ bytes, contentType: 'image/png' }), without)
  }
  const flat = Buffer.from('ffd8ffc00011080000028003012200021101031101', 'hex') // 640 by 0
  for (const bytes of [jpeg, flat, Buffer.alloc(10)])
    assert.deepEqual(await withLogo({ bytes, contentType: 'image/jpeg' }), without)
})

/** Words that two of the languages write alike. */
const isShared = (key: string): boolean => ['subtotal', 'total.plain', 'mobile_money', 'crypto'].includes(key)

test('every text of a document is translated, with the same insertions, in letters that the fonts have', async () => {
  const insertionsOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
  const fonts = ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'].map((name) =>
    fontkit.create(readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))),
  )
  for (const code of languageCodes) {
    const language = paperLanguageOf(`${code}-CI`)
    assert.equal(language.code, code)
    for (const [key, text] of Object.entries(paperWords[code])) {
      const inEnglish = paperWords.en[key as keyof typeof paperWords.en]
      assert.deepEqual(insertionsOf(text), insertionsOf(inEnglish), key)
      if (code !== 'en') assert.ok(text !== inEnglish || isShared(key), `${code}: ${key}`)
    }
    const written = [
      ...Object.values(paperWords[code]),
      language.amount('-1234567.5', 'NGN'),
      language.day(new Date(0)),
    ]
    for (const letter of written.join('')) {
      for (const font of fonts) {
        assert.ok(font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0), `${code}: ${JSON.stringify(letter)}`)
      }
    }
    const bytes = await drawPaper(paper({ language }))
    const document = await PDFDocument.load(bytes, { updateMetadata: false })
    assert.equal(String(document.catalog.get(PDFName.of('Lang'))), `(${code})`)
    if (code !== 'en') assert.notDeepEqual(bytes, await drawPaper(paper()))
  }
  assert.equal(paperLanguageOf(null), english)
  assert.equal(paperLanguageOf('de'), english)
})
