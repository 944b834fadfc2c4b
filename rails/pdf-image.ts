import { JpegEmbedder, type PDFDocument, type PDFImage } from 'pdf-lib'
import sharp from 'sharp'
import type { UploadType } from '../domain/catalogue/upload.ts'

// Images of merchants in the PDFs that are made here: papers of the API, and the evidence of a dispute.

sharp.concurrency(1) // one image at a time takes one thread beside ours, not one for each processor
sharp.cache(false)

/** Whether so many pixels may be unpacked. Asked once for each PNG, before it is. */
export type TakePixels = (count: number) => boolean

/**
 * Adds an image to a document; null where it is damaged, animated or of another type, and for a PNG whose pixels may
 * not be taken, as they are unpacked in memory. A JPEG is added as it is. A PNG is added as a JPEG on white: pdf-lib
 * has a decoder for PNGs that trusts the file, and some of 60 bytes keep it busy for ever or take all memory.
 */
export async function embedImage(
  document: PDFDocument,
  bytes: Uint8Array,
  contentType: UploadType,
  takePixels: TakePixels,
): Promise<PDFImage | null> {
  try {
    if (contentType === 'image/jpeg') return await embedJpeg(document, bytes)
    const drawn = contentType === 'image/png' ? await onWhite(bytes, takePixels) : null
    return drawn && (await embedJpeg(document, drawn))
  } catch {
    return null
  }
}

async function embedJpeg(document: PDFDocument, bytes: Uint8Array): Promise<PDFImage | null> {
  const copy = new Uint8Array(bytes) // as pdf-lib reads the whole buffer that the bytes may be a part of
  const { width, height } = await JpegEmbedder.for(copy)
  return width > 0 && height > 0 ? document.embedJpg(copy) : null
}

/** A PNG as a JPEG; null where it is none, is animated, or has more pixels than may be taken. Throws where damaged. */
async function onWhite(png: Uint8Array, takePixels: TakePixels): Promise<Uint8Array | null> {
  if (Buffer.from(png).includes('acTL')) return null // of an animation a page would show the first image alone
  const { format, width, height } = await sharp(png, { limitInputPixels: false }).metadata() // reads the header alone
  const pixels = width * height
  if (format !== 'png' || pixels < 1 || !takePixels(pixels)) return null
  const image = sharp(png, { limitInputPixels: pixels, failOn: 'warning' })
  return image.flatten({ background: 'white' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()
}
