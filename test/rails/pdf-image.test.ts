import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib'
import sharp from 'sharp'
import { embedImage } from '../../rails/pdf-image.ts'
import { pngChunk, pngHeader, pngOfChunks, pngPixels } from '../support/png-file.ts'
import { jpeg, webp } from '../support/upload.ts'

const pixelsMax = 4_000_000

async function embed(bytes: Uint8Array, type: 'image/png' | 'image/jpeg' | 'image/webp' = 'image/png') {
  const document = await PDFDocument.create()
  const image = await embedImage(document, bytes, type, (count) => count <= pixelsMax)
  await document.save()
  const stream = image && (document.context.lookup(image.ref) as PDFRawStream)
  return { image, stream }
}

/** The color of the middle of an embedded image: red, green and blue. */
async function middleOf({ contents }: PDFRawStream): Promise<number[]> {
  const { data, info } = await sharp(contents).toColorspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
  return [...data.subarray(at, at + 3)]
}

/** A PNG of 40 by 30 pixels of one color. */
const drawn = (alpha: number) =>
  sharp({ create: { width: 40, height: 30, channels: 4, background: { r: 200, g: 40, b: 0, alpha } } })

for (const [what, png, color] of [
  ['of colors', drawn(1).removeAlpha().png(), [200, 40, 0]],
  ['of a palette', drawn(1).png({ palette: true }), [200, 40, 0]],
  ['that is interlaced', drawn(1).png({ progressive: true }), [200, 40, 0]],
  ['of 16 bits', drawn(1).toColorspace('rgb16').png(), [200, 40, 0]],
  ['that is half clear', drawn(0.5).png(), [228, 148, 128]],
  ['that is clear', drawn(0).png(), [255, 255, 255]],
] as const) {
  test(`a PNG ${what} is drawn in its size, as on white paper`, async () => {
    const { image, stream } = await embed(await png.toBuffer())
    assert.ok(image && stream)
    assert.deepEqual([image.width, image.height], [40, 30])
    const found = await middleOf(stream)
    for (const [at, value] of color.entries()) assert.ok(Math.abs((found[at] ?? -99) - value) <= 4, `${found}`)
  })
}

test('a PNG of greys is drawn', async () => {
  const { stream } = await embed(await drawn(1).toColorspace('b-w').png().toBuffer())
  assert.ok(stream)
  const [red = 0, green = 0, blue = 0] = await middleOf(stream)
  assert.ok(red > 50 && red < 150 && red === green && green === blue)
})

const end = pngChunk('IEND')
const header = pngHeader(1, 1)
const pixel = pngPixels(Buffer.alloc(5))
const animation = pngChunk('acTL', Buffer.from('0000000100000000', 'hex'))

for (const [what, bytes] of Object.entries({
  'a text that never ends': pngOfChunks(header, pngChunk('tEXt', 'AAAA')),
  'an international text that never ends': pngOfChunks(header, pngChunk('iTXt', 'A\0\0\0AAAA')),
  'a palette that is longer than the file': pngOfChunks(header, pngChunk('PLTE', 'AAA', 2 ** 32 - 1)),
  'pixels that are longer than the file': pngOfChunks(
    header,
    pngChunk('IDAT', deflateSync(Buffer.alloc(5)), 2 ** 32 - 1),
  ),
  'a second header of very many pixels': pngOfChunks(header, pngHeader(60_000, 60_000), pixel, end),
  'a header of very many pixels': pngOfChunks(pngHeader(60_000, 60_000), pixel, end),
  'a header of more pixels than a number counts': pngOfChunks(pngHeader(2 ** 32 - 1, 2 ** 32 - 1), pixel, end),
  'no header': pngOfChunks(pixel, end),
  'no width': pngOfChunks(pngHeader(0, 1), pixel, end),
  'a type of color that does not exist': pngOfChunks(pngHeader(1, 1, { colorType: 5 }), pixel, end),
  'no pixels': pngOfChunks(header, end),
  'pixels that are cut off': pngOfChunks(header, pngChunk('IDAT', deflateSync(Buffer.alloc(5)).subarray(0, -6)), end),
  'too few pixels': pngOfChunks(header, pngPixels(Buffer.alloc(4)), end),
  'no palette': pngOfChunks(pngHeader(1, 1, { colorType: 3 }), pngPixels(Buffer.alloc(2)), end),
  'an animation with frames of each size': pngOfChunks(
    header,
    animation,
    pngChunk('fcTL', Buffer.alloc(26, 255)),
    pixel,
    end,
  ),
  nothing: Buffer.alloc(0),
  'a JPEG in its place': jpeg,
})) {
  test(`a PNG with ${what} is not shown, and keeps nobody busy`, async () => {
    const startedAt = performance.now()
    assert.equal((await embed(bytes)).image, null)
    assert.ok(performance.now() - startedAt < 10_000)
  })
}

test('a PNG that unpacks to very much more than its pixels takes no more memory than these', async () => {
  const bomb = pngOfChunks(header, pngPixels(Buffer.alloc(200_000_000)), end)
  const before = process.memoryUsage().rss
  await embed(bomb)
  assert.ok(process.memoryUsage().rss - before < 150_000_000)
})

/** The start of a JPEG whose frame has this size, three colors of 8 bits. */
function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from('ffd8ffc0001108000000000301220002110103110100', 'hex')
  frame.writeUInt16BE(height, 7)
  frame.writeUInt16BE(width, 9)
  return frame
}

test('a JPEG is drawn as it is, also where it is a part of a larger buffer', async () => {
  const whole = jpegOf(640, 480)
  const { image, stream } = await embed(Buffer.concat([Buffer.alloc(7), whole]).subarray(7), 'image/jpeg')
  assert.ok(image && stream)
  assert.deepEqual([image.width, image.height], [640, 480])
  assert.deepEqual(Buffer.from(stream.contents), whole)
  assert.equal(stream.dict.lookup(PDFName.of('Filter')), PDFName.of('DCTDecode'))
})

test('a JPEG that is damaged or has no size is not shown, nor is an image of another type', async () => {
  const damaged = [jpeg, jpegOf(0, 1), jpegOf(1, 0), jpegOf(1, 1).subarray(0, 9), Buffer.alloc(10), Buffer.alloc(0)]
  damaged.push(Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(1_000_000)])) // markers without a length
  for (const bytes of damaged) assert.equal((await embed(bytes, 'image/jpeg')).image, null)
  assert.equal((await embed(webp, 'image/webp')).image, null)
})
